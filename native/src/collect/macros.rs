//! Macro calls in item position, and imports.

use proc_macro2::Span;
use verus_syn::*;

use super::names::*;
use super::Collector;
use crate::facts::{self, At};
use crate::parse;
use crate::types::Declared;

impl Collector<'_> {
    pub(super) fn item_macro(
        &mut self,
        attrs: Vec<Attribute>,
        ident: Option<Ident>,
        mac: Macro,
        semi: Option<Token![;]>,
        member: bool,
    ) {
        let text = self.text;
        let start = start_of(&attrs, None, mac.path.segments[0].ident.span());
        let (open, close) = delimiters(&mac);
        let end = semi.map_or(close, |s| s.span);
        let at = text.between(start, end);
        let path: Vec<String> = mac
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let name = path.last().cloned().unwrap_or_default();
        if let Some(ident) = ident {
            // macro_rules! name
            self.env.own_verus |= ident == "verus";
            self.plain(&attrs, None, "macro_rules", &ident, at);
            return;
        }
        self.facts.macros.push(facts::MacroUse {
            at,
            place: self.place(),
            path: path.clone(),
            args: text.between(open, close),
            item: true,
            parent: self.around.parent,
        });
        let is_items =
            !member && !self.env.own_verus && parse::ITEM_MACROS.contains(&name.as_str());
        let is_members = member && parse::IMPL_MACROS.contains(&name.as_str());
        let cfg = self.around.cfg || behind_cfg_attrs(text, &attrs);
        let mut block = facts::Block {
            name: name.clone(),
            at,
            body: [text.at(open)[1], text.at(close)[0]],
            parsed: false,
            cfg,
        };
        let before = self.around.clone();
        if is_items {
            match parse::contents(mac.tokens) {
                Ok(items) => {
                    block.parsed = true;
                    self.around.verus = true;
                    self.around.cfg = cfg;
                    self.items(items);
                }
                Err(error) => self.refuse(&error, &name, cfg, close),
            }
            self.facts.blocks.push(block);
        } else if is_members {
            match parse::impl_contents(mac.tokens) {
                Ok(items) => {
                    block.parsed = true;
                    self.around.verus = true;
                    self.around.cfg = cfg;
                    self.impl_items(items);
                }
                Err(error) => self.refuse(&error, &name, cfg, close),
            }
            self.facts.blocks.push(block);
        } else {
            self.env.opaque_items = true;
            let id = self.nameless(&attrs, "macro", at);
            self.facts.items[id as usize].name = path.join("::");
        }
        self.around = before;
    }

    pub(super) fn refuse(&mut self, error: &Error, name: &str, cfg: bool, close: Span) {
        let message = error.to_string();
        // The end of the macro's input has the span of the whole call; Verus points there too.
        let span = if message.contains("end of input") {
            close
        } else {
            error.span()
        };
        self.facts
            .errors
            .push(parse::parse_error(span, &message, name, cfg, self.text));
    }

    pub(super) fn use_(&mut self, u: ItemUse, at: At) {
        let id = self.nameless(&u.attrs, "use", at);
        self.facts.items[id as usize].vis = vis_text(self.text, Some(&u.vis));
        let cfg = self.facts.items[id as usize].cfg;
        let mut found = Vec::new();
        leaves(&u.tree, &mut Vec::new(), &mut found);
        for (path, name, glob) in found {
            let root = path.first().map(String::as_str).unwrap_or("");
            let known =
                ["vstd", "std", "core", "alloc", "builtin", "verus_builtin"].contains(&root);
            if !glob {
                self.declare_import(&name, &path);
                self.env.own_verus |=
                    name == "verus" && !known && !root.ends_with("builtin_macros");
            } else if !known && (root != "super" || self.around.parent < 0) {
                self.env.foreign_names |= !root.ends_with("builtin_macros");
            }
            self.facts.uses.push(facts::Use {
                parent: self.around.parent,
                path,
                name,
                glob,
                cfg,
                at,
            });
        }
    }

    /// An imported name means its std or vstd original only if it keeps that name.
    pub(super) fn declare_import(&mut self, name: &str, path: &[String]) {
        let root = path.first().map(String::as_str).unwrap_or("");
        let same = path.last().map(String::as_str) == Some(name);
        if !(same
            && matches!(
                root,
                "std" | "core" | "alloc" | "vstd" | "builtin" | "verus_builtin"
            ))
        {
            self.declare_type(name, Declared::Opaque);
        }
        self.env.imports.push(name.to_string());
    }
}
