-- API keys of a server. They belong to the store and not to a space: they are not exported, and restoring a backup leaves them as they are.
-- Of a key, only its sha256 is stored. The id stands for it in lists and accounts; it is stored as bytes, so that it can be compared. Whether a
-- name is taken is decided with the store's row locked: it is free again once its key is revoked. The patterns are lists in JSON.

CREATE TABLE IF NOT EXISTS api_keys (
    key_id {key} NOT NULL PRIMARY KEY,
    secret_hash {hash} NOT NULL,
    name {text} NOT NULL,
    is_admin {int} NOT NULL,
    may_write {text} NOT NULL,
    may_read {text} NOT NULL,
    created_at {int} NOT NULL,
    expires_at {int},
    revoked_at {int},
    last_used_at {int},
    max_nano_usd_per_day {int}
){options};

CREATE UNIQUE INDEX api_keys_by_secret ON api_keys (secret_hash);

-- What language models cost on the account of a key, by day: a part of `spending`. A reservation without an account is the store's alone.

CREATE TABLE IF NOT EXISTS account_spending (
    day {int} NOT NULL,
    account {key} NOT NULL,
    calls {int} NOT NULL,
    tokens {int} NOT NULL,
    nano_usd {int} NOT NULL,
    PRIMARY KEY (day, account)
){options};

ALTER TABLE reservations ADD COLUMN account {key};
