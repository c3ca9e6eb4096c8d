//! Modules, impls and traits.

use verus_syn::spanned::Spanned;
use verus_syn::*;

use super::names::*;
use super::{Around, Collector};
use crate::types::Declared;

impl Collector<'_> {
    pub(super) fn module(&mut self, m: ItemMod) {
        let start = start_of(&m.attrs, Some(&m.vis), m.mod_token.span);
        let end = match (&m.content, &m.semi) {
            (Some((brace, _)), _) => brace.span.close(),
            (None, Some(semi)) => semi.span(),
            (None, None) => m.ident.span(),
        };
        let at = self.text.between(start, end);
        let id = self.plain(&m.attrs, Some(&m.vis), "mod", &m.ident, at);
        match m.content {
            Some((brace, items)) => {
                self.facts.items[id as usize].body =
                    Some(self.text.between(brace.span.open(), brace.span.close()));
                self.inside(id, |_| (), |this| this.items(items));
            }
            None => self.env.opaque_items = true,
        }
    }

    pub(super) fn implementation(&mut self, i: ItemImpl) {
        let start = start_of(&i.attrs, None, i.impl_token.span);
        let at = self.text.between(start, i.brace_token.span.close());
        let id = self.add(&i.attrs, None, "impl");
        self.generics(id, &i.generics);
        let text = self.text;
        let item = &mut self.facts.items[id as usize];
        item.at = at;
        item.name_at = text.at(i.self_ty.span());
        item.self_type = text.slice(text.at(i.self_ty.span()));
        item.of_trait = i
            .trait_
            .as_ref()
            .map(|(_, path, _)| text.slice(text.at(path.span())))
            .unwrap_or_default();
        item.body = Some(text.between(i.brace_token.span.open(), i.brace_token.span.close()));
        let generics = item.generics.clone();
        let is_trait = i.trait_.is_some();
        let change = |around: &mut Around| {
            around.self_type = Some(i.self_ty);
            around.generics.extend(generics);
            around.trait_member = is_trait;
        };
        self.inside(id, change, |this| this.impl_items(i.items));
    }

    pub(super) fn impl_items(&mut self, items: Vec<ImplItem>) {
        for member in items {
            match member {
                ImplItem::Fn(f) => {
                    let block = Some(Box::new(f.block));
                    self.function(f.attrs, Some(&f.vis), f.sig, block, f.semi_token);
                }
                ImplItem::Const(c) => {
                    let at = self.text.at(c.span());
                    let id = self.plain(&c.attrs, Some(&c.vis), "const", &c.ident, at);
                    self.constant(id, &c.mode, &c.ty, c.ensures, c.block, c.expr);
                }
                ImplItem::Type(t) => {
                    let at = self.text.at(t.span());
                    self.plain(&t.attrs, Some(&t.vis), "type", &t.ident, at);
                }
                ImplItem::Macro(m) => {
                    self.item_macro(m.attrs, None, m.mac, m.semi_token, true);
                }
                ImplItem::BroadcastGroup(b) => {
                    let at = self.text.at(b.span());
                    self.plain(&b.attrs, Some(&b.vis), "broadcast_group", &b.ident, at);
                }
                _ => self.env.opaque_items = true,
            }
        }
    }

    pub(super) fn trait_(&mut self, t: ItemTrait) {
        let start = start_of(&t.attrs, Some(&t.vis), t.trait_token.span);
        let at = self.text.between(start, t.brace_token.span.close());
        let id = self.plain(&t.attrs, Some(&t.vis), "trait", &t.ident, at);
        self.generics(id, &t.generics);
        self.declare_type(&t.ident.to_string(), Declared::Opaque);
        let item = &mut self.facts.items[id as usize];
        item.body = Some(
            self.text
                .between(t.brace_token.span.open(), t.brace_token.span.close()),
        );
        let generics = item.generics.clone();
        let change = |around: &mut Around| {
            around.generics.extend(generics);
            around.generics.push("Self".into());
            around.trait_member = true;
        };
        self.inside(id, change, |this| {
            for member in t.items {
                match member {
                    TraitItem::Fn(f) => {
                        let block = f.default.map(Box::new);
                        this.function(f.attrs, None, f.sig, block, f.semi_token);
                    }
                    TraitItem::Const(c) => {
                        let at = this.text.at(c.span());
                        this.plain(&c.attrs, None, "const", &c.ident, at);
                    }
                    TraitItem::Type(t) => {
                        let at = this.text.at(t.span());
                        this.plain(&t.attrs, None, "type", &t.ident, at);
                    }
                    TraitItem::Macro(m) => {
                        this.item_macro(m.attrs, None, m.mac, m.semi_token, true);
                    }
                    _ => this.env.opaque_items = true,
                }
            }
        });
    }
}
