//! Code in fences: `echo "hello"` is no order to a model, and neither is `rm -rf` in an example of what to type.

use crate::instruction::Instruction;

const FENCE: &str = "```";
/// What ordinary code has.
const IN_CODE: [&str; 3] = ["force", "execute", "request"];

/// Whether what was found stands in a fence and is nothing that code does not have.
pub(crate) fn is_only_code(text: &str, found: &Instruction) -> bool {
    found.signals.iter().all(|signal| IN_CODE.contains(signal)) && is_fenced(text, found.span.start)
}

fn is_fenced(text: &str, place: usize) -> bool {
    // The line of the place counts: a sentence may begin with the fence.
    let end = text[place..].find('\n').map_or(text.len(), |end| place + end);
    let fences = |part: &str| part.lines().filter(|line| line.trim_start().starts_with(FENCE)).count();
    fences(&text[..end]) % 2 == 1
}
