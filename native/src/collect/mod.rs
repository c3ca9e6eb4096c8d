//! Items: what the file declares. Bodies are put aside and walked when everything is known.

mod containers;
mod function;
mod macros;
mod names;

use verus_syn::spanned::Spanned;
use verus_syn::*;

use crate::facts::{self, At, Facts, Place};
use crate::text::Text;
use crate::types::{Declared, KNOWN};
use crate::walk::{Body, Env, Walker};

use names::*;
pub use names::{attr, behind_cfg_attrs, delimiters, mode_attribute, names_in, self_ty};

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

    fn fields(&mut self, fields: &Fields) -> Vec<facts::Field> {
        let mut found = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            self.attribute_uses(&field.attrs, "field");
            let mode = match &field.mode {
                DataMode::Ghost(_) => "ghost",
                DataMode::Tracked(_) => "tracked",
                _ => "exec",
            };
            if mode != "exec" || mode_attribute(self.text, &field.attrs) {
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
        // A namesake of a type of the prelude: elsewhere in the file the name may mean that one.
        let what = if declared.contains_key(name) || KNOWN.contains(&name) {
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
