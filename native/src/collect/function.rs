//! Functions and constants: signatures as facts, bodies put aside.

use verus_syn::spanned::Spanned;
use verus_syn::*;

use super::names::*;
use super::Collector;
use crate::facts::{Param, Ret};
use crate::walk::{Body, Function};

impl Collector<'_> {
    pub(super) fn constant(
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

    pub(super) fn function(
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
        let module = self.module_around();
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
        self.env.ghost_params |= sig.inputs.iter().any(|arg| match &arg.kind {
            FnArgKind::Typed(t) => mode_attribute(text, &t.attrs),
            FnArgKind::Receiver(r) => mode_attribute(text, &r.attrs),
        });
        if matches!(&sig.output, ReturnType::Type(_, _, _, ty) if matches!(&**ty, Type::Never(_))) {
            self.env.endless.insert(item.name.clone());
        }
        if self.around.trait_member {
            self.env.trait_methods.insert(item.name.clone());
        }
        let function = Function {
            receiver: sig
                .inputs
                .iter()
                .any(|a| matches!(a.kind, FnArgKind::Receiver(_))),
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
            module,
            // An async fn gives a future of its declared result.
            plain: sig.asyncness.is_none()
                && sig.spec.with.is_none()
                && attrs.iter().all(|a| plain_attribute(text, a)),
            self_name,
        };
        self.env
            .functions
            .entry(item.name.clone())
            .or_default()
            .push(function);
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

    /// The module around, -1 for the file.
    fn module_around(&self) -> i32 {
        let mut at = self.around.parent;
        while at >= 0 && self.facts.items[at as usize].kind != "mod" {
            at = self.facts.items[at as usize].parent;
        }
        at
    }

    pub(super) fn param(&self, arg: &FnArg) -> Param {
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
}
