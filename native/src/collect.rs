//! Items: what the file declares. Bodies are put aside and walked when everything is known.

use proc_macro2::{Delimiter, Span};
use verus_syn::spanned::Spanned;
use verus_syn::*;

use crate::facts::{self, At, Facts, Param, Place, Ret};
use crate::parse;
use crate::text::Text;
use crate::types::{Declared, Ty};
use crate::walk::{Body, Env, Function, Walker};

pub struct Collector<'t> {
    text: &'t Text,
    facts: Facts,
    env: Env,
    bodies: Vec<Body>,
    around: Around,
}

/// What an item inherits from the items around it.
#[derive(Clone)]
struct Around {
    parent: i32,
    verus: bool,
    cfg: bool,
    external: &'static str,
    self_type: Option<Box<Type>>,
    generics: Vec<String>,
    trait_member: bool,
}

impl<'t> Collector<'t> {
    pub fn new(text: &'t Text) -> Self {
        Collector {
            text,
            facts: Facts {
                status: "ok",
                ..Facts::default()
            },
            env: Env::default(),
            bodies: Vec::new(),
            around: Around {
                parent: -1,
                verus: false,
                cfg: false,
                external: "",
                self_type: None,
                generics: Vec::new(),
                trait_member: false,
            },
        }
    }

    pub fn run(mut self, file: File) -> Facts {
        self.attribute_uses(&file.attrs, "file");
        self.items(file.items);
        if !self.facts.errors.is_empty() {
            self.facts.status = "errors";
        }
        let mut walker = Walker::new(self.text, self.facts, &self.env);
        for body in &self.bodies {
            walker.body(body);
        }
        walker.facts
    }

