-- Living facts: the words that facts and summaries come from, and what people confirmed of them. Whether one is unverified follows from these rows
-- and the sources, and is stored nowhere.

-- Of each source of a fact or a summary, the sha256 of its words. The latest row of a source at a revision counts. A row that was taken when the
-- item was stored is of the source's own text, and `confirmed` is 0: this program makes such rows of what is stored already. One that a person's
-- word gave has 1, and `words_id` is what stood in the place of the source then: a message, or a version of its document; nothing if there was
-- nothing. A person's correction comes from the words of the fact that it takes the place of.

CREATE TABLE IF NOT EXISTS fact_words (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    source_id {int} NOT NULL,
    born {int} NOT NULL,
    words_id {int},
    words_hash {hash},
    confirmed {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, source_id, born)
){options};

CREATE INDEX fact_words_by_source ON fact_words (space_id, source_id);

CREATE INDEX fact_words_by_words ON fact_words (space_id, words_id);

-- A fact or a summary that a person confirmed, and the time by which to look at it again. The latest row at a revision counts.

CREATE TABLE IF NOT EXISTS confirmations (
    space_id {int} NOT NULL,
    item_id {int} NOT NULL,
    born {int} NOT NULL,
    review_by {int},
    changed {int} NOT NULL,
    PRIMARY KEY (space_id, item_id, born)
){options};
