//! Verus's own parser behind a plain-data interface.
//!
//! `analyse(source, limit_ms)` returns JSON: what the parser refuses, and facts about what it
//! accepts. It never raises for bad source and never takes the process down.

mod agree;
mod collect;
mod facts;
mod guard;
mod infer;
mod limits;
mod methods;
mod parse;
mod pipeline;
mod spans;
mod terms;
mod text;
mod types;
mod walk;

use std::time::Duration;

use pyo3::prelude::*;

/// The published verus_syn that is compiled in. Keep in step with Cargo.toml.
pub const VERUS_SYN: &str = "0.0.0-2026-05-31-0205";
/// The Verus release whose syntax and front end the facts speak of.
pub const VERUS: &str = "0.2026.06.08";

pub use pipeline::analyse as analyse_source;

#[pyfunction]
#[pyo3(signature = (source, limit_ms = 2000))]
fn analyse(py: Python<'_>, source: String, limit_ms: u64) -> String {
    py.detach(move || json(source, Duration::from_millis(limit_ms)))
}

fn json(source: String, limit: Duration) -> String {
    guard::guarded(limit, move || {
        serde_json::to_string(&analyse_source(&source)).unwrap_or_else(|e| failed(&e.to_string()))
    })
    .unwrap_or_else(|reason| failed(&reason))
}

fn failed(reason: &str) -> String {
    serde_json::json!({ "status": "unanalysed", "reason": reason }).to_string()
}

#[pyfunction]
fn versions() -> (&'static str, &'static str) {
    (VERUS_SYN, VERUS)
}

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(analyse, m)?)?;
    m.add_function(wrap_pyfunction!(versions, m)?)?;
    Ok(())
}