    fn items(&mut self, items: Vec<Item>) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: Item) {
        let at = match &item {
            // Printing a body to find its end is slow; these know their ends.
            Item::Fn(_) | Item::Mod(_) | Item::Impl(_) | Item::Trait(_) | Item::Macro(_) => [0, 0],
            other => self.text.at(other.span()),
        };
        match item {
            Item::Fn(f) => self.function(f.attrs, Some(&f.vis), f.sig, Some(f.block), f.semi_token),
            Item::Mod(m) => self.module(m),
            Item::Impl(i) => self.implementation(i),
            Item::Trait(t) => self.trait_(t),
            Item::Macro(m) => self.item_macro(m.attrs, m.ident, m.mac, m.semi_token, false),
            Item::Struct(s) => {
                let fields = self.fields(&s.fields);
                let id = self.plain(&s.attrs, Some(&s.vis), "struct", &s.ident, at);
                self.generics(id, &s.generics);
                self.facts.items[id as usize].fields = fields;
                self.data(&s.ident, &s.generics, &s.fields);
            }
            Item::Enum(e) => {
                let id = self.plain(&e.attrs, Some(&e.vis), "enum", &e.ident, at);
                self.generics(id, &e.generics);
                let variants = e.variants.iter().map(|v| v.ident.to_string()).collect();
                self.facts.items[id as usize].variants = variants;
                for v in &e.variants {
                    self.attribute_uses(&v.attrs, "variant");
                    if self.fields(&v.fields).iter().any(|f| f.mode != "exec") {
                        self.env.ghost_fields = true;
                    }
                }
                self.declare_type(&e.ident.to_string(), data_of(&e.generics));
            }
            Item::Union(u) => {
                self.plain(&u.attrs, Some(&u.vis), "union", &u.ident, at);
                self.declare_type(&u.ident.to_string(), Declared::Opaque);
            }
            Item::Const(c) => {
                let id = self.plain(&c.attrs, Some(&c.vis), "const", &c.ident, at);
                self.constant(id, &c.mode, &c.ty, c.ensures, c.block, c.expr);
                self.env
                    .constants
                    .entry(c.ident.to_string())
                    .or_default()
                    .push(*c.ty);
            }
            Item::Static(c) => {
                let id = self.plain(&c.attrs, Some(&c.vis), "static", &c.ident, at);
                self.constant(id, &c.mode, &c.ty, c.ensures, c.block, c.expr);
                self.env
                    .constants
                    .entry(c.ident.to_string())
                    .or_default()
                    .push(*c.ty);
            }
            Item::Type(t) => {
                let id = self.plain(&t.attrs, Some(&t.vis), "type", &t.ident, at);
                self.facts.items[id as usize].ty = self.text.slice(self.text.at(t.ty.span()));
                self.declare_type(&t.ident.to_string(), Declared::Opaque);
            }
            Item::TraitAlias(t) => {
                self.plain(&t.attrs, Some(&t.vis), "trait_alias", &t.ident, at);
                self.declare_type(&t.ident.to_string(), Declared::Opaque);
            }
            Item::Use(u) => self.use_(u, at),
            Item::ExternCrate(e) => {
                let name = e.rename.as_ref().map_or(&e.ident, |(_, name)| name).clone();
                self.plain(&e.attrs, Some(&e.vis), "extern_crate", &name, at);
            }
            Item::ForeignMod(f) => {
                self.nameless(&f.attrs, "extern", at);
            }
            Item::Global(g) => {
                self.nameless(&g.attrs, "global", at);
            }
            Item::BroadcastUse(b) => {
                self.nameless(&b.attrs, "broadcast_use", at);
            }
            Item::BroadcastGroup(b) => {
                self.plain(&b.attrs, Some(&b.vis), "broadcast_group", &b.ident, at);
            }
            Item::AssumeSpecification(a) => {
                let id = self.nameless(&a.attrs, "assume_specification", at);
                let text = self.text;
                let item = &mut self.facts.items[id as usize];
                item.vis = vis_text(text, Some(&a.vis));
                item.name = text.slice(text.at(a.path.span()));
                item.requires = a
                    .requires
                    .iter()
                    .flat_map(|c| clauses(text, &c.exprs))
                    .collect();
                item.ensures = a
                    .ensures
                    .iter()
                    .flat_map(|c| clauses(text, &c.exprs))
                    .collect();
            }
            _ => {
                self.nameless(&[], "verbatim", at);
                self.env.opaque_items = true;
            }
        }
    }

    /// Add an item with what all items have.
    fn add(&mut self, attrs: &[Attribute], vis: Option<&Visibility>, kind: &'static str) -> i32 {
        let id = self.facts.items.len() as i32;
        let on = if kind == "fn" { "fn" } else { "item" };
        self.attribute_uses(attrs, on);
        let attrs: Vec<facts::Attr> = attrs.iter().map(|a| attr(self.text, a)).collect();
        let external = external_of(&attrs, self.around.verus);
        self.facts.items.push(facts::Item {
            id,
            parent: self.around.parent,
            kind,
            vis: vis_text(self.text, vis),
            verus: self.around.verus,
            cfg: self.around.cfg || behind_cfg(&attrs),
            external: if self.around.external.is_empty() {
                external
            } else {
                self.around.external
            },
            attrs,
            ..facts::Item::default()
        });
        id
    }

    fn plain(
        &mut self,
        attrs: &[Attribute],
        vis: Option<&Visibility>,
        kind: &'static str,
        name: &Ident,
        at: At,
    ) -> i32 {
        let id = self.add(attrs, vis, kind);
        let item = &mut self.facts.items[id as usize];
        item.name = name.to_string();
        item.name_at = self.text.at(name.span());
        item.at = at;
        id
    }

    fn nameless(&mut self, attrs: &[Attribute], kind: &'static str, at: At) -> i32 {
        let id = self.add(attrs, None, kind);
        let item = &mut self.facts.items[id as usize];
        item.at = at;
        item.name_at = at;
        id
    }

    /// Visit what stands inside an item.
    fn inside(&mut self, id: i32, change: impl FnOnce(&mut Around), then: impl FnOnce(&mut Self)) {
        let before = self.around.clone();
        let item = &self.facts.items[id as usize];
        self.around.parent = id;
        self.around.cfg = item.cfg;
        self.around.external = item.external;
        change(&mut self.around);
        then(self);
        self.around = before;
    }

    fn module(&mut self, m: ItemMod) {
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

    fn implementation(&mut self, i: ItemImpl) {
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

    fn impl_items(&mut self, items: Vec<ImplItem>) {
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

    fn trait_(&mut self, t: ItemTrait) {
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

    fn item_macro(
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
        let is_items = !member && !self.env.own_verus && parse::ITEM_MACROS.contains(&name.as_str());
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

    fn refuse(&mut self, error: &Error, name: &str, cfg: bool, close: Span) {
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

    fn use_(&mut self, u: ItemUse, at: At) {
        let id = self.nameless(&u.attrs, "use", at);
        self.facts.items[id as usize].vis = vis_text(self.text, Some(&u.vis));
        let cfg = self.facts.items[id as usize].cfg;
        let mut found = Vec::new();
        leaves(&u.tree, &mut Vec::new(), &mut found);
        for (path, name, glob) in found {
            let root = path.first().map(String::as_str).unwrap_or("");
            let known = ["vstd", "std", "core", "alloc", "builtin", "verus_builtin"].contains(&root);
            if !glob {
                self.declare_import(&name, &path);
                self.env.own_verus |= name == "verus" && !known && !root.ends_with("builtin_macros");
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
    fn declare_import(&mut self, name: &str, path: &[String]) {
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

    fn constant(
        &mut self,
        id: i32,
        mode: &FnMode,
        ty: &Type,
        ensures: Option<Ensures>,
        block: Option<Box<Block>>,
        expr: Option<Box<Expr>>,
    ) {
        let text = self.text;
        let item = &mut self.facts.items[id as usize];
        item.mode = mode_name(mode);
        item.ty = text.slice(text.at(ty.span()));
        item.ensures = ensures
            .iter()
            .flat_map(|c| clauses(text, &c.exprs))
            .collect();
        item.body = match (&expr, &block) {
            (Some(expr), _) => Some(text.at(expr.span())),
            (None, Some(block)) => Some(text.at(block.brace_token.span.join())),
            _ => None,
        };
    }

    fn function(
        &mut self,
        attrs: Vec<Attribute>,
        vis: Option<&Visibility>,
        sig: Signature,
        block: Option<Box<Block>>,
        semi: Option<Token![;]>,
    ) {
        let text = self.text;
        let id = self.add(&attrs, vis, "fn");
        let start = start_of_fn(&attrs, vis, &sig);
        let has_body = block.is_some() && semi.is_none();
        let end = match (&block, semi) {
            (_, Some(semi)) => semi.span,
            (Some(block), None) => block.brace_token.span.close(),
            (None, None) => sig.fn_token.span,
        };
        let params: Vec<Param> = sig.inputs.iter().map(|arg| self.param(arg)).collect();
        let ret = match &sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, _, name, ty) => {
                let mut names = Vec::new();
                if let Some(name) = name {
                    names_in(text, &name.1, &mut names);
                }
                let at = text.at(ty.span());
                Some(Ret {
                    names,
                    ty: text.slice(at),
                    at,
                })
            }
        };
        let signature_end = match &sig.output {
            ReturnType::Default => sig.paren_token.span.close(),
            ReturnType::Type(_, _, _, ty) => ty.span(),
        };
        self.generics(id, &sig.generics);
        let spec = &sig.spec;
        let item = &mut self.facts.items[id as usize];
        item.name = sig.ident.to_string();
        item.name_at = text.at(sig.ident.span());
        item.at = text.between(start, end);
        item.mode = mode_name(&sig.mode);
        item.publish = publish_name(&sig.publish);
        item.signature = Some(text.between(start_of_fn(&[], vis, &sig), signature_end));
        item.params = params;
        item.ret = ret;
        item.requires = spec
            .requires
            .iter()
            .flat_map(|c| clauses(text, &c.exprs))
            .collect();
        item.ensures = spec
            .ensures
            .iter()
            .flat_map(|c| clauses(text, &c.exprs))
            .collect();
        item.recommends = spec
            .recommends
            .iter()
            .flat_map(|c| clauses(text, &c.exprs))
            .collect();
        item.returns = spec
            .returns
            .iter()
            .flat_map(|c| clauses(text, &c.exprs))
            .collect();
        item.decreases = spec
            .decreases
            .iter()
            .flat_map(|c| clauses(text, &c.decreases.exprs))
            .collect();
        item.when = spec
            .decreases
            .as_ref()
            .and_then(|d| d.when.as_ref())
            .map(|(_, e)| text.at(e.span()));
        item.is_broadcast = sig.broadcast.is_some();
        item.is_unsafe = sig.unsafety.is_some();
        if let (true, Some(block)) = (has_body, &block) {
            item.body = Some(text.between(
                block.brace_token.span.open(),
                block.brace_token.span.close(),
            ));
        }
        let mut generics = self.around.generics.clone();
        generics.extend(item.generics.clone());
        let self_name = match self.around.self_type.as_deref() {
            Some(Type::Path(p)) if p.qself.is_none() && p.path.segments.len() == 1 => {
                p.path.segments[0].ident.to_string()
            }
            _ => String::new(),
        };
        if self.around.trait_member {
            self.env.trait_methods.insert(item.name.clone());
        }
        let function = Function {
            receiver: sig.inputs.iter().any(|a| matches!(a.kind, FnArgKind::Receiver(_))),
            inputs: sig
                .inputs
                .iter()
                .filter_map(|a| match &a.kind {
                    FnArgKind::Typed(t) => Some((*t.ty).clone()),
                    FnArgKind::Receiver(_) => None,
                })
                .collect(),
            output: sig.output.clone(),
            generics: generics.clone(),
            in_impl: self.around.self_type.is_some() || self.around.trait_member,
            in_trait: self.around.trait_member,
            self_name,
        };
        self.env.functions.entry(item.name.clone()).or_default().push(function);
        if self.around.verus {
            self.bodies.push(Body {
                item: id,
                sig,
                block: if has_body { block } else { None },
                self_type: self.around.self_type.clone(),
                generics,
            });
        }
    }

    fn param(&self, arg: &FnArg) -> Param {
        let text = self.text;
        let tracked = arg.tracked.is_some();
        match &arg.kind {
            FnArgKind::Receiver(r) => {
                let by_mut = r.reference.is_some() && r.mutability.is_some();
                let at = text.at(r.span());
                Param {
                    name: "self".into(),
                    names: vec![("self".into(), text.at(r.self_token.span))],
                    ty: match (&r.colon_token, &r.reference, by_mut) {
                        (Some(_), _, _) => text.slice(text.at(r.ty.span())),
                        (None, Some(_), true) => "&mut Self".into(),
                        (None, Some(_), false) => "&Self".into(),
                        (None, None, _) => "Self".into(),
                    },
                    at,
                    mut_ref: by_mut,
                    receiver: true,
                    ghost: tracked,
                }
            }
            FnArgKind::Typed(t) => {
                let mut names = Vec::new();
                names_in(text, &t.pat, &mut names);
                let name = match &*t.pat {
                    Pat::Ident(p) => p.ident.to_string(),
                    _ => String::new(),
                };
                Param {
                    name,
                    names,
                    ty: text.slice(text.at(t.ty.span())),
                    at: text.between(t.pat.span(), t.ty.span()),
                    mut_ref: matches!(&*t.ty, Type::Reference(r) if r.mutability.is_some()),
                    receiver: false,
                    ghost: tracked || matches!(&*t.pat, Pat::TupleStruct(_)),
                }
            }
        }
    }

    fn fields(&mut self, fields: &Fields) -> Vec<facts::Field> {
        let mut found = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            self.attribute_uses(&field.attrs, "field");
            let mode = match &field.mode {
                DataMode::Ghost(_) => "ghost",
                DataMode::Tracked(_) => "tracked",
                _ => "exec",
            };
            if mode != "exec" {
                self.env.ghost_fields = true;
            }
            let at = self.text.at(field.ty.span());
            let name = field
                .ident
                .as_ref()
                .map_or(i.to_string(), |n| n.to_string());
            found.push(facts::Field {
                name,
                ty: self.text.slice(at),
                mode,
            });
        }
        found
    }

    fn data(&mut self, name: &Ident, generics: &Generics, fields: &Fields) {
        let name = name.to_string();
        let list = fields
            .iter()
            .enumerate()
            .map(|(i, f)| {
                (
                    f.ident.as_ref().map_or(i.to_string(), |n| n.to_string()),
                    f.ty.clone(),
                )
            })
            .collect();
        self.env.fields.insert(name.clone(), list);
        self.declare_type(&name, data_of(generics));
    }

    fn declare_type(&mut self, name: &str, what: Declared) {
        let declared = &mut self.env.types.declared;
        let what = if declared.contains_key(name) {
            Declared::Opaque
        } else {
            what
        };
        declared.insert(name.to_string(), what);
    }

    fn generics(&mut self, id: i32, generics: &Generics) {
        self.facts.items[id as usize].generics = generics
            .params
            .iter()
            .filter_map(|p| match p {
                GenericParam::Type(t) => Some(t.ident.to_string()),
                GenericParam::Const(c) => Some(c.ident.to_string()),
                GenericParam::Lifetime(_) => None,
            })
            .collect();
    }

    fn place(&self) -> Place {
        Place {
            function: -1,
            mode: facts::Mode::Unknown,
            dead: false,
            closure: false,
            unsure: false,
        }
    }

    fn attribute_uses(&mut self, attrs: &[Attribute], on: &'static str) {
        let place = self.place();
        let cfg = self.around.cfg || behind_cfg_attrs(self.text, attrs);
        for a in attrs {
            let attr = attr(self.text, a);
            self.facts.attributes.push(facts::AttrUse {
                at: attr.at,
                place,
                path: attr.path,
                args: attr.args,
                inner: attr.inner,
                on,
                target: None,
                cfg,
            });
        }
    }
}

fn data_of(generics: &Generics) -> Declared {
    Declared::Data(
        generics
            .params
            .iter()
            .filter_map(|p| match p {
                GenericParam::Type(t) => Some(t.ident.to_string()),
                _ => None,
            })
            .collect(),
    )
}

pub fn attr(text: &Text, a: &Attribute) -> facts::Attr {
    let args = match &a.meta {
        Meta::Path(_) => String::new(),
        Meta::List(list) => {
            let (open, close) = match &list.delimiter {
                MacroDelimiter::Paren(p) => (p.span.open(), p.span.close()),
                MacroDelimiter::Brace(p) => (p.span.open(), p.span.close()),
                MacroDelimiter::Bracket(p) => (p.span.open(), p.span.close()),
            };
            text.slice([text.at(open)[1], text.at(close)[0]])
        }
        Meta::NameValue(pair) => text.slice(text.at(pair.value.span())),
    };
    facts::Attr {
        path: a
            .path()
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect::<Vec<_>>()
            .join("::"),
        args,
        at: text.between(a.pound_token.spans[0], a.bracket_token.span.close()),
        inner: matches!(a.style, AttrStyle::Inner(_)),
    }
}

fn behind_cfg(attrs: &[facts::Attr]) -> bool {
    attrs
        .iter()
        .any(|a| a.path == "cfg" || a.path == "cfg_attr")
}

fn behind_cfg_attrs(text: &Text, attrs: &[Attribute]) -> bool {
    attrs.iter().any(|a| behind_cfg(&[attr(text, a)]))
}

fn external_of(attrs: &[facts::Attr], verus: bool) -> &'static str {
    for a in attrs {
        let argument = a.args.replace(' ', "");
        let name = match a.path.as_str() {
            "verifier" => argument.as_str(),
            "verus_verify" | "verus_spec" | "verus::internal" => "attribute",
            other => other.strip_prefix("verifier::").unwrap_or(""),
        };
        match name {
            "external_body" => return "external_body",
            "external" => return "external",
            "attribute" if !verus => return "other",
            other if other.starts_with("external_") => return "other",
            _ => {}
        }
    }
    ""
}

fn clauses(text: &Text, spec: &Specification) -> Vec<At> {
    spec.exprs
        .iter()
        .map(|e| crate::spans::expr_at(text, e))
        .collect()
}

fn vis_text(text: &Text, vis: Option<&Visibility>) -> String {
    match vis {
        Some(v @ (Visibility::Public(_) | Visibility::Restricted(_))) => {
            text.slice(text.at(v.span()))
        }
        _ => String::new(),
    }
}

fn start_of(attrs: &[Attribute], vis: Option<&Visibility>, otherwise: Span) -> Span {
    if let Some(a) = attrs.iter().find(|a| matches!(a.style, AttrStyle::Outer)) {
        return a.pound_token.spans[0];
    }
    match vis {
        Some(Visibility::Public(p)) => p.span,
        Some(Visibility::Restricted(r)) => r.pub_token.span,
        _ => otherwise,
    }
}

fn start_of_fn(attrs: &[Attribute], vis: Option<&Visibility>, sig: &Signature) -> Span {
    let publish = match &sig.publish {
        Publish::Default => None,
        other => Some(other.span()),
    };
    let mode = match &sig.mode {
        FnMode::Spec(m) => Some(m.spec_token.span),
        FnMode::SpecChecked(m) => Some(m.spec_token.span),
        FnMode::Proof(m) => Some(m.proof_token.span),
        FnMode::ProofAxiom(m) => Some(m.axiom_token.span),
        FnMode::Exec(m) => Some(m.exec_token.span),
        FnMode::Default => None,
    };
    let first = publish
        .or(sig.constness.map(|t| t.span))
        .or(sig.asyncness.map(|t| t.span))
        .or(sig.unsafety.map(|t| t.span))
        .or(sig.abi.as_ref().map(|a| a.extern_token.span))
        .or(sig.broadcast.map(|t| t.span))
        .or(mode)
        .unwrap_or(sig.fn_token.span);
    start_of(attrs, vis, first)
}

fn mode_name(mode: &FnMode) -> &'static str {
    match mode {
        FnMode::Spec(_) | FnMode::SpecChecked(_) => "spec",
        FnMode::Proof(_) => "proof",
        FnMode::ProofAxiom(_) => "axiom",
        FnMode::Exec(_) => "exec",
        FnMode::Default => "default",
    }
}

fn publish_name(publish: &Publish) -> String {
    match publish {
        Publish::Default => "",
        Publish::Closed(_) => "closed",
        Publish::Open(_) | Publish::OpenRestricted(_) => "open",
        Publish::Uninterp(_) => "uninterp",
    }
    .to_string()
}

pub fn delimiters(mac: &Macro) -> (Span, Span) {
    let span = match &mac.delimiter {
        MacroDelimiter::Paren(p) => p.span,
        MacroDelimiter::Brace(p) => p.span,
        MacroDelimiter::Bracket(p) => p.span,
    };
    debug_assert!(Delimiter::None != Delimiter::Brace);
    (span.open(), span.close())
}

/// The names that a pattern binds. A lone upper-case name is a constant or variant.
pub fn names_in(text: &Text, pat: &Pat, found: &mut Vec<(String, At)>) {
    match pat {
        Pat::Ident(p) => {
            found.push((p.ident.to_string(), text.at(p.ident.span())));
            if let Some((_, sub)) = &p.subpat {
                names_in(text, sub, found);
            }
        }
        Pat::Type(p) => names_in(text, &p.pat, found),
        Pat::Paren(p) => names_in(text, &p.pat, found),
        Pat::Reference(p) => names_in(text, &p.pat, found),
        Pat::Tuple(p) => p.elems.iter().for_each(|e| names_in(text, e, found)),
        Pat::TupleStruct(p) => p.elems.iter().for_each(|e| names_in(text, e, found)),
        Pat::Slice(p) => p.elems.iter().for_each(|e| names_in(text, e, found)),
        Pat::Or(p) => p.cases.iter().for_each(|e| names_in(text, e, found)),
        Pat::Struct(p) => p.fields.iter().for_each(|f| names_in(text, &f.pat, found)),
        // No name stands for "something that is not known".
        Pat::Verbatim(_) | Pat::Macro(_) => found.push((String::new(), [0, 0])),
        _ => {}
    }
}

type Leaf = (Vec<String>, String, bool);

fn leaves(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<Leaf>) {
    match tree {
        UseTree::Path(p) => {
            prefix.push(p.ident.to_string());
            leaves(&p.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(n) => {
            let mut path = prefix.clone();
            let name = n.ident.to_string();
            if name == "self" {
                let last = path.last().cloned().unwrap_or_default();
                found.push((path, last, false));
            } else {
                path.push(name.clone());
                found.push((path, name, false));
            }
        }
        UseTree::Rename(r) => {
            let mut path = prefix.clone();
            path.push(r.ident.to_string());
            found.push((path, r.rename.to_string(), false));
        }
        UseTree::Glob(_) => found.push((prefix.clone(), String::new(), true)),
        UseTree::Group(g) => g.items.iter().for_each(|t| leaves(t, prefix, found)),
    }
}

pub fn self_ty(env: &Env, ty: &Option<Box<Type>>, generics: &[String]) -> Ty {
    ty.as_ref()
        .map_or(Ty::Unknown, |t| env.types.ty(t, generics, &Ty::Unknown))
}
