--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: abouts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.abouts (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    document_id bigint NOT NULL,
    version_id bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: account_spending; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_spending (
    day bigint NOT NULL,
    account bytea NOT NULL,
    calls bigint NOT NULL,
    tokens bigint NOT NULL,
    nano_usd bigint NOT NULL
);


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    key_id bytea NOT NULL,
    secret_hash bytea NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    is_admin bigint NOT NULL,
    may_write text NOT NULL COLLATE pg_catalog."C",
    may_read text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    max_nano_usd_per_day bigint
);


--
-- Name: attributes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attributes (
    space_id bigint NOT NULL,
    document_id bigint NOT NULL,
    born bigint NOT NULL,
    tags text NOT NULL COLLATE pg_catalog."C",
    topic text COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    provider text COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    changed bigint NOT NULL
);


--
-- Name: buckets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.buckets (
    space_id bigint NOT NULL,
    bucket_hash bytea NOT NULL,
    bucket text NOT NULL COLLATE pg_catalog."C",
    born bigint NOT NULL,
    "position" bigint NOT NULL
);


--
-- Name: categories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.categories (
    space_id bigint NOT NULL,
    category_id bigint NOT NULL,
    parent_id bigint,
    parent_level bigint,
    parent_key bigint NOT NULL,
    level bigint NOT NULL,
    depth bigint NOT NULL,
    leaf bigint NOT NULL,
    name_hash bytea NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    born bigint NOT NULL,
    changed bigint NOT NULL,
    CONSTRAINT categories_check CHECK (((level >= 1) AND (level <= depth))),
    CONSTRAINT categories_check1 CHECK ((((level = 1) AND (parent_id IS NULL) AND (parent_level IS NULL) AND (parent_key = 0)) OR ((level > 1) AND (parent_id IS NOT NULL) AND (parent_level IS NOT NULL) AND (parent_level = (level - 1)) AND (parent_key = parent_id)))),
    CONSTRAINT categories_check2 CHECK ((((leaf = 1) AND (level = depth)) OR ((leaf = 0) AND (level < depth))))
);


--
-- Name: confirmations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.confirmations (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    born bigint NOT NULL,
    review_by bigint,
    changed bigint NOT NULL
);


--
-- Name: documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.documents (
    space_id bigint NOT NULL,
    document_id bigint NOT NULL,
    path_hash bytea NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    filename text NOT NULL COLLATE pg_catalog."C",
    born bigint NOT NULL,
    changed bigint NOT NULL,
    collection text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C"
);


--
-- Name: embedders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.embedders (
    number bigint NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    model_hash bytea NOT NULL,
    state bigint NOT NULL,
    made_at bigint NOT NULL,
    dimension bigint
);


