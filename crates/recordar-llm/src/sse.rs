//! Server-sent events: assembles pieces of lines into the data of events. Pure.

/// Takes bytes and returns the data of every event that they complete.
#[derive(Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: String,
}

impl Events {
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut complete = Vec::new();
        for byte in bytes {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                self.take_line(&String::from_utf8_lossy(&line), &mut complete);
            } else {
                self.line.push(*byte);
            }
        }
        complete
    }

    /// The unfinished event at the end of the stream: some servers omit the last empty line.
    pub(crate) fn end(&mut self) -> Vec<String> {
        self.take(b"\n\n")
    }

    fn take_line(&mut self, line: &str, complete: &mut Vec<String>) {
        let line = line.trim_end_matches('\r');
        if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        } else if line.is_empty() && !self.data.is_empty() {
            complete.push(std::mem::take(&mut self.data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let stream = "event: a\r\ndata: {\"x\":\r\ndata: 1}\r\n\r\n: ping\n\ndata:é\n\n\ndata: [DONE]";
        for size in 1..stream.len() {
            let mut events = Events::default();
            let mut all: Vec<String> = stream.as_bytes().chunks(size).flat_map(|piece| events.take(piece)).collect();
            all.extend(events.end());
            assert_eq!(all, ["{\"x\":\n1}", "é", "[DONE]"], "in pieces of {size}");
        }
    }
}
