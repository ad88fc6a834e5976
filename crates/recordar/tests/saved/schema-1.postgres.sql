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
-- Name: documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.documents (
    space_id bigint NOT NULL,
    document_id bigint NOT NULL,
    path_hash bytea NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    filename text NOT NULL COLLATE pg_catalog."C",
    born bigint NOT NULL,
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
    CONSTRAINT items_check CHECK ((((category_id IS NULL) AND (category_leaf IS NULL)) OR ((category_id IS NOT NULL) AND (category_leaf IS NOT NULL) AND (category_leaf = 1) AND (kind = 1))))
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
-- Name: recordar_schema; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recordar_schema (
    version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
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
    changed bigint NOT NULL
);


--
-- Data for Name: categories; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: documents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.documents VALUES (1, 1, '\x9b4f569ba9aa545b9871cfc489070b147ea2c70b85b7873958e940521a026646', '/srv/handbook/contacts.json', 'contacts.json', 1, 1);
INSERT INTO public.documents VALUES (1, 4, '\xffc960129cea123d3d5fcc240096c95dc36719a3f4365b264b2999c261bab5ab', '/srv/handbook/duties.yaml', 'duties.yaml', 2, 2);
INSERT INTO public.documents VALUES (1, 7, '\x70095ea82bf1add2b408337b7c063aac8cf82e3fa7ff576c99f146e1352f4eac', '/srv/handbook/recipes/fish-soup.md', 'fish-soup.md', 3, 3);
INSERT INTO public.documents VALUES (1, 10, '\x2ab21a6a11f6fe3e2e34eb02d4a41d4e0e6d7f316cfe38ea448dc922089299b7', '/srv/handbook/weather.txt', 'weather.txt', 4, 4);
INSERT INTO public.documents VALUES (1, 13, '\xbd172072e24f314834bf95ca125dd81a4ede8653aa58c6359252a505bad79896', '/srv/handbook/welcome.md', 'welcome.md', 5, 6);


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
', 120, NULL, NULL, 1794715059685976, 1794715059809820, NULL, NULL, 1, NULL, 1);
INSERT INTO public.items VALUES (1, 6, 1, 4, 5, NULL, 0, 0, 'watch', NULL, NULL, 'watch:
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
', 92, NULL, NULL, 1794715059685987, 1794715059814949, NULL, NULL, 2, NULL, 2);
INSERT INTO public.items VALUES (1, 9, 1, 7, 8, NULL, 0, 0, 'Fish soup for a storm', NULL, NULL, '# Fish soup for a storm

For two keepers and one guest.

1. Fry an onion and two cloves of garlic in oil until they are soft.
2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.
3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.

It keeps for two days, which is as long as most storms.
', 92, NULL, NULL, 1794715059685932, 1794715059816116, NULL, NULL, 3, NULL, 3);
INSERT INTO public.items VALUES (1, 12, 1, 10, 11, NULL, 0, 0, NULL, NULL, NULL, 'How to read the sky at Punta Clara.

A red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken
before noon mean rain within a day. When the gulls stay on land, so does the boat.

The barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters
on the west side, fasten the boat with the second rope, and fill the lamp for two nights.

Swell without wind comes from a storm that is still far away. It arrives about a day before the storm does.
', 131, NULL, NULL, 1794715059685965, 1794715059817416, NULL, NULL, 4, NULL, 4);
INSERT INTO public.items VALUES (1, 15, 1, 13, 14, NULL, 0, 0, 'The lighthouse keepers'' handbook', NULL, NULL, '# The lighthouse keepers'' handbook

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
', 216, NULL, NULL, 1794715059685952, 1794715059818318, NULL, NULL, 5, 6, 6);
INSERT INTO public.items VALUES (1, 17, 1, 13, 16, NULL, 0, 0, 'The lighthouse keepers'' handbook', NULL, NULL, '# The lighthouse keepers'' handbook

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
', 216, NULL, NULL, 1794715059824443, 1794715059940650, NULL, NULL, 6, NULL, 6);
INSERT INTO public.items VALUES (1, 19, 2, NULL, NULL, 18, 0, 0, NULL, 'user', NULL, 'The new lens arrives with the boat on the third Tuesday.', 12, 800000, NULL, 1794715060044118, 1794715060044118, NULL, NULL, 7, NULL, 7);


--
-- Data for Name: lineage; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: operations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operations VALUES (1, '\x5282723dc40f9d8a2ffd5045904bc903e1865ba6cf93b586268d8092db1c98d8', '\xe17dadac0ec606f99c5a6e18f0d635fac7c94569dbd1fb35c7b3514f80328092', '5b7566fa-ca83-4087-ad3a-a17ccab37909/9d323b5774b73509', 'ingest', 1, '\x660d1af56d27bb1a80ed4e1b647f8bae7f473a222c36a4d53e9e2047c3b71b47', 1, 1794715059809820, 1, 4, '{"status":"added","document_id":1,"version_id":2,"version":1,"chunks":1,"tokens":120,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x4b9006265ab19af8930aa5ca8901941ef8d20043487852423ff1229c6b3bf997', '\xe17dadac0ec606f99c5a6e18f0d635fac7c94569dbd1fb35c7b3514f80328092', '5b7566fa-ca83-4087-ad3a-a17ccab37909/38931007716573a1', 'ingest', 1, '\x80aaf5172a8904fed7f50063ef896292f8f22a1ccc9b0e23481a5ebec4fc3217', 2, 1794715059814949, 4, 7, '{"status":"added","document_id":4,"version_id":5,"version":1,"chunks":1,"tokens":92,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xb744dcb9d234effdb834081c1dc600baa042f6bb59f70bfc9ec61ce37fcea195', '\xe17dadac0ec606f99c5a6e18f0d635fac7c94569dbd1fb35c7b3514f80328092', '5b7566fa-ca83-4087-ad3a-a17ccab37909/a509686f017fe20b', 'ingest', 1, '\x07b1f9c8a4bd395dad553a96455a262920496a8e231d110d00d5a76963ab793d', 3, 1794715059816116, 7, 10, '{"status":"added","document_id":7,"version_id":8,"version":1,"chunks":1,"tokens":92,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x9695fe814e29367bc09fbd106be6dede8f6da7bad2b9743858dabe72502b0221', '\xe17dadac0ec606f99c5a6e18f0d635fac7c94569dbd1fb35c7b3514f80328092', '5b7566fa-ca83-4087-ad3a-a17ccab37909/65b9948a61264dd2', 'ingest', 1, '\x6ca0443476c061899d6eaf57ff57715013925bc5be1b13d4624d204158027c0b', 4, 1794715059817416, 10, 13, '{"status":"added","document_id":10,"version_id":11,"version":1,"chunks":1,"tokens":131,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x959294190b14f6779ecc824c782dbdd9cae437878687323b1fca9f89815329e7', '\xe17dadac0ec606f99c5a6e18f0d635fac7c94569dbd1fb35c7b3514f80328092', '5b7566fa-ca83-4087-ad3a-a17ccab37909/e4026ee1bb89f917', 'ingest', 1, '\xd2d711222c78edf9cf3aa73673cbdf3caf7ab51cc3832237465161db026bfeba', 5, 1794715059818318, 13, 16, '{"status":"added","document_id":13,"version_id":14,"version":1,"chunks":1,"tokens":216,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x37f0c5968e5e6ed90f9db752b5891cfce0d82b1fbc1f558551b49ac1d80c4246', '\xd0cb6fd998213dc9afd371a2367ee9bc563dd3c1d265d1b7a4c633837346aaa1', '55aae588-69fa-469d-9d88-13961aa53936/3bfbdec120cf61d8', 'ingest', 1, '\x35a1cc6093b9d14f00dbb688cc78ce9c9c2d168f144be7662891de5f64b990c7', 6, 1794715059940650, 16, 18, '{"status":"updated","document_id":13,"version_id":16,"version":2,"chunks":1,"tokens":216,"retired_chunks":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x3989b95548f0ee58dad10c0a6a0ee12cc68c8e3aa84c7f957c4a89488b0beaf5', '\x3989b95548f0ee58dad10c0a6a0ee12cc68c8e3aa84c7f957c4a89488b0beaf5', '9a2e73e4-141f-48e8-84a9-e516509c81a5', 'remember', 1, '\x092f12ab2d909332d750b3c9458004e55253ba56fcd5c781982d95d16e5166df', 7, 1794715060044118, 18, 20, '{"first_item_id":19,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x12f839804591577cc51746204788071089bee47456c39d793288b478e9db757b', '\x12f839804591577cc51746204788071089bee47456c39d793288b478e9db757b', '57e4fb7c-3b86-4c8f-8a2d-6849b4088c5f', 'remember', 1, NULL, 8, 1794715060146904, 20, 22, '{"first_item_id":21,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x6bef317833dbae83e40c26f7dbfddcfc3a139cb2c352c56c5afd26a9703f3bfc', '\x6bef317833dbae83e40c26f7dbfddcfc3a139cb2c352c56c5afd26a9703f3bfc', '5384aa48-04f4-4f55-b79a-2a103552a8a1', 'forget', 1, '\x39200d1e8a8dbbb6d7bcea51e02b99f062d32a5f83151e8c5a9fab79576245dd', 9, 1794715060158983, 22, 22, '{"chunks":0,"messages":1,"facts":0,"summaries":0,"derived":0,"documents":0,"versions":0,"threads":1}', NULL);


--
-- Data for Name: recordar_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recordar_schema VALUES (1, 'spine');


--
-- Data for Name: spaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spaces VALUES (1, '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 'user:default', 1, 22, 9, 1794715060158983, 1794715059809820);


--
-- Data for Name: store; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.store VALUES (1, 2);


--
-- Data for Name: threads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.threads VALUES (1, 18, '\x3dc548d7cdb8d1638e664f7eb425d7ec7972254e0c2eb4b138863d17ca937ba9', 'supplies', 'Supplies', 7, 7);


--
-- Data for Name: tombstones; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tombstones VALUES (1, 20, 12, 9);
INSERT INTO public.tombstones VALUES (1, 21, 2, 9);


--
-- Data for Name: trees; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: versions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.versions VALUES (1, 2, 1, 1, '\xb3dcdd9f3878c0d35e5cfa8585d2da20ce515ce44434d76547bd105ac6f3c2d5', 385, 385, 1794715059685976, 'json', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 120, 0, 1794715059809820, 1, NULL, 1);
INSERT INTO public.versions VALUES (1, 5, 4, 1, '\x7d39deba00d20b602294fdc35c3e34e0e7b5d940270968281c4a0fb6fcdf4b70', 357, 356, 1794715059685987, 'yaml', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794715059814949, 2, NULL, 2);
INSERT INTO public.versions VALUES (1, 8, 7, 1, '\x211b53febbf8954369dc6f20b40e4406122d1e81f1ce0bba1e39258bf47caf43', 368, 368, 1794715059685932, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794715059816116, 3, NULL, 3);
INSERT INTO public.versions VALUES (1, 11, 10, 1, '\x45d4eff2766717520c6aa344aacb2633040da3ca68fb9abd474a61cdc78e5975', 563, 563, 1794715059685965, 'text', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 131, 0, 1794715059817416, 4, NULL, 4);
INSERT INTO public.versions VALUES (1, 14, 13, 1, '\x207a1e322b69a34e5a595a1730c38b54f444112673ad58475cc3b0883c2b2279', 980, 980, 1794715059685952, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794715059818318, 5, 6, 6);
INSERT INTO public.versions VALUES (1, 16, 13, 2, '\x2d2c2c93987d4b2dd8c1aa145c3c37423db1e9bfd9a518ef917d3d5b700d678f', 982, 982, 1794715059824443, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794715059940650, 6, NULL, 6);


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
-- Name: items items_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.items
    ADD CONSTRAINT items_pkey PRIMARY KEY (space_id, item_id);


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
-- Name: recordar_schema recordar_schema_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recordar_schema
    ADD CONSTRAINT recordar_schema_pkey PRIMARY KEY (version);


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
-- Name: items_by_category; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_category ON public.items USING btree (space_id, category_id);


--
-- Name: items_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_change ON public.items USING btree (space_id, changed);


--
-- Name: items_by_thread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_thread ON public.items USING btree (space_id, thread_id);


--
-- Name: items_by_version; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_version ON public.items USING btree (space_id, version_id);


--
-- Name: lineage_by_source; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX lineage_by_source ON public.lineage USING btree (space_id, source_id);


--
-- Name: operations_by_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_by_revision ON public.operations USING btree (space_id, revision);


--
-- Name: operations_by_whole; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operations_by_whole ON public.operations USING btree (space_id, whole_hash);


--
-- Name: threads_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX threads_by_change ON public.threads USING btree (space_id, changed);


--
-- Name: tombstones_by_revision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tombstones_by_revision ON public.tombstones USING btree (space_id, revision);


--
-- Name: versions_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX versions_by_change ON public.versions USING btree (space_id, changed);


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


