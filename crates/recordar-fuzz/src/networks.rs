//! ONNX networks of models from folders: refused, or run within limits.

use recordar_judge::fuzzing::try_network;

/// A refusal has a reason. What passes the checks is run, and may fail, but must not end the process.
pub(crate) fn networks(input: &[u8]) {
    if let Err(error) = try_network(input) {
        assert!(error.to_string().contains("; "), "{error}");
    }
}
