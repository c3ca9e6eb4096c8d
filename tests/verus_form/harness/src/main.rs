//! Drives the compiled Verus form: one request a line on stdin, one answer a line on stdout.
//!
//!     run NAME 0 1 2        -> LENGTH STATE ACCEPTING LEGAL...   (marker numbers)
//!     split MODE MARKERS TEXT  -> NUMBER:POSITION...             (hex; MODE any or line)
//!     batches READS/WRITES...  -> 0,2 1                          (resource numbers, comma lists)

use std::io::{self, BufRead, Write};

#[path = "../../../../verus_form/automaton.rs"]
mod automaton;
mod controllers;
#[path = "../../../../verus_form/monitor.rs"]
mod monitor;
#[path = "../../../../verus_form/pass_scheduler.rs"]
mod pass_scheduler;
#[path = "../../../../verus_form/proof_controller.rs"]
mod proof_controller;
#[path = "../../../../verus_form/splitter.rs"]
mod splitter;
#[path = "../../../../verus_form/splitter_line_start.rs"]
mod splitter_line_start;

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).expect("hex"))
        .collect()
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T>
where
    T::Err: std::fmt::Debug,
{
    text.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().expect("number")).collect()
}

fn split(mode: &str, markers: &str, text: &str) -> String {
    let markers: Vec<Vec<u8>> = markers.split(',').map(unhex).collect();
    let text = unhex(text);
    let pairs = match mode {
        "any" => splitter::split(&text, &markers),
        "line" => splitter_line_start::split_at_lines(&text, &markers),
        other => panic!("no mode {other}"),
    };
    let shown: Vec<String> = pairs.iter().map(|(m, i)| format!("{m}:{i}")).collect();
    shown.join(" ")
}

fn batches(actions: &[&str]) -> String {
    let actions: Vec<pass_scheduler::Action> = actions
        .iter()
        .map(|action| {
            let (reads, writes) = action.split_once('/').expect("READS/WRITES");
            pass_scheduler::Action { reads: numbers(reads), writes: numbers(writes) }
        })
        .collect();
    let shown: Vec<String> = pass_scheduler::batches(&actions)
        .iter()
        .map(|batch| batch.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
        .collect();
    shown.join(" ")
}

fn answer(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["run", name, rest @ ..] => {
            let steps: Vec<usize> = rest.iter().map(|word| word.parse().expect("number")).collect();
            controllers::run(name, &steps)
        }
        ["split", mode, markers] => split(mode, markers, ""),
        ["split", mode, markers, text] => split(mode, markers, text),
        ["batches", actions @ ..] => batches(actions),
        _ => panic!("no request: {line}"),
    }
}

fn main() {
    let mut out = io::BufWriter::new(io::stdout());
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", answer(&line.expect("a line"))).expect("stdout");
    }
}
