//! The properties of items other than their words and vectors: one array per property, in the order of ids.

/// The revision of an item that is not retired.
pub const LIVE: u32 = u32::MAX;

/// The revision that stands for now.
pub const NOW: u32 = LIVE - 1;

/// No revision: every stored item that is not forgotten counts as live.
pub const EVER: u32 = LIVE;

/// The retirement of a forgotten item: it is live at no revision.
const REMOVED: u32 = 0;

/// The position of a missing item.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The role of a chunk of a document: nobody says it.
pub const CHUNK: u8 = 7;

/// Added to the role of an item that was derived from others, such as a fact from a message. It is found like any other, but counts in no
/// statistic: that something was derived must not change what other questions find.
pub const DERIVED: u8 = 0x80;

/// One item as passed to the index. Ids and revisions start at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub id: u32,
    /// The thread of a message or the document of a chunk; 0 if the item has neither.
    pub group: u32,
    /// `CHUNK` for a chunk, and 0 for an item without a role; with [`DERIVED`] if it was derived from others.
    pub role: u8,
    pub occurred_at: i64,
    /// Where it is in its group: the time of a message, the place of a chunk in its document.
    pub order: i64,
    pub born: u32,
    pub retired: u32,
    /// The same for items with the same text; 0 if the item is never an echo.
    pub print: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) ids: Vec<u32>,
    pub(crate) groups: Vec<u32>,
    /// The number of words of the item.
    pub(crate) lengths: Vec<u32>,
    pub(crate) roles: Vec<u8>,
    pub(crate) occurred_at: Vec<i64>,
    pub(crate) orders: Vec<i64>,
    pub(crate) born: Vec<u32>,
    pub(crate) retired: Vec<u32>,
    pub(crate) prints: Vec<u64>,
}

impl Columns {
    pub(crate) const BYTES_PER_ITEM: usize = 4 * 5 + 1 + 8 * 3;

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn push(&mut self, entry: &Entry) {
        self.ids.push(entry.id);
        self.groups.push(entry.group);
        self.lengths.push(0);
        self.roles.push(entry.role);
        self.occurred_at.push(entry.occurred_at);
        self.orders.push(entry.order);
        self.born.push(entry.born);
        self.retired.push(entry.retired);
        self.prints.push(entry.print);
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.ids.extend_from_slice(&other.ids);
        self.groups.extend_from_slice(&other.groups);
        self.lengths.extend_from_slice(&other.lengths);
        self.roles.extend_from_slice(&other.roles);
        self.occurred_at.extend_from_slice(&other.occurred_at);
        self.orders.extend_from_slice(&other.orders);
        self.born.extend_from_slice(&other.born);
        self.retired.extend_from_slice(&other.retired);
        self.prints.extend_from_slice(&other.prints);
    }

    pub(crate) fn slice(&self, range: std::ops::Range<usize>) -> Self {
        Self {
            ids: self.ids[range.clone()].to_vec(),
            groups: self.groups[range.clone()].to_vec(),
            lengths: self.lengths[range.clone()].to_vec(),
            roles: self.roles[range.clone()].to_vec(),
            occurred_at: self.occurred_at[range.clone()].to_vec(),
            orders: self.orders[range.clone()].to_vec(),
            born: self.born[range.clone()].to_vec(),
            retired: self.retired[range.clone()].to_vec(),
            prints: self.prints[range].to_vec(),
        }
    }

    /// Whether an item is a chunk of a document, rather than something that was said or remembered.
    #[inline]
    pub(crate) fn is_chunk(&self, position: usize) -> bool {
        self.roles[position] == CHUNK
    }

    #[inline]
    pub(crate) fn is_derived(&self, position: usize) -> bool {
        self.roles[position] & DERIVED != 0
    }

    /// Who said it; 0 if nobody is known to.
    #[inline]
    pub(crate) fn role(&self, position: usize) -> u8 {
        self.roles[position] & !DERIVED
    }

    pub(crate) fn is_removed(&self, position: usize) -> bool {
        self.retired[position] == REMOVED
    }

    /// Clears everything of an item except its id.
    pub(crate) fn remove(&mut self, position: usize) {
        self.retired[position] = REMOVED;
        (self.groups[position], self.lengths[position], self.born[position]) = (0, 0, 0);
        (self.roles[position], self.prints[position]) = (0, 0);
        (self.occurred_at[position], self.orders[position]) = (0, 0);
    }

    /// The position of an id; ids ascend.
    pub(crate) fn position(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for column in [&self.ids, &self.groups, &self.lengths, &self.born, &self.retired] {
            out.extend(column.iter().flat_map(|value| value.to_le_bytes()));
        }
        for column in [&self.occurred_at, &self.orders] {
            out.extend(column.iter().flat_map(|value| value.to_le_bytes()));
        }
        out.extend(self.prints.iter().flat_map(|value| value.to_le_bytes()));
        out.extend_from_slice(&self.roles);
    }

    /// Reads the bytes that `write` wrote for a number of items. `None` if they are invalid.
    pub(crate) fn read(bytes: &[u8], count: usize) -> Option<Self> {
        if bytes.len() != count.checked_mul(Self::BYTES_PER_ITEM)? {
            return None;
        }
        let mut rest = bytes;
        let mut take = |size: usize| {
            let (column, after) = rest.split_at(size * count);
            rest = after;
            column
        };
        let [ids, groups, lengths, born, retired] = [0; 5].map(|_| numbers(take(4)));
        let [occurred_at, orders] =
            [0; 2].map(|_| take(8).as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect());
        let prints = take(8).as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let roles = take(1).to_vec();
        let columns = Self { ids, groups, lengths, roles, occurred_at, orders, born, retired, prints };
        columns.ids.is_sorted_by(|one, next| one < next).then_some(columns)
    }
}

pub(crate) fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}
