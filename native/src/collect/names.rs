//! Small readings of syntax: attributes, modifiers, the names in patterns and imports.

use proc_macro2::Span;
use verus_syn::spanned::Spanned;
use verus_syn::*;

use crate::facts::{self, At};
use crate::text::Text;
use crate::types::{Declared, Ty};
use crate::walk::Env;

pub fn data_of(generics: &Generics) -> Declared {
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

pub fn behind_cfg(attrs: &[facts::Attr]) -> bool {
    attrs
        .iter()
        .any(|a| a.path == "cfg" || a.path == "cfg_attr")
}

pub fn behind_cfg_attrs(text: &Text, attrs: &[Attribute]) -> bool {
    attrs.iter().any(|a| behind_cfg(&[attr(text, a)]))
}

/// Whether a function keeps the signature that is written, wherever it is used: an attribute macro
/// may change it, and a spec twin (`when_used_as_spec`) has its own.
pub fn plain_attribute(text: &Text, a: &Attribute) -> bool {
    let attr = attr(text, a);
    let root = attr.path.split("::").next().unwrap_or("");
    let harmless = [
        "verifier",
        "verus",
        "rustfmt",
        "verusfmt",
        "clippy",
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "doc",
        "inline",
        "must_use",
        "cold",
        "deprecated",
        "cfg",
        "cfg_attr",
        "track_caller",
        "via_fn",
    ];
    harmless.contains(&root)
        && !attr.path.contains("when_used_as_spec")
        && !attr.args.contains("when_used_as_spec")
}

/// An older way to write a mode: `#[verifier::spec]` on a let, a parameter or a field.
pub fn mode_attribute(text: &Text, attrs: &[Attribute]) -> bool {
    let modes = ["spec", "proof", "ghost", "tracked"];
    attrs.iter().any(|a| {
        let attr = attr(text, a);
        let name = match attr.path.as_str() {
            "verifier" => attr.args.trim().to_string(),
            path => path.strip_prefix("verifier::").unwrap_or("").to_string(),
        };
        modes.contains(&name.as_str())
    })
}

pub fn external_of(attrs: &[facts::Attr], verus: bool) -> &'static str {
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

pub fn clauses(text: &Text, spec: &Specification) -> Vec<At> {
    spec.exprs
        .iter()
        .map(|e| crate::spans::expr_at(text, e))
        .collect()
}

pub fn vis_text(text: &Text, vis: Option<&Visibility>) -> String {
    match vis {
        Some(v @ (Visibility::Public(_) | Visibility::Restricted(_))) => {
            text.slice(text.at(v.span()))
        }
        _ => String::new(),
    }
}

pub fn start_of(attrs: &[Attribute], vis: Option<&Visibility>, otherwise: Span) -> Span {
    if let Some(a) = attrs.iter().find(|a| matches!(a.style, AttrStyle::Outer)) {
        return a.pound_token.spans[0];
    }
    match vis {
        Some(Visibility::Public(p)) => p.span,
        Some(Visibility::Restricted(r)) => r.pub_token.span,
        _ => otherwise,
    }
}

pub fn start_of_fn(attrs: &[Attribute], vis: Option<&Visibility>, sig: &Signature) -> Span {
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

pub fn mode_name(mode: &FnMode) -> &'static str {
    match mode {
        FnMode::Spec(_) | FnMode::SpecChecked(_) => "spec",
        FnMode::Proof(_) => "proof",
        FnMode::ProofAxiom(_) => "axiom",
        FnMode::Exec(_) => "exec",
        FnMode::Default => "default",
    }
}

pub fn publish_name(publish: &Publish) -> String {
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

pub type Leaf = (Vec<String>, String, bool);

pub fn leaves(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<Leaf>) {
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
