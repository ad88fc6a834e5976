//! Code in fences: `echo "hello"` is no order to a model, and neither is `rm -rf` in an example of what to type.

use crate::instruction::Instruction;

const FENCE: &str = "```";
/// What ordinary code has.
const IN_CODE: [&str; 3] = ["force", "execute", "request"];

/// Leaves out what stands in a fence and is nothing that code does not have. They come in the order of the text.
pub(crate) fn keep_no_code(found: &mut Vec<Instruction>, text: &str) {
    let (mut read, mut fences) = (0, 0);
    found.retain(|instruction| {
        let place = instruction.span.start;
        // The line of the place counts: a sentence may begin with the fence.
        let end = text[place..].find('\n').map_or(text.len(), |end| place + end).max(read);
        fences += text[read..end].lines().filter(|line| line.trim_start().starts_with(FENCE)).count();
        read = end;
        fences % 2 == 0 || !instruction.signals.iter().all(|signal| IN_CODE.contains(signal))
    });
}