--
-- Name: expiries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.expiries (
    space_id bigint NOT NULL,
    kind bigint NOT NULL,
    subject bigint NOT NULL,
    tag_hash bytea NOT NULL,
    tag text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: fact_marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.fact_marks (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    born bigint NOT NULL,
    is_retired bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: fact_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.fact_words (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    source_id bigint NOT NULL,
    born bigint NOT NULL,
    words_id bigint,
    words_hash bytea,
    confirmed bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: facts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.facts (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    key_hash bytea NOT NULL,
    subject_hash bytea NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    attribute text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    many bigint NOT NULL,
    since bigint NOT NULL,
    confidence bigint NOT NULL,
    method bigint NOT NULL,
    own bigint NOT NULL,
    thread_id bigint,
    source_id bigint,
    span_start bigint,
    span_end bigint,
    corrects bigint,
    changed bigint NOT NULL
);


--
-- Name: headings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.headings (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    born bigint NOT NULL,
    section text COLLATE pg_catalog."C",
    sections text COLLATE pg_catalog."C",
    changed bigint NOT NULL
);


--
-- Name: helpers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.helpers (
    space_id bigint NOT NULL,
    helper_id bigint NOT NULL,
    document_id bigint NOT NULL,
    number bigint NOT NULL,
    origin bigint NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C",
    tokens bigint NOT NULL,
    recorded_at bigint NOT NULL,
    born bigint NOT NULL,
    retired bigint,
    changed bigint NOT NULL
);


--
-- Name: important_marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.important_marks (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    born bigint NOT NULL,
    is_important bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: items; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.items (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    kind bigint NOT NULL,
    document_id bigint,
    version_id bigint,
    thread_id bigint,
    "position" bigint NOT NULL,
    overlap bigint NOT NULL,
    section text COLLATE pg_catalog."C",
    role text COLLATE pg_catalog."C",
    source text COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    tokens bigint NOT NULL,
    importance bigint,
    metadata text COLLATE pg_catalog."C",
    occurred_at bigint NOT NULL,
    recorded_at bigint NOT NULL,
    category_id bigint,
    category_leaf bigint,
    born bigint NOT NULL,
    retired bigint,
    changed bigint NOT NULL,
    speaker text COLLATE pg_catalog."C",
    own_id_hash bytea,
    own_id text COLLATE pg_catalog."C",
    sections text COLLATE pg_catalog."C",
    place bigint,
    CONSTRAINT items_check CHECK ((((category_id IS NULL) AND (category_leaf IS NULL)) OR ((category_id IS NOT NULL) AND (category_leaf IS NOT NULL) AND (category_leaf = 1) AND (kind = 1))))
);


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.jobs (
    space_id bigint NOT NULL,
    kind bigint NOT NULL,
    subject bigint NOT NULL,
    state bigint NOT NULL,
    due_at bigint,
    lease bytea,
    attempts bigint NOT NULL,
    leases bigint NOT NULL,
    made_at bigint NOT NULL,
    error text COLLATE pg_catalog."C"
);


--
-- Name: labels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.labels (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    born bigint NOT NULL,
    topics text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    message_type text NOT NULL COLLATE pg_catalog."C",
    entities text NOT NULL COLLATE pg_catalog."C",
    importance bigint NOT NULL,
    confidence bigint NOT NULL,
    suggested_topic_hash bytea,
    suggested_topic text COLLATE pg_catalog."C",
    suggested_category_hash bytea,
    suggested_category text COLLATE pg_catalog."C",
    vocabulary_version text NOT NULL COLLATE pg_catalog."C",
    enrichment_model text NOT NULL COLLATE pg_catalog."C",
    backfill bigint,
    retired bigint,
    changed bigint NOT NULL
);


--
-- Name: lineage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.lineage (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    source_id bigint NOT NULL
);


--
-- Name: operations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operations (
    space_id bigint NOT NULL,
    operation_hash bytea NOT NULL,
    whole_hash bytea NOT NULL,
    operation_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    state bigint NOT NULL,
    request_hash bytea,
    revision bigint,
    recorded_at bigint NOT NULL,
    first_id bigint NOT NULL,
    end_id bigint NOT NULL,
    result text COLLATE pg_catalog."C",
    error text COLLATE pg_catalog."C"
);


--
-- Name: queue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.queue (
    id bigint NOT NULL,
    turn bigint NOT NULL
);


--
-- Name: queues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.queues (
    space_id bigint NOT NULL,
    kind bigint NOT NULL,
    last_turn bigint NOT NULL,
    due_at bigint
);


--
-- Name: receipt_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.receipt_sources (
    space_id bigint NOT NULL,
    receipt_hash bytea NOT NULL,
    source_hash bytea NOT NULL,
    source_id bigint NOT NULL,
    body text COLLATE pg_catalog."C"
);


--
-- Name: receipts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.receipts (
    space_id bigint NOT NULL,
    receipt_hash bytea NOT NULL,
    made_at bigint NOT NULL,
    body text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: recordar_schema; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recordar_schema (
    version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.records (
    space_id bigint NOT NULL,
    bucket_hash bytea NOT NULL,
    name bytea NOT NULL,
    part bigint NOT NULL,
    bytes bigint NOT NULL,
    content bytea NOT NULL,
    born bigint NOT NULL,
    "position" bigint NOT NULL,
    changed bigint NOT NULL,
    recorded_at bigint NOT NULL
);


--
-- Name: reservations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reservations (
    reservation bytea NOT NULL,
    day bigint NOT NULL,
    tokens bigint NOT NULL,
    nano_usd bigint NOT NULL,
    expires_at bigint NOT NULL,
    account bytea
);


--
-- Name: roots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.roots (
    space_id bigint NOT NULL,
    collection_hash bytea NOT NULL,
    machine_hash bytea NOT NULL,
    born bigint NOT NULL,
    collection text NOT NULL COLLATE pg_catalog."C",
    machine text NOT NULL COLLATE pg_catalog."C",
    root text NOT NULL COLLATE pg_catalog."C",
    retired bigint,
    changed bigint NOT NULL
);


--
-- Name: segments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.segments (
    space_id bigint NOT NULL,
    model_hash bytea NOT NULL,
    first_id bigint NOT NULL,
    end_id bigint NOT NULL,
    part bigint NOT NULL,
    revision bigint NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    dimension bigint NOT NULL,
    content bytea NOT NULL
);


--
-- Name: spaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.spaces (
    space_id bigint NOT NULL,
    name_hash bytea NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    incarnation bigint NOT NULL,
    next_id bigint NOT NULL,
    revision bigint NOT NULL,
    recorded_at bigint NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: spending; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.spending (
    day bigint NOT NULL,
    calls bigint NOT NULL,
    tokens bigint NOT NULL,
    nano_usd bigint NOT NULL
);


--
-- Name: standing_texts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.standing_texts (
    space_id bigint NOT NULL,
    kind bigint NOT NULL,
    born bigint NOT NULL,
    number bigint NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C",
    changed bigint NOT NULL
);


--
-- Name: store; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.store (
    id bigint NOT NULL,
    next_space_id bigint NOT NULL
);


--
-- Name: threads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.threads (
    space_id bigint NOT NULL,
    thread_id bigint NOT NULL,
    name_hash bytea NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    title text COLLATE pg_catalog."C",
    born bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: tombstones; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tombstones (
    space_id bigint NOT NULL,
    id bigint NOT NULL,
    kind bigint NOT NULL,
    revision bigint NOT NULL
);


--
-- Name: trees; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.trees (
    space_id bigint NOT NULL,
    depth bigint NOT NULL,
    CONSTRAINT trees_depth_check CHECK (((depth >= 1) AND (depth <= 100)))
);


--
-- Name: uses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uses (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    uses bigint NOT NULL,
    changed bigint NOT NULL
);


--
-- Name: vectors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.vectors (
    space_id bigint NOT NULL,
    item_id bigint NOT NULL,
    model_hash bytea NOT NULL,
    text_hash bytea NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    dimension bigint NOT NULL,
    content bytea NOT NULL
);


--
-- Name: versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.versions (
    space_id bigint NOT NULL,
    version_id bigint NOT NULL,
    document_id bigint NOT NULL,
    number bigint NOT NULL,
    sha256 bytea NOT NULL,
    bytes bigint NOT NULL,
    chars bigint NOT NULL,
    mtime bigint,
    file_type text NOT NULL COLLATE pg_catalog."C",
    tags text NOT NULL COLLATE pg_catalog."C",
    topic text COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    provider text COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    chunking text NOT NULL COLLATE pg_catalog."C",
    tokenizer text NOT NULL COLLATE pg_catalog."C",
    chunks bigint NOT NULL,
    tokens bigint NOT NULL,
    forgotten bigint NOT NULL,
    ingested_at bigint NOT NULL,
    born bigint NOT NULL,
    retired bigint,
    changed bigint NOT NULL,
    root text COLLATE pg_catalog."C",
    path text COLLATE pg_catalog."C",
    name_hash bytea,
    name text COLLATE pg_catalog."C"
);


--
-- Name: vocabularies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.vocabularies (
    number bigint NOT NULL,
    version text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    kind text COLLATE pg_catalog."C",
    term text COLLATE pg_catalog."C",
    undoes bigint,
    pending bigint NOT NULL,
    made_at bigint NOT NULL
);


--
-- Data for Name: abouts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.abouts VALUES (1, 44, 17, 36, 16);


--
-- Data for Name: account_spending; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys VALUES ('\x36306566366161353239393961316432', '\x60ef6aa52999a1d25d22163d4821f5191df1cdddb13366daafb6cf8b035f7f1c', 'laptop', 0, '["user:default"]', '["shared:*"]', 1795126636874690, NULL, NULL, NULL, 2000000000);


--
-- Data for Name: attributes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: buckets; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: categories; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.categories VALUES (1, 21, NULL, NULL, 0, 1, 3, 0, '\xb450645debe2cf0a590edd7f78d36eccd465027d389652dc30d6350542587c04', 'Contacts', 6, 6);
INSERT INTO public.categories VALUES (1, 22, 21, 1, 21, 2, 3, 0, '\xb450645debe2cf0a590edd7f78d36eccd465027d389652dc30d6350542587c04', 'Contacts', 6, 6);
INSERT INTO public.categories VALUES (1, 23, 22, 2, 22, 3, 3, 1, '\xb450645debe2cf0a590edd7f78d36eccd465027d389652dc30d6350542587c04', 'Contacts', 6, 6);
INSERT INTO public.categories VALUES (1, 24, NULL, NULL, 0, 1, 3, 0, '\x387590666d20f8b30ae195674e6713d1ee813d8286b542f5a74f0a3170490bf6', 'Duties', 6, 6);
INSERT INTO public.categories VALUES (1, 25, 24, 1, 24, 2, 3, 0, '\x387590666d20f8b30ae195674e6713d1ee813d8286b542f5a74f0a3170490bf6', 'Duties', 6, 6);
INSERT INTO public.categories VALUES (1, 26, 25, 2, 25, 3, 3, 1, '\x387590666d20f8b30ae195674e6713d1ee813d8286b542f5a74f0a3170490bf6', 'Duties', 6, 6);
INSERT INTO public.categories VALUES (1, 27, NULL, NULL, 0, 1, 3, 0, '\x0ca46cafff3d9d574a3fc9b780bfae6ded08eb7334eebf988803e183a1474773', 'Fish soup for a storm', 6, 6);
INSERT INTO public.categories VALUES (1, 28, 27, 1, 27, 2, 3, 0, '\x0ca46cafff3d9d574a3fc9b780bfae6ded08eb7334eebf988803e183a1474773', 'Fish soup for a storm', 6, 6);
INSERT INTO public.categories VALUES (1, 29, 28, 2, 28, 3, 3, 1, '\x0ca46cafff3d9d574a3fc9b780bfae6ded08eb7334eebf988803e183a1474773', 'Fish soup for a storm', 6, 6);
INSERT INTO public.categories VALUES (1, 30, NULL, NULL, 0, 1, 3, 0, '\xa0bba638124664064545edb48049c05385d1542084b2b79bb6ec0cfea6d636c9', 'Weather', 6, 6);
INSERT INTO public.categories VALUES (1, 31, 30, 1, 30, 2, 3, 0, '\xa0bba638124664064545edb48049c05385d1542084b2b79bb6ec0cfea6d636c9', 'Weather', 6, 6);
INSERT INTO public.categories VALUES (1, 32, 31, 2, 31, 3, 3, 1, '\xa0bba638124664064545edb48049c05385d1542084b2b79bb6ec0cfea6d636c9', 'Weather', 6, 6);
INSERT INTO public.categories VALUES (1, 33, NULL, NULL, 0, 1, 3, 0, '\x9887ffe8d0db484e83d53a5d95654dc1a1c5afe136ef8658879a832661cc57ae', 'The lighthouse keepers'' handbook', 6, 6);
INSERT INTO public.categories VALUES (1, 34, 33, 1, 33, 2, 3, 0, '\x9887ffe8d0db484e83d53a5d95654dc1a1c5afe136ef8658879a832661cc57ae', 'The lighthouse keepers'' handbook', 6, 6);
INSERT INTO public.categories VALUES (1, 35, 34, 2, 34, 3, 3, 1, '\x9887ffe8d0db484e83d53a5d95654dc1a1c5afe136ef8658879a832661cc57ae', 'The lighthouse keepers'' handbook', 6, 6);


--
-- Data for Name: confirmations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.confirmations VALUES (1, 45, 18, 4070908800000000, 18);


--
-- Data for Name: documents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.documents VALUES (1, 1, '\xd46bb07817fbec4f0dd4c52430ba6b5d43229eb798bb8db793c0d6aff52f0e50', '/srv/recordar-saved/handbook/contacts.json', 'contacts.json', 1, 1, 'handbook', 'contacts.json');
INSERT INTO public.documents VALUES (1, 5, '\x1b789d3c51ac2555c5a89eb28608a8e090c42806ce6a82d9bec9f62eabdb12f0', '/srv/recordar-saved/handbook/duties.yaml', 'duties.yaml', 2, 2, 'handbook', 'duties.yaml');
INSERT INTO public.documents VALUES (1, 9, '\xb38131029b6a6b6c9e47b589617be6e4c8cf803004008ced8a92d22f752c3663', '/srv/recordar-saved/handbook/recipes/fish-soup.md', 'fish-soup.md', 3, 3, 'handbook', 'recipes/fish-soup.md');
INSERT INTO public.documents VALUES (1, 13, '\x6a045572db0de1b2c3ab85c1566d593c3e3987afbcd6dc840073e76a0c5092bb', '/srv/recordar-saved/handbook/weather.txt', 'weather.txt', 4, 4, 'handbook', 'weather.txt');
INSERT INTO public.documents VALUES (1, 17, '\x59c4c3863ecb780d947f33aa594dfd2a02d83f18b6602f9e4f9f640bb621edd9', '/srv/recordar-saved/handbook/welcome.md', 'welcome.md', 5, 7, 'handbook', 'welcome.md');


--
-- Data for Name: embedders; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: expiries; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: fact_marks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: fact_words; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.fact_words VALUES (1, 45, 3, 17, 3, '\xb3dcdd9f3878c0d35e5cfa8585d2da20ce515ce44434d76547bd105ac6f3c2d5', 0, 17);


--
-- Data for Name: facts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: headings; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: helpers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.helpers VALUES (1, 4, 1, 1, 1, 'Topic: keeping the light. { "harbour_office": { "name": "Marisol Ibarra", "phone": "extension 14", "hours": "Monday to Friday, 8 to 15" }, "coast_guard": { "channel": 16, "call_sign": "Punta Clara Radio", "note": "Report the light being out within ten minutes." }, "cooperative": { "name": "Cooperativa Las Gaviotas", "order_before": "the Friday before the boat" } }.', 112, 1795126635912043, 1, NULL, 1);
INSERT INTO public.helpers VALUES (1, 8, 5, 1, 1, 'Topic: keeping the light. - keeper: Ana hours: sunset to midnight duties: - light the lamp - count the flashes at ten - keeper: Tomás hours: midnight to sunrise duties: - trim the lamp at three - write the log weekly: monday: clean the lens wednesday: test the fog signal saturday: run the spare generator for twenty minutes.', 73, 1795126635980184, 2, NULL, 2);
INSERT INTO public.helpers VALUES (1, 12, 9, 1, 1, 'Topic: keeping the light. For two keepers and one guest.', 14, 1795126635986890, 3, NULL, 3);
INSERT INTO public.helpers VALUES (1, 16, 13, 1, 1, 'Topic: keeping the light. How to read the sky at Punta Clara.', 15, 1795126635993319, 4, NULL, 4);
INSERT INTO public.helpers VALUES (1, 20, 17, 1, 1, 'Topic: keeping the light. Everything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end, and then keep it beside the lamp.', 40, 1795126636000721, 5, NULL, 5);


--
-- Data for Name: important_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.important_marks VALUES (1, 41, 15, 1, 15);


--
-- Data for Name: items; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.items VALUES (1, 3, 1, 1, 2, NULL, 0, 0, NULL, NULL, NULL, '{
  "harbour_office": {
    "name": "Marisol Ibarra",
    "phone": "extension 14",
    "hours": "Monday to Friday, 8 to 15"
  },
  "coast_guard": {
    "channel": 16,
    "call_sign": "Punta Clara Radio",
    "note": "Report the light being out within ten minutes."
  },
  "cooperative": {
    "name": "Cooperativa Las Gaviotas",
    "order_before": "the Friday before the boat"
  }
}
', 120, NULL, NULL, 1795126635417252, 1795126635912043, 23, 1, 1, NULL, 1, NULL, NULL, NULL, '[{"at":2,"section":"harbour_office"},{"at":83,"section":"harbour_office.hours"},{"at":129,"section":"coast_guard"},{"at":205,"section":"coast_guard.note"},{"at":271,"section":"cooperative"}]', NULL);
INSERT INTO public.items VALUES (1, 7, 1, 5, 6, NULL, 0, 0, 'watch', NULL, NULL, 'watch:
  - keeper: Ana
    hours: sunset to midnight
    duties:
      - light the lamp
      - count the flashes at ten
  - keeper: Tomás
    hours: midnight to sunrise
    duties:
      - trim the lamp at three
      - write the log
weekly:
  monday: clean the lens
  wednesday: test the fog signal
  saturday: run the spare generator for twenty minutes
', 92, NULL, NULL, 1795126635417293, 1795126635980184, 26, 1, 2, NULL, 2, NULL, NULL, NULL, '[{"at":65,"section":"watch[0]"},{"at":121,"section":"watch[1]"},{"at":214,"section":"watch[1][1]"},{"at":236,"section":"weekly"},{"at":302,"section":"weekly.saturday"}]', NULL);
INSERT INTO public.items VALUES (1, 11, 1, 9, 10, NULL, 0, 0, 'Fish soup for a storm', NULL, NULL, '# Fish soup for a storm

For two keepers and one guest.

1. Fry an onion and two cloves of garlic in oil until they are soft.
2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.
3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.

It keeps for two days, which is as long as most storms.
', 92, NULL, NULL, 1795126635417327, 1795126635986890, 29, 1, 3, NULL, 3, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.items VALUES (1, 15, 1, 13, 14, NULL, 0, 0, NULL, NULL, NULL, 'How to read the sky at Punta Clara.

A red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken
before noon mean rain within a day. When the gulls stay on land, so does the boat.

The barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters
on the west side, fasten the boat with the second rope, and fill the lamp for two nights.

Swell without wind comes from a storm that is still far away. It arrives about a day before the storm does.
', 131, NULL, NULL, 1795126635417345, 1795126635993319, 32, 1, 4, NULL, 4, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.items VALUES (1, 19, 1, 17, 18, NULL, 0, 0, 'The lighthouse keepers'' handbook', NULL, NULL, '# The lighthouse keepers'' handbook

Everything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end,
and then keep it beside the lamp.

## The lamp

The lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is two flashes every
fifteen seconds. If the rhythm changes, ships believe they are somewhere else; nothing that a keeper does is more important
than the rhythm.

The lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.

## The fog signal

When the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write
the beginning and the end into the log, with the wind.

## Supplies

The boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the
harbour office, and food from the cooperative. Keep water for at least twenty days.
', 216, NULL, NULL, 1795126635417359, 1795126636000721, 35, 1, 5, 7, 7, NULL, NULL, NULL, '[{"at":192,"section":"The lighthouse keepers'' handbook > The lamp"},{"at":565,"section":"The lighthouse keepers'' handbook > The fog signal"},{"at":762,"section":"The lighthouse keepers'' handbook > Supplies"}]', NULL);
INSERT INTO public.items VALUES (1, 37, 1, 17, 36, NULL, 0, 0, 'The lighthouse keepers'' handbook', NULL, NULL, '# The lighthouse keepers'' handbook

Everything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end,
and then keep it beside the lamp.

## The lamp

The lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is three flashes every
fifteen seconds. If the rhythm changes, ships believe they are somewhere else; nothing that a keeper does is more important
than the rhythm.

The lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.

## The fog signal

When the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write
the beginning and the end into the log, with the wind.

## Supplies

The boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the
harbour office, and food from the cooperative. Keep water for at least twenty days.
', 216, NULL, NULL, 1795126636061146, 1795126636153088, 35, 1, 7, NULL, 7, NULL, NULL, NULL, '[{"at":192,"section":"The lighthouse keepers'' handbook > The lamp"},{"at":567,"section":"The lighthouse keepers'' handbook > The fog signal"},{"at":764,"section":"The lighthouse keepers'' handbook > Supplies"}]', NULL);
INSERT INTO public.items VALUES (1, 39, 2, NULL, NULL, 38, 0, 0, NULL, 'user', NULL, 'The new lens arrives with the boat on the third Tuesday.', 12, 800000, NULL, 1795126636234018, 1795126636234018, NULL, NULL, 9, NULL, 9, 'Ada', NULL, NULL, NULL, NULL);
INSERT INTO public.items VALUES (1, 40, 2, NULL, NULL, NULL, 0, 0, NULL, 'user', NULL, 'The bell is polished in May.', 7, NULL, NULL, 1795126636342943, 1795126636342943, NULL, NULL, 10, 11, 11, NULL, '\xf683740cded6680d9d94dfe6a258e44c96a27278a89e15acb52c0b8f32453d38', 'bell', NULL, NULL);
INSERT INTO public.items VALUES (1, 41, 2, NULL, NULL, NULL, 0, 0, NULL, 'user', NULL, 'The bell is polished in June.', 7, NULL, NULL, 1795126636407844, 1795126636407844, NULL, NULL, 11, NULL, 11, NULL, '\xf683740cded6680d9d94dfe6a258e44c96a27278a89e15acb52c0b8f32453d38', 'bell', NULL, NULL);
INSERT INTO public.items VALUES (1, 44, 2, NULL, NULL, NULL, 0, 0, NULL, 'user', NULL, 'The page of the lamp was corrected.', 8, NULL, NULL, 1795126636812017, 1795126636812017, NULL, NULL, 16, NULL, 16, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.items VALUES (1, 45, 3, NULL, NULL, NULL, 0, 0, NULL, 'user', NULL, 'The lamp shows three flashes.', 6, NULL, NULL, 1795126637207675, 1795126637207675, NULL, NULL, 17, NULL, 17, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: labels; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.labels VALUES (1, 39, 9, '["general_inquiry"]', 'conversation', 'statement', '[]', 800000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 9);
INSERT INTO public.labels VALUES (1, 40, 10, '["general_inquiry"]', 'conversation', 'statement', '[]', 500000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 10);
INSERT INTO public.labels VALUES (1, 41, 11, '["general_inquiry"]', 'conversation', 'statement', '[]', 500000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 11);
INSERT INTO public.labels VALUES (1, 44, 16, '["general_inquiry"]', 'conversation', 'statement', '[]', 500000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 16);
INSERT INTO public.labels VALUES (1, 45, 17, '["general_inquiry"]', 'conversation', 'statement', '[]', 500000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 17);


--
-- Data for Name: lineage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.lineage VALUES (1, 45, 3);


--
-- Data for Name: operations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operations VALUES (1, '\x79fe1e62117d39edcdc0c687dc5d45b1e25daf4ba39eae634b90ac7b167977b1', '\x8782fad79bb3fac6ddbadb96e347016a02ffc51ca18682bb1bc65ca4d9f170c1', '054799e0-81f2-460a-ab21-d123fe5d250d/fc540283eb9c3268', 'ingest', 1, '\xd7d4543318c1553528bc6dbddbebe3f34e0116b337e00f859ed67573f9f776bb', 1, 1795126635912043, 1, 5, '{"status":"added","document_id":1,"version_id":2,"version":1,"chunks":1,"tokens":120,"retired_chunks":0,"classified":0,"kept_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xffa80037a9ad1ddfd4afbd8e799111d9555f8ba61622c968c11eaa5306698875', '\x8782fad79bb3fac6ddbadb96e347016a02ffc51ca18682bb1bc65ca4d9f170c1', '054799e0-81f2-460a-ab21-d123fe5d250d/5d9d1838b3f1a686', 'ingest', 1, '\x9ffe772ebcaf0a8a5739a7fc317479994b721998e1a8e70540f8e4b92be84701', 2, 1795126635980184, 5, 9, '{"status":"added","document_id":5,"version_id":6,"version":1,"chunks":1,"tokens":92,"retired_chunks":0,"classified":0,"kept_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x011bed4896fd8e1e75150fdee73bd0a8ff8fa06898aafe7a3186ab623342d779', '\x8782fad79bb3fac6ddbadb96e347016a02ffc51ca18682bb1bc65ca4d9f170c1', '054799e0-81f2-460a-ab21-d123fe5d250d/c73e40a8ee64d960', 'ingest', 1, '\x3c26028139a7e597e573d48ae2a196159897fa303a02f2e5be8878fc688975a9', 3, 1795126635986890, 9, 13, '{"status":"added","document_id":9,"version_id":10,"version":1,"chunks":1,"tokens":92,"retired_chunks":0,"classified":0,"kept_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x39828bee597375b1f0c1d4b4a837537ac02541595307d97e2cef9705f7395f35', '\x8782fad79bb3fac6ddbadb96e347016a02ffc51ca18682bb1bc65ca4d9f170c1', '054799e0-81f2-460a-ab21-d123fe5d250d/79279b213ca1e996', 'ingest', 1, '\xd0687fdc81f2025a486b27fd755b185dafbca0957448591f0045669c47afc8da', 4, 1795126635993319, 13, 17, '{"status":"added","document_id":13,"version_id":14,"version":1,"chunks":1,"tokens":131,"retired_chunks":0,"classified":0,"kept_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xdf301a9a40e7217e5c07dac6b77e0fc98bb27fa5f6e5f01d79445163e2f45483', '\x8782fad79bb3fac6ddbadb96e347016a02ffc51ca18682bb1bc65ca4d9f170c1', '054799e0-81f2-460a-ab21-d123fe5d250d/1fa849a4b33a04e5', 'ingest', 1, '\x13cefca66da085e64333a1d2d10703d95a5f51b3fbaeb8a3eeaa7b24d2800038', 5, 1795126636000721, 17, 21, '{"status":"added","document_id":17,"version_id":18,"version":1,"chunks":1,"tokens":216,"retired_chunks":0,"classified":0,"kept_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x7b079ceeff92fbf9a0a71e118853654dbd85f59b2e5b409ef54d7280308bfda8', '\x8782fad79bb3fac6ddbadb96e347016a02ffc51ca18682bb1bc65ca4d9f170c1', '054799e0-81f2-460a-ab21-d123fe5d250d/e2786b7e70937bcc', 'classify', 1, '\x0bec16a47f5f82d164bc4c1bec338f8673371bef783c2ea5a8ef7b45e719bd7f', 6, 1795126636010431, 21, 36, '{"chunks":5}', NULL);
INSERT INTO public.operations VALUES (1, '\xe93ad9c2f1c9b39fb1bd29319134c5ff41a535468e7270986209e8aff105944a', '\x5db9740bc40effd05f377d721875af61c1eb80e8f07715d6291b161eae167f73', '79e5ead1-38ca-45e6-8ec8-a4bffad7517a/60a9197a6305bac3', 'ingest', 1, '\xc7348f41c938a6847b148cfe9ab0a394dc90fe5b2b0280f55cc2f60aad4926ee', 7, 1795126636153088, 36, 38, '{"status":"updated","document_id":17,"version_id":36,"version":2,"chunks":1,"tokens":216,"retired_chunks":1,"classified":0,"kept_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xf85d717ed6bf1c5a1f6e661242c16e6ac704a84e5b13bc9ef18e77b37d5915f7', '\x5db9740bc40effd05f377d721875af61c1eb80e8f07715d6291b161eae167f73', '79e5ead1-38ca-45e6-8ec8-a4bffad7517a/0a4cc71d13cf6fba', 'classify', 1, '\xa48c72086b15ccb3b2ddac09851ae3768ab4e7249218d7461e366e876a442b8f', 8, 1795126636196589, 38, 38, '{"chunks":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x10f6dacbf2e324ea605c202d6e943adaa18672b212489e3f84ff0d3f63774956', '\x10f6dacbf2e324ea605c202d6e943adaa18672b212489e3f84ff0d3f63774956', 'c8cbf09a-e6c6-4f7c-b9cf-2e1cd6762698', 'remember', 1, '\xc8117e3c9941c90e0889724b59b7e636d3e2055e2446d34948fb959d2f4e4ef5', 9, 1795126636234018, 38, 40, '{"first_item_id":39,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xd2fd9fcfa8e3f8d2d97903b6a48fdde8ca2ac19615e84591a7f0629669734bbc', '\xd2fd9fcfa8e3f8d2d97903b6a48fdde8ca2ac19615e84591a7f0629669734bbc', 'dfd3bdcf-5127-4297-9a23-96072ebcfdef', 'remember', 1, '\x8f017cd7cabe64c49c8382ee0aeab4fe2bdc8e981bf8831278d87e65a0777b77', 10, 1795126636342943, 40, 41, '{"first_item_id":40,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x9628ff63921af50aaea84c4e1de990c8c10a5f1ae85521767473ba83c185d936', '\x9628ff63921af50aaea84c4e1de990c8c10a5f1ae85521767473ba83c185d936', '243f0466-fe41-4028-a6fd-207c5e01ceb2', 'remember', 1, '\x91f8bd9da7beeaaf62267d0f28926872eaf4608d04b57b11b82469cca6bac281', 11, 1795126636407844, 41, 42, '{"first_item_id":41,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x2e9704147069dd384a38b85e67042ea4144b1e0fb46738979f57cbe0fb1b1830', '\x2e9704147069dd384a38b85e67042ea4144b1e0fb46738979f57cbe0fb1b1830', '095bd48b-6a57-4cae-9ab9-680e494bf8f3', 'remember', 1, NULL, 12, 1795126636561661, 42, 44, '{"first_item_id":43,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xace08f746194c7785158c8cc9c769ae520a1976dfa25da095a39c2c5af9af5cd', '\xace08f746194c7785158c8cc9c769ae520a1976dfa25da095a39c2c5af9af5cd', '9924a697-e7b2-4b84-b6ff-ad029e937261', 'forget', 1, '\x8482d856b9cc9b10eb5854a59937d66f5c5d5995db39fc4615fd5252b47ad143', 13, 1795126636610345, 44, 44, '{"chunks":0,"messages":1,"facts":0,"summaries":0,"derived":0,"documents":0,"versions":0,"threads":1,"receipts":0,"helpers":0,"categories":0,"records":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xc3431e29f1830838528a779b4b0ca8e5edebd45b84d7f6cd18944e5e4d5ffc19', '\xc3431e29f1830838528a779b4b0ca8e5edebd45b84d7f6cd18944e5e4d5ffc19', 'c86e22b1-cb82-4378-8942-01dc34a0f19e', 'set_standing_text', 1, '\x063af06bcf9edf5d93d7703f2a6d15ff970860f0d97722ebf1391e6d280f56a2', 14, 1795126636682066, 44, 44, '[1,1]', NULL);
INSERT INTO public.operations VALUES (1, '\x2dfab654d200a5056b0b10e288a37c94cf5aa0b5a230b7229f16f3e5f0f1d470', '\x2dfab654d200a5056b0b10e288a37c94cf5aa0b5a230b7229f16f3e5f0f1d470', '62ea67b7-4431-4273-868b-72e1c590dd98', 'important', 1, NULL, 15, 1795126636732548, 44, 44, '{"item":41,"is_changed":true}', NULL);
INSERT INTO public.operations VALUES (1, '\xd3ca8e2c0860f2bf7d529a3eda32de44333135f6d144792593e83bb9b54def5e', '\xd3ca8e2c0860f2bf7d529a3eda32de44333135f6d144792593e83bb9b54def5e', '9429cf8f-24d9-4dd9-9b0e-1349f65574ea', 'remember', 1, NULL, 16, 1795126636812017, 44, 45, '{"first_item_id":44,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xa9a0d20a3f2d9afe39838e8901bc13ab0dbde6fe22f2e90b113dc9d433099c5f', '\xa9a0d20a3f2d9afe39838e8901bc13ab0dbde6fe22f2e90b113dc9d433099c5f', 'cca9a618-aef2-4219-af74-098e2eab462c', 'remember', 1, '\xb04cf9381b16ae90c9c54385326a3de81fd2c94f2da26712d5631f6bd8a37707', 17, 1795126637207675, 45, 46, '{"first_item_id":45,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x549d04b9952b7aea2eb9772fa098753edbcff3c1adf6766c02c01c795cbebaa0', '\x549d04b9952b7aea2eb9772fa098753edbcff3c1adf6766c02c01c795cbebaa0', '9e7ea711-a36b-43ed-ac22-09f2bb2ab53b', 'confirm_fact', 1, '\x755a780703a5d2bda06dcf5f54cbadbda5fc1ff9c473b6974dfa555c3fb3b1f0', 18, 1795126637494012, 46, 46, '{"fact":45,"review_by":"2099-01-01T00:00:00Z","is_changed":true}', NULL);


--
-- Data for Name: queue; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.queue VALUES (1, 0);


--
-- Data for Name: queues; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: receipt_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 3, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 7, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 11, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 15, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 37, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 39, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 41, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 44, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 45, NULL);


--
-- Data for Name: receipts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.receipts VALUES (1, '\x74fad51bea8d9b98b7c12b986984e302d8d25195a19723a5d235cd379d1f45ec', 1795126637603907, '{"format":4,"engine":"0.1.0","made_at":"2026-11-19T22:17:17.603907Z","query":"how many flashes does the lamp show","session_id":null,"asked_at":"2026-11-19T22:17:17.603907Z","as_of":null,"spaces":["user:default"],"revisions":[18],"settings":{"top_k":8,"clip_sentences":2,"excerpts":"fill","max_tokens":1500,"budget_covers":"text","search_type":"hybrid","min_score":0.3,"enable_redaction":false,"custom_redaction_patterns":[],"interleaving":{"strategy":"alternate"}},"redaction":[],"tokenizer":"o200k_base","template":"## Relevant Context from Previous Conversations\n\n### Previous Messages\n[{time}] {who}: {content}\n\n### Known Facts\n- {content} (confidence: {score})\n\n### Conversation Summaries\n- {content}\n\n### Documents\nFrom {document}:\n- {content}{place}\n\n_Retrieved {count} memories_\n","memories":[{"collection":"user:default","item_id":45,"item_sha256":"f17473ccbe465c7c947c03fce46e236efef7aca1c0f7265a5e08158237fe474c","score":0.7783378426426781,"original_length":29,"span":{"start":0,"end":29,"is_late":false,"is_cut":false}},{"collection":"user:default","item_id":44,"item_sha256":"c6a48cfff48b3c10ea017b43a0ae22fa826dc4843bc02234a65c239573083c8d","score":0.422319281391218,"original_length":35,"span":{"start":0,"end":35,"is_late":false,"is_cut":false}},{"collection":"user:default","item_id":37,"item_sha256":"4f0adf25242e256d3dce817cdf462f0ee2802fe09ce9b16761f3e25ccbb3e3a2","score":0.43195149119101905,"original_length":982,"span":{"start":0,"end":981,"is_late":false,"is_cut":false}},{"collection":"user:default","item_id":7,"item_sha256":"626743752e922c9a26be7f46a8af6375f97afc9f0f3373f5f95e798da578f8d9","score":0.43127275793701125,"original_length":356,"span":{"start":0,"end":356,"is_late":false,"is_cut":false}}],"found":[{"collection":"user:default","item_id":45},{"collection":"user:default","item_id":37},{"collection":"user:default","item_id":7},{"collection":"user:default","item_id":44},{"collection":"user:default","item_id":15},{"collection":"user:default","item_id":39},{"collection":"user:default","item_id":11},{"collection":"user:default","item_id":41},{"collection":"user:default","item_id":3}],"total_tokens":321,"memories_sha256":"319f5219c4940a4aec207b6483393756c2748f08a6e9c49eba035871afaf4398","text_sha256":"c99f98201ccd8a053464f748a4a28888057cd5481b2c49fc3a4d381415dd47dd","trace":{"stages":[{"name":"question","decisions":[{"subject":"how","action":"dropped","reason":"common_word"},{"subject":"many","action":"kept","reason":"word","detail":"looked up as mani or manyflash"},{"subject":"flashes","action":"kept","reason":"word","detail":"looked up as flash or manyflash"},{"subject":"does","action":"dropped","reason":"common_word"},{"subject":"the","action":"dropped","reason":"common_word"},{"subject":"lamp","action":"kept","reason":"word","detail":"looked up as lamp or lampshow"},{"subject":"show","action":"kept","reason":"word","detail":"looked up as show or lampshow"}]},{"name":"hybrid","decisions":[{"subject":"many","action":"kept","reason":"word","detail":"user:default: in 0 items"},{"subject":"flashes","action":"kept","reason":"word","detail":"user:default: in 3 items"},{"subject":"lamp","action":"kept","reason":"word","detail":"user:default: in 5 items"},{"subject":"show","action":"kept","reason":"word","detail":"user:default: in 1 items"},{"subject":"user:default","action":"kept","reason":"candidates","detail":"5 by words, 9 by meaning, 9 in total, 9 with a score"}]},{"name":"rank","decisions":[{"subject":"user:default item 45","action":"kept","reason":"score","detail":"rank 1, score 0.778338"},{"subject":"user:default item 37","action":"kept","reason":"score","detail":"rank 2, score 0.431951"},{"subject":"user:default item 7","action":"kept","reason":"score","detail":"rank 3, score 0.431273"},{"subject":"user:default item 44","action":"kept","reason":"score","detail":"rank 4, score 0.422319"},{"subject":"user:default item 15","action":"kept","reason":"score","detail":"rank 5, score 0.195736"},{"subject":"user:default item 39","action":"kept","reason":"score","detail":"rank 6, score 0.099770"},{"subject":"user:default item 11","action":"kept","reason":"score","detail":"rank 7, score 0.039157"},{"subject":"user:default item 41","action":"kept","reason":"score","detail":"rank 8, score 0.036821"},{"subject":"user:default item 3","action":"kept","reason":"score","detail":"rank 9, score 0.002235"}]},{"name":"gate","decisions":[{"subject":"user:default item 15","action":"dropped","reason":"min_score","detail":"score 0.1957 is below 0.3"},{"subject":"user:default item 39","action":"dropped","reason":"min_score","detail":"score 0.0998 is below 0.3"},{"subject":"user:default item 11","action":"dropped","reason":"min_score","detail":"score 0.0392 is below 0.3"},{"subject":"user:default item 41","action":"dropped","reason":"min_score","detail":"score 0.0368 is below 0.3"},{"subject":"user:default item 3","action":"dropped","reason":"min_score","detail":"score 0.0022 is below 0.3"},{"subject":"4 passages","action":"kept","reason":"min_score","detail":"scores of at least 0.3"}]},{"name":"deduplicate","decisions":[]},{"name":"top_k","decisions":[]},{"name":"interleave","decisions":[{"subject":"user:default item 45","action":"kept","reason":"relevance","detail":"place 1, score 0.7783"},{"subject":"user:default item 44","action":"kept","reason":"recency","detail":"place 2, from 2026-11-19T22:17:16.812017Z"},{"subject":"user:default item 37","action":"kept","reason":"relevance","detail":"place 3, score 0.4320"},{"subject":"user:default item 7","action":"kept","reason":"recency","detail":"place 4, from 2026-11-19T22:17:15.417293Z"}]},{"name":"clip","decisions":[]},{"name":"budget","decisions":[{"subject":"user:default item 45","action":"kept","reason":"fits","detail":"6 tokens, 6 in total"},{"subject":"user:default item 44","action":"kept","reason":"fits","detail":"8 tokens, 14 in total"},{"subject":"user:default item 37","action":"kept","reason":"fits","detail":"216 tokens, 230 in total"},{"subject":"user:default item 7","action":"kept","reason":"fits","detail":"91 tokens, 321 in total"}]}]}}');


--
-- Data for Name: recordar_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recordar_schema VALUES (1, 'spine');
INSERT INTO public.recordar_schema VALUES (2, 'index');
INSERT INTO public.recordar_schema VALUES (3, 'receipts');
INSERT INTO public.recordar_schema VALUES (4, 'spending');
INSERT INTO public.recordar_schema VALUES (5, 'tree');
INSERT INTO public.recordar_schema VALUES (6, 'conversation');
INSERT INTO public.recordar_schema VALUES (7, 'documents');
INSERT INTO public.recordar_schema VALUES (8, 'collections');
INSERT INTO public.recordar_schema VALUES (9, 'vectors');
INSERT INTO public.recordar_schema VALUES (10, 'facts');
INSERT INTO public.recordar_schema VALUES (11, 'compose');
INSERT INTO public.recordar_schema VALUES (12, 'keys');
INSERT INTO public.recordar_schema VALUES (13, 'living_facts');


--
-- Data for Name: records; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reservations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: roots; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.roots VALUES (1, '\xb4128df29f3726b470dcc4b138fec23a39a7a2b8483bca2a2fa4b0c38931f9eb', '\xb370de14e94142d4a108a79df6d0e265a0ba3fa2e10f57c4b3a892b74c9f84aa', 1, 'handbook', 'lighthouse', '/srv/recordar-saved/handbook', NULL, 1);


--
-- Data for Name: segments; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: spaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spaces VALUES (1, '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 'user:default', 1, 46, 18, 1795126637494012, 1795126635912043);


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: standing_texts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.standing_texts VALUES (1, 1, 14, 1, 'Keep the light burning.', 14);


--
-- Data for Name: store; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.store VALUES (1, 2);


--
-- Data for Name: threads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.threads VALUES (1, 38, '\x3dc548d7cdb8d1638e664f7eb425d7ec7972254e0c2eb4b138863d17ca937ba9', 'supplies', 'Supplies', 9, 9);


--
-- Data for Name: tombstones; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tombstones VALUES (1, 42, 12, 13);
INSERT INTO public.tombstones VALUES (1, 43, 2, 13);


--
-- Data for Name: trees; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.trees VALUES (1, 3);


--
-- Data for Name: uses; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: vectors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: versions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.versions VALUES (1, 2, 1, 1, '\xb3dcdd9f3878c0d35e5cfa8585d2da20ce515ce44434d76547bd105ac6f3c2d5', 385, 385, 1795126635417252, 'json', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 120, 0, 1795126635912043, 1, NULL, 1, '/srv/recordar-saved/handbook', '/srv/recordar-saved/handbook/contacts.json', '\xd46bb07817fbec4f0dd4c52430ba6b5d43229eb798bb8db793c0d6aff52f0e50', 'contacts.json');
INSERT INTO public.versions VALUES (1, 6, 5, 1, '\x7d39deba00d20b602294fdc35c3e34e0e7b5d940270968281c4a0fb6fcdf4b70', 357, 356, 1795126635417293, 'yaml', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1795126635980184, 2, NULL, 2, '/srv/recordar-saved/handbook', '/srv/recordar-saved/handbook/duties.yaml', '\x1b789d3c51ac2555c5a89eb28608a8e090c42806ce6a82d9bec9f62eabdb12f0', 'duties.yaml');
INSERT INTO public.versions VALUES (1, 10, 9, 1, '\x211b53febbf8954369dc6f20b40e4406122d1e81f1ce0bba1e39258bf47caf43', 368, 368, 1795126635417327, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1795126635986890, 3, NULL, 3, '/srv/recordar-saved/handbook', '/srv/recordar-saved/handbook/recipes/fish-soup.md', '\xb38131029b6a6b6c9e47b589617be6e4c8cf803004008ced8a92d22f752c3663', 'recipes/fish-soup.md');
INSERT INTO public.versions VALUES (1, 14, 13, 1, '\x45d4eff2766717520c6aa344aacb2633040da3ca68fb9abd474a61cdc78e5975', 563, 563, 1795126635417345, 'text', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 131, 0, 1795126635993319, 4, NULL, 4, '/srv/recordar-saved/handbook', '/srv/recordar-saved/handbook/weather.txt', '\x6a045572db0de1b2c3ab85c1566d593c3e3987afbcd6dc840073e76a0c5092bb', 'weather.txt');
INSERT INTO public.versions VALUES (1, 18, 17, 1, '\x207a1e322b69a34e5a595a1730c38b54f444112673ad58475cc3b0883c2b2279', 980, 980, 1795126635417359, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1795126636000721, 5, 7, 7, '/srv/recordar-saved/handbook', '/srv/recordar-saved/handbook/welcome.md', '\x59c4c3863ecb780d947f33aa594dfd2a02d83f18b6602f9e4f9f640bb621edd9', 'welcome.md');
INSERT INTO public.versions VALUES (1, 36, 17, 2, '\x2d2c2c93987d4b2dd8c1aa145c3c37423db1e9bfd9a518ef917d3d5b700d678f', 982, 982, 1795126636061146, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1795126636153088, 7, NULL, 7, '/srv/recordar-saved/handbook', '/srv/recordar-saved/handbook/welcome.md', '\x59c4c3863ecb780d947f33aa594dfd2a02d83f18b6602f9e4f9f640bb621edd9', 'welcome.md');


--
-- Data for Name: vocabularies; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: abouts abouts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.abouts
    ADD CONSTRAINT abouts_pkey PRIMARY KEY (space_id, item_id, document_id);


--
-- Name: account_spending account_spending_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_spending
    ADD CONSTRAINT account_spending_pkey PRIMARY KEY (day, account);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_id);


--
-- Name: attributes attributes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attributes
    ADD CONSTRAINT attributes_pkey PRIMARY KEY (space_id, document_id, born);


--
-- Name: buckets buckets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.buckets
    ADD CONSTRAINT buckets_pkey PRIMARY KEY (space_id, bucket_hash);


--
-- Name: categories categories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (space_id, category_id);


--
-- Name: categories categories_space_id_category_id_leaf_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_space_id_category_id_leaf_key UNIQUE (space_id, category_id, leaf);


--
-- Name: categories categories_space_id_category_id_level_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_space_id_category_id_level_key UNIQUE (space_id, category_id, level);


--
-- Name: categories categories_space_id_parent_key_name_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_space_id_parent_key_name_hash_key UNIQUE (space_id, parent_key, name_hash);


--
-- Name: confirmations confirmations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.confirmations
    ADD CONSTRAINT confirmations_pkey PRIMARY KEY (space_id, item_id, born);


--
-- Name: documents documents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (space_id, document_id);


--
-- Name: documents documents_space_id_path_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_space_id_path_hash_key UNIQUE (space_id, path_hash);


--
-- Name: embedders embedders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedders
    ADD CONSTRAINT embedders_pkey PRIMARY KEY (number);


--
-- Name: expiries expiries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.expiries
    ADD CONSTRAINT expiries_pkey PRIMARY KEY (space_id, kind, subject, tag_hash);


--
-- Name: fact_marks fact_marks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.fact_marks
    ADD CONSTRAINT fact_marks_pkey PRIMARY KEY (space_id, item_id, born);


--
-- Name: fact_words fact_words_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.fact_words
    ADD CONSTRAINT fact_words_pkey PRIMARY KEY (space_id, item_id, source_id, born);


--
-- Name: facts facts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.facts
    ADD CONSTRAINT facts_pkey PRIMARY KEY (space_id, item_id);


--
-- Name: headings headings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.headings
    ADD CONSTRAINT headings_pkey PRIMARY KEY (space_id, item_id, born);


--
-- Name: helpers helpers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.helpers
    ADD CONSTRAINT helpers_pkey PRIMARY KEY (space_id, helper_id);


--
-- Name: helpers helpers_space_id_document_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.helpers
    ADD CONSTRAINT helpers_space_id_document_id_number_key UNIQUE (space_id, document_id, number);


--
-- Name: important_marks important_marks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.important_marks
    ADD CONSTRAINT important_marks_pkey PRIMARY KEY (space_id, item_id, born);


--
-- Name: items items_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (space_id, item_id);


--
-- Name: jobs jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (space_id, kind, subject);


--
-- Name: labels labels_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.labels
    ADD CONSTRAINT labels_pkey PRIMARY KEY (space_id, item_id, born);


--
-- Name: lineage lineage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.lineage
    ADD CONSTRAINT lineage_pkey PRIMARY KEY (space_id, item_id, source_id);


--
-- Name: operations operations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (space_id, operation_hash);


--
-- Name: queue queue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (id);


--
-- Name: queues queues_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.queues
    ADD CONSTRAINT queues_pkey PRIMARY KEY (space_id, kind);


--
-- Name: receipt_sources receipt_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt_sources
    ADD CONSTRAINT receipt_sources_pkey PRIMARY KEY (space_id, receipt_hash, source_hash, source_id);


--
-- Name: receipts receipts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (space_id, receipt_hash);


--
-- Name: recordar_schema recordar_schema_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recordar_schema
    ADD CONSTRAINT recordar_schema_pkey PRIMARY KEY (version);


--
-- Name: records records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (space_id, bucket_hash, name, part);


--
-- Name: reservations reservations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (reservation);


--
-- Name: roots roots_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.roots
    ADD CONSTRAINT roots_pkey PRIMARY KEY (space_id, collection_hash, machine_hash, born);


--
-- Name: segments segments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_pkey PRIMARY KEY (space_id, model_hash, first_id, end_id, part);


--
-- Name: spaces spaces_name_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_name_hash_key UNIQUE (name_hash);


--
-- Name: spaces spaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spaces
    ADD CONSTRAINT spaces_pkey PRIMARY KEY (space_id);


--
-- Name: spending spending_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spending
    ADD CONSTRAINT spending_pkey PRIMARY KEY (day);


--
-- Name: standing_texts standing_texts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.standing_texts
    ADD CONSTRAINT standing_texts_pkey PRIMARY KEY (space_id, kind, born);


--
-- Name: store store_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.store
    ADD CONSTRAINT store_pkey PRIMARY KEY (id);


--
-- Name: threads threads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (space_id, thread_id);


--
-- Name: threads threads_space_id_name_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_space_id_name_hash_key UNIQUE (space_id, name_hash);


--
-- Name: tombstones tombstones_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (space_id, id);


--
-- Name: trees trees_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trees
    ADD CONSTRAINT trees_pkey PRIMARY KEY (space_id);


--
-- Name: trees trees_space_id_depth_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trees
    ADD CONSTRAINT trees_space_id_depth_key UNIQUE (space_id, depth);


--
-- Name: uses uses_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uses
    ADD CONSTRAINT uses_pkey PRIMARY KEY (space_id, item_id);


--
-- Name: vectors vectors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vectors
    ADD CONSTRAINT vectors_pkey PRIMARY KEY (space_id, item_id, model_hash);


--
-- Name: versions versions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (space_id, version_id);


--
-- Name: versions versions_space_id_document_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.versions
    ADD CONSTRAINT versions_space_id_document_id_number_key UNIQUE (space_id, document_id, number);


--
-- Name: vocabularies vocabularies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.vocabularies
    ADD CONSTRAINT vocabularies_pkey PRIMARY KEY (number);


--
-- Name: abouts_by_version; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX abouts_by_version ON public.abouts USING btree (space_id, version_id);


--
-- Name: api_keys_by_secret; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX api_keys_by_secret ON public.api_keys USING btree (secret_hash);


--
-- Name: attributes_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX attributes_by_change ON public.attributes USING btree (space_id, changed);


--
-- Name: categories_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX categories_by_change ON public.categories USING btree (space_id, changed);


--
-- Name: categories_by_parent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX categories_by_parent ON public.categories USING btree (space_id, parent_id);


--
-- Name: documents_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX documents_by_change ON public.documents USING btree (space_id, changed);


--
-- Name: expiries_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX expiries_by_time ON public.expiries USING btree (space_id, expires_at);


--
-- Name: fact_words_by_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX fact_words_by_source ON public.fact_words USING btree (space_id, source_id);


--
-- Name: fact_words_by_words; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX fact_words_by_words ON public.fact_words USING btree (space_id, words_id);


--
-- Name: facts_by_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX facts_by_key ON public.facts USING btree (space_id, key_hash);


--
-- Name: facts_by_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX facts_by_source ON public.facts USING btree (space_id, source_id);


--
-- Name: facts_by_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX facts_by_subject ON public.facts USING btree (space_id, subject_hash);


--
-- Name: headings_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX headings_by_change ON public.headings USING btree (space_id, changed);


--
-- Name: helpers_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX helpers_by_change ON public.helpers USING btree (space_id, changed);


--
-- Name: items_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_change ON public.items USING btree (space_id, changed);


--
-- Name: items_by_document; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_document ON public.items USING btree (space_id, document_id);


--
-- Name: items_by_leaf; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_leaf ON public.items USING btree (space_id, category_id, kind, retired, recorded_at, item_id);


--
-- Name: items_by_own_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_own_id ON public.items USING btree (space_id, own_id_hash);


--
-- Name: items_by_retirement; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_retirement ON public.items USING btree (space_id, retired);


--
-- Name: items_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_thread ON public.items USING btree (space_id, thread_id);


--
-- Name: jobs_by_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_by_due ON public.jobs USING btree (space_id, kind, due_at, subject);


--
-- Name: jobs_by_lease; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_by_lease ON public.jobs USING btree (lease, space_id);


--
-- Name: labels_by_backfill; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX labels_by_backfill ON public.labels USING btree (backfill, retired, space_id, item_id);


--
-- Name: labels_by_category; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX labels_by_category ON public.labels USING btree (suggested_category_hash, retired, space_id, item_id);


--
-- Name: labels_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX labels_by_change ON public.labels USING btree (space_id, changed);


--
-- Name: labels_by_topic; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX labels_by_topic ON public.labels USING btree (suggested_topic_hash, retired, space_id, item_id);


--
-- Name: lineage_by_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX lineage_by_source ON public.lineage USING btree (space_id, source_id);


--
-- Name: operations_by_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_by_revision ON public.operations USING btree (space_id, revision);


--
-- Name: operations_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_by_time ON public.operations USING btree (space_id, recorded_at, revision);


--
-- Name: operations_by_whole; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_by_whole ON public.operations USING btree (space_id, whole_hash);


--
-- Name: queues_by_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX queues_by_due ON public.queues USING btree (kind, due_at);


--
-- Name: queues_by_turn; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX queues_by_turn ON public.queues USING btree (last_turn, space_id);


--
-- Name: receipt_sources_by_item; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX receipt_sources_by_item ON public.receipt_sources USING btree (source_hash, source_id);


--
-- Name: receipts_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX receipts_by_time ON public.receipts USING btree (space_id, made_at);


--
-- Name: records_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX records_by_age ON public.records USING btree (space_id, bucket_hash, part, born, "position");


--
-- Name: reservations_by_day; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reservations_by_day ON public.reservations USING btree (day);


--
-- Name: threads_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX threads_by_change ON public.threads USING btree (space_id, changed);


--
-- Name: tombstones_by_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tombstones_by_revision ON public.tombstones USING btree (space_id, revision);


--
-- Name: uses_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uses_by_change ON public.uses USING btree (space_id, changed);


--
-- Name: vectors_by_text; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX vectors_by_text ON public.vectors USING btree (space_id, model_hash, text_hash);


--
-- Name: versions_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX versions_by_change ON public.versions USING btree (space_id, changed);


--
-- Name: versions_by_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX versions_by_name ON public.versions USING btree (space_id, name_hash);


--
-- Name: categories categories_space_id_depth_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_space_id_depth_fkey FOREIGN KEY (space_id, depth) REFERENCES public.trees(space_id, depth);


--
-- Name: categories categories_space_id_parent_id_parent_level_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_space_id_parent_id_parent_level_fkey FOREIGN KEY (space_id, parent_id, parent_level) REFERENCES public.categories(space_id, category_id, level);


--
-- Name: items items_space_id_category_id_category_leaf_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.items
    ADD CONSTRAINT items_space_id_category_id_category_leaf_fkey FOREIGN KEY (space_id, category_id, category_leaf) REFERENCES public.categories(space_id, category_id, leaf);


--
-- PostgreSQL database dump complete
--


