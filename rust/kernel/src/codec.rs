use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::DecodeError;

/// Writes a value as bytes: little-endian, no padding, no lengths but those the caller writes.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// An empty writer that begins with a four-letter tag and a version.
    pub fn tagged(tag: &'static str, version: u32) -> Self {
        let mut writer = Self::default();
        writer.bytes(&tag_bytes(tag));
        writer.u32(version);
        writer
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a value as its type derives it.
    pub fn value<T: Serialize>(&mut self, value: &T) {
        // Only a list without a known length could fail, and a state has none.
        self.bytes(&postcard::to_allocvec(value).unwrap_or_default());
    }

    /// The bytes written so far.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads what [`Writer`] wrote. Any bytes give a value or an error, never a panic.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// A reader behind a tag and a version that must be there.
    ///
    /// # Errors
    /// [`DecodeError::WrongTag`] or [`DecodeError::WrongVersion`] when something else is there.
    pub fn tagged(bytes: &'a [u8], tag: &'static str, version: u32) -> Result<Self, DecodeError> {
        let mut reader = Self::new(bytes);
        let found = reader.array()?;
        if found != tag_bytes(tag) {
            return Err(DecodeError::WrongTag { expected: tag, found });
        }
        let written = reader.u32()?;
        if written != version {
            return Err(DecodeError::WrongVersion { expected: version, found: written });
        }
        Ok(reader)
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] when there are fewer.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let rest = &self.bytes[self.at..];
        let taken = rest
            .get(..count)
            .ok_or_else(|| DecodeError::Truncated { at: self.at, wanted: count - rest.len() })?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    /// One byte.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(self.array::<1>()?[0])
    }

    /// One byte that is at most `limit`.
    ///
    /// # Errors
    /// [`DecodeError::OutOfRange`] when it is more, [`DecodeError::Truncated`] at the end.
    pub fn at_most(&mut self, field: &'static str, limit: u8) -> Result<u8, DecodeError> {
        let value = self.u8()?;
        if value > limit {
            return Err(DecodeError::OutOfRange { field, value: value.into(), limit: limit.into() });
        }
        Ok(value)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end.
    pub fn u16(&mut self) -> Result<u16, DecodeError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// Four bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end.
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end.
    pub fn u64(&mut self) -> Result<u64, DecodeError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A value that [`Writer::value`] wrote.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end, [`DecodeError::Inconsistent`] with the field when the bytes do not fit.
    pub fn value<T: DeserializeOwned>(&mut self, field: &'static str) -> Result<T, DecodeError> {
        let (value, rest) =
            postcard::take_from_bytes(&self.bytes[self.at..]).map_err(|error| match error {
                postcard::Error::DeserializeUnexpectedEnd => {
                    DecodeError::Truncated { at: self.bytes.len(), wanted: 1 }
                }
                error => DecodeError::inconsistent(field, error.to_string()),
            })?;
        self.at = self.bytes.len() - rest.len();
        Ok(value)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`DecodeError::TrailingBytes`] when something follows.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            count => Err(DecodeError::TrailingBytes { at: self.at, count }),
        }
    }
}

/// FNV-1a of 64 bits: the same number for the same bytes on every machine.
pub fn digest(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn tag_bytes(tag: &'static str) -> [u8; 4] {
    tag.as_bytes().try_into().expect("a tag has four letters")
}

/// Bytes as a text of hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes that [`to_hex`] wrote.
///
/// # Errors
/// [`DecodeError`] for anything else.
pub fn from_hex(text: &str) -> Result<Vec<u8>, DecodeError> {
    let digit = |&byte: &u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let digits: Option<Vec<u8>> = text.as_bytes().iter().map(digit).collect();
    match digits {
        Some(digits) if digits.len() % 2 == 0 => {
            Ok(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
        }
        _ => Err(DecodeError::inconsistent("text", "not pairs of the digits 0 to 9 and a to f")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The published values of the function.
    #[test]
    fn digests_are_fnv_1a() {
        assert_eq!(digest(*b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(digest(*b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn what_was_written_is_read() {
        let mut writer = Writer::tagged("SGK1", 3);
        writer.u8(1);
        writer.u16(0x0203);
        writer.u32(0x0405_0607);
        writer.u64(0x0809_0a0b_0c0d_0e0f);
        writer.bytes(b"end");
        writer.value(&(7_u32, Some(true)));
        let bytes = writer.finish();
        assert_eq!(bytes[..11], [b'S', b'G', b'K', b'1', 3, 0, 0, 0, 1, 3, 2]);

        let mut reader = Reader::tagged(&bytes, "SGK1", 3).unwrap();
        assert_eq!(reader.u8(), Ok(1));
        assert_eq!(reader.u16(), Ok(0x0203));
        assert_eq!(reader.u32(), Ok(0x0405_0607));
        assert_eq!(reader.u64(), Ok(0x0809_0a0b_0c0d_0e0f));
        assert_eq!(reader.bytes(3), Ok(b"end".as_slice()));
        assert_eq!(reader.value("pair"), Ok((7_u32, Some(true))));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(
            Reader::new(&[1]).value::<(bool, bool)>("pair"),
            Err(DecodeError::Truncated { at: 1, wanted: 1 })
        );
        let wrong = Reader::new(&[7]).value::<bool>("flag").unwrap_err().to_string();
        assert!(wrong.starts_with("flag: "), "{wrong}");
        assert_eq!(Reader::new(&[1]).u32(), Err(DecodeError::Truncated { at: 0, wanted: 3 }));
        assert_eq!(Reader::new(&[1]).finish(), Err(DecodeError::TrailingBytes { at: 0, count: 1 }));
        assert_eq!(
            Reader::tagged(b"GIF89a__", "SGK1", 3).unwrap_err().to_string(),
            "not SGK1 data: begins with [47, 49, 46, 38]"
        );
        assert_eq!(
            Reader::tagged(b"SGK1\x04\0\0\0", "SGK1", 3).unwrap_err().to_string(),
            "written by version 4, this is version 3"
        );
        assert_eq!(
            Reader::new(&[9]).at_most("owner", 4).unwrap_err().to_string(),
            "owner is 9, at most 4 is possible"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_value_or_an_error(bytes: Vec<u8>) {
            if let Ok(mut reader) = Reader::tagged(&bytes, "SGK1", 1) {
                while reader.u16().is_ok() {}
            }
            let mut reader = Reader::new(&bytes);
            let _ = reader.bytes(bytes.len() / 2);
            while reader.u64().is_ok() {}
            let _ = reader.finish();
        }
    }
}
