//! Work that may panic, because the code of others is given what people find on the internet: a panic becomes an error, and prints nothing.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// How the threads of `rten` are called. It has those in this program only while it runs models from folders.
const RTEN_THREADS: &str = "rten-";
const MAX_SHOWN: usize = 200;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What the work gives, or the message of its panic.
///
/// What it has in its hands may be half done after a panic: it must be dropped, or be used through this again.
pub(crate) fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install();
    let was_quiet = IS_QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(was_quiet);
    done.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        let line = text.unwrap_or_default().lines().next().unwrap_or_default();
        line.chars().take(MAX_SHOWN).collect()
    })
}

/// Printing is done by one function for the whole process. Ours prints nothing for such work, and leaves the rest to the one before it.
fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            let is_of_rten = std::thread::current().name().is_some_and(|name| name.starts_with(RTEN_THREADS));
            if !is_of_rten && !IS_QUIET.get() {
                before(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i22_a_panic_is_an_error_with_its_message() {
        assert_eq!(quietly(|| 7), Ok(7));
        assert_eq!(
            quietly(|| panic!("the {} fell over\nand more", "cart")),
            Err::<(), _>("the cart fell over".to_owned())
        );
        let long = quietly(|| panic!("{}", "x".repeat(5000))).err().unwrap_or_default();
        assert_eq!(long.len(), MAX_SHOWN);
        assert!(!IS_QUIET.get());
    }
}
