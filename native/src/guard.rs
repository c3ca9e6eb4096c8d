//! Nothing that happens inside an analysis may hurt the Python process.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::sync::Once;
use std::thread;
use std::time::Duration;

use crate::limits::STACK;

const THREAD: &str = "verulaw-native";

/// Run `work` on a thread with a large stack. A panic, a failed start and the end of `limit`
/// become an error; after the limit the thread is left to finish alone.
pub fn guarded<T, F>(limit: Duration, work: F) -> Result<T, String>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    quiet_panics();
    let (sender, receiver) = mpsc::channel();
    let started = thread::Builder::new()
        .name(THREAD.into())
        .stack_size(STACK)
        .spawn(move || {
            let result = panic::catch_unwind(AssertUnwindSafe(work));
            // The receiver may have given up; then nobody wants the result.
            let _ = sender.send(result);
        });
    if let Err(error) = started {
        return Err(format!("no thread for the analysis: {error}"));
    }
    match receiver.recv_timeout(limit) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(_)) => Err("the parser panicked".into()),
        Err(mpsc::RecvTimeoutError::Timeout) => {
            Err(format!("no result within {} ms", limit.as_millis()))
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("the analysis broke off".into()),
    }
}

/// A caught panic is a result, not news for stderr. Panics of other threads stay loud.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(THREAD) {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let result: Result<(), String> = guarded(Duration::from_secs(5), || panic!("no"));
        assert_eq!(result, Err("the parser panicked".into()));
    }

    #[test]
    fn time_ends() {
        let result = guarded(Duration::from_millis(20), || {
            thread::sleep(Duration::from_millis(400))
        });
        assert!(result.unwrap_err().contains("within 20 ms"));
    }
}
