//! The items that have the labels of a filter.

use crate::noun::labels::LabelQuery;
use recordar_index::{Filter, Index, LabelColumns, LabelFilter};

/// The items of an index that pass a filter by labels, as of a revision.
pub(super) fn label_filter(index: &Index, labels: &LabelColumns, query: &LabelQuery, at: u32) -> Filter {
    let LabelQuery { topics, category, message_type, .. } = query;
    let filter = LabelFilter {
        topics,
        category: category.as_deref(),
        message_type: message_type.as_deref(),
        entities: &query.entity_keys(),
    };
    index.filter(labels.matching(index, &filter, at))
}
