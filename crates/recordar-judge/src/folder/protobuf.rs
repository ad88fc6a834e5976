//! The notation of an ONNX file: fields one after the other, each a number or bytes. Nothing is copied, and nothing is believed: a
//! length that does not fit ends the reading.

/// A field of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Number(u64),
    /// A number of 4 or 8 bytes, as it stands.
    Fixed(&'a [u8]),
    /// A text, bytes, a message, or several numbers.
    Bytes(&'a [u8]),
}

pub(super) const CUT: &str = "it is cut off, or not an ONNX file";
const MAX_VARINT_BYTES: usize = 10;

/// The fields of a message, by number, in their order.
pub(super) fn fields(message: &[u8]) -> Fields<'_> {
    Fields { rest: message }
}

pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn read(&mut self) -> Result<(u64, Value<'a>), String> {
        let key = varint(&mut self.rest)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut self.rest)?),
            1 => Value::Fixed(take(&mut self.rest, 8)?),
            2 => {
                let length = varint(&mut self.rest)?;
                Value::Bytes(take(&mut self.rest, length)?)
            }
            5 => Value::Fixed(take(&mut self.rest, 4)?),
            _ => return Err(CUT.to_owned()),
        };
        if key >> 3 == 0 { Err(CUT.to_owned()) } else { Ok((key >> 3, value)) }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let read = self.read();
        if read.is_err() {
            self.rest = &[];
        }
        Some(read)
    }
}

impl<'a> Value<'a> {
    pub(super) fn bytes(self) -> Result<&'a [u8], String> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            _ => Err(CUT.to_owned()),
        }
    }

    pub(super) fn number(self) -> Result<i64, String> {
        match self {
            Self::Number(number) => Ok(number.cast_signed()),
            _ => Err(CUT.to_owned()),
        }
    }

    /// One number, or several in a row.
    pub(super) fn numbers(self, numbers: &mut Vec<i64>) -> Result<(), String> {
        match self {
            Self::Number(number) => numbers.push(number.cast_signed()),
            Self::Bytes(mut packed) => {
                while !packed.is_empty() {
                    numbers.push(varint(&mut packed)?.cast_signed());
                }
            }
            Self::Fixed(_) => return Err(CUT.to_owned()),
        }
        Ok(())
    }

    /// How many numbers there are, of `width` bytes each, or of any number of bytes if it is 0.
    pub(super) fn count(self, width: u64) -> Result<u64, String> {
        match (self, width) {
            (Self::Number(_), 0) => Ok(1),
            (Self::Bytes(packed), 0) => Ok(packed.iter().filter(|byte| **byte < 0x80).count() as u64),
            (Self::Fixed(bytes), width) if bytes.len() as u64 == width => Ok(1),
            (Self::Bytes(packed), width) if width > 0 && (packed.len() as u64).is_multiple_of(width) => {
                Ok(packed.len() as u64 / width)
            }
            _ => Err(CUT.to_owned()),
        }
    }
}

fn varint(rest: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for place in 0..MAX_VARINT_BYTES {
        let Some((byte, after)) = rest.split_first() else { break };
        *rest = after;
        number |= u64::from(byte & 0x7f).checked_shl(place as u32 * 7).unwrap_or_default();
        if *byte < 0x80 {
            return Ok(number);
        }
    }
    Err(CUT.to_owned())
}

fn take<'a>(rest: &mut &'a [u8], length: u64) -> Result<&'a [u8], String> {
    let length = usize::try_from(length).ok().filter(|length| *length <= rest.len()).ok_or(CUT)?;
    let (taken, after) = rest.split_at(length);
    *rest = after;
    Ok(taken)
}
