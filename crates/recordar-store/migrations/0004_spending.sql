-- What language models cost, by days since 1970 in UTC, for the whole store; and what is set aside for calls under way. What was
-- set aside and never settled, because its process ended, counts as spent once it has expired.

CREATE TABLE IF NOT EXISTS spending (
    day {int} NOT NULL PRIMARY KEY,
    calls {int} NOT NULL,
    tokens {int} NOT NULL,
    nano_usd {int} NOT NULL
){options};

CREATE TABLE IF NOT EXISTS reservations (
    reservation {hash} NOT NULL PRIMARY KEY,
    day {int} NOT NULL,
    tokens {int} NOT NULL,
    nano_usd {int} NOT NULL,
    expires_at {int} NOT NULL
){options};

CREATE INDEX reservations_by_day ON reservations (day);
