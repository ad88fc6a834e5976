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
    speaker text COLLATE pg_catalog."C",
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
-- Name: segments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.segments (
    space_id bigint NOT NULL,
    first_id bigint NOT NULL,
    end_id bigint NOT NULL,
    part bigint NOT NULL,
    revision bigint NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    dimension bigint NOT NULL,
    model_hash bytea NOT NULL,
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

INSERT INTO public.documents VALUES (1, 1, '\xd4bf25275dbb7c2d2c3f601c103092b09354a27dab7a2ed5385e16627672149d', '/srv/recordar-saved/handbook/contacts.json', 'contacts.json', 1, 1);
INSERT INTO public.documents VALUES (1, 4, '\x79c526d38d3da78544ea75e45adefd3317a41c27f2e396b471212026d6663703', '/srv/recordar-saved/handbook/duties.yaml', 'duties.yaml', 2, 2);
INSERT INTO public.documents VALUES (1, 7, '\x97010ced6d0138ab25790383936a92ec8205414d05e9c7217d2aeffcbf7801d9', '/srv/recordar-saved/handbook/recipes/fish-soup.md', 'fish-soup.md', 3, 3);
INSERT INTO public.documents VALUES (1, 10, '\x2656c8b5d8d5320475dd709587d99a977b0190a10fd18edd3c465561f1a09f71', '/srv/recordar-saved/handbook/weather.txt', 'weather.txt', 4, 4);
INSERT INTO public.documents VALUES (1, 13, '\xd47c4613c06537ff7bd324aefc20e2de5e245262a25fa0fd06912878a2200bd2', '/srv/recordar-saved/handbook/welcome.md', 'welcome.md', 5, 6);


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
', 120, NULL, NULL, 1794721468931993, 1794721469140384, NULL, NULL, 1, NULL, 1, NULL);
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
', 92, NULL, NULL, 1794721468932007, 1794721469149097, NULL, NULL, 2, NULL, 2, NULL);
INSERT INTO public.items VALUES (1, 9, 1, 7, 8, NULL, 0, 0, 'Fish soup for a storm', NULL, NULL, '# Fish soup for a storm

For two keepers and one guest.

1. Fry an onion and two cloves of garlic in oil until they are soft.
2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.
3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.

It keeps for two days, which is as long as most storms.
', 92, NULL, NULL, 1794721468931887, 1794721469149930, NULL, NULL, 3, NULL, 3, NULL);
INSERT INTO public.items VALUES (1, 12, 1, 10, 11, NULL, 0, 0, NULL, NULL, NULL, 'How to read the sky at Punta Clara.

A red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken
before noon mean rain within a day. When the gulls stay on land, so does the boat.

The barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters
on the west side, fasten the boat with the second rope, and fill the lamp for two nights.

Swell without wind comes from a storm that is still far away. It arrives about a day before the storm does.
', 131, NULL, NULL, 1794721468931978, 1794721469150887, NULL, NULL, 4, NULL, 4, NULL);
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
', 216, NULL, NULL, 1794721468931960, 1794721469151540, NULL, NULL, 5, 6, 6, NULL);
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
', 216, NULL, NULL, 1794721469159250, 1794721469372640, NULL, NULL, 6, NULL, 6, NULL);
INSERT INTO public.items VALUES (1, 19, 2, NULL, NULL, 18, 0, 0, NULL, 'user', NULL, 'The new lens arrives with the boat on the third Tuesday.', 12, 800000, NULL, 1794721469598087, 1794721469598087, NULL, NULL, 7, NULL, 7, 'Ada');


--
-- Data for Name: lineage; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: operations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operations VALUES (1, '\xc69d033ec3f7b07ff03493b988ba0032a03b3d9fe93ca0600e6ef9ae906b8b79', '\x2800c47303c8f3ea55dc20d236421c5c045f6c931d6951d82f07a0c8d7f6a813', 'f62c27d0-b379-4ab9-a60a-e65b010fe4a2/9dad13a77de075ef', 'ingest', 1, '\xd7d4543318c1553528bc6dbddbebe3f34e0116b337e00f859ed67573f9f776bb', 1, 1794721469140384, 1, 4, '{"status":"added","document_id":1,"version_id":2,"version":1,"chunks":1,"tokens":120,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xf509deb498ef7419dc7f0f3595800e037914996bcd7bfbb9ed092c1d1431e223', '\x2800c47303c8f3ea55dc20d236421c5c045f6c931d6951d82f07a0c8d7f6a813', 'f62c27d0-b379-4ab9-a60a-e65b010fe4a2/6080b544fbfd512a', 'ingest', 1, '\x9ffe772ebcaf0a8a5739a7fc317479994b721998e1a8e70540f8e4b92be84701', 2, 1794721469149097, 4, 7, '{"status":"added","document_id":4,"version_id":5,"version":1,"chunks":1,"tokens":92,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xe31557ec2aef80d238de3d38951800c800c1e715360097966cf2674599e9048a', '\x2800c47303c8f3ea55dc20d236421c5c045f6c931d6951d82f07a0c8d7f6a813', 'f62c27d0-b379-4ab9-a60a-e65b010fe4a2/52aac0414201dd91', 'ingest', 1, '\x3c26028139a7e597e573d48ae2a196159897fa303a02f2e5be8878fc688975a9', 3, 1794721469149930, 7, 10, '{"status":"added","document_id":7,"version_id":8,"version":1,"chunks":1,"tokens":92,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x521306a4209e30582c4dad87775e04f66df9b623c1c055de1b8cf31477700a2d', '\x2800c47303c8f3ea55dc20d236421c5c045f6c931d6951d82f07a0c8d7f6a813', 'f62c27d0-b379-4ab9-a60a-e65b010fe4a2/f20cb1ac327e9990', 'ingest', 1, '\xd0687fdc81f2025a486b27fd755b185dafbca0957448591f0045669c47afc8da', 4, 1794721469150887, 10, 13, '{"status":"added","document_id":10,"version_id":11,"version":1,"chunks":1,"tokens":131,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xaea493375bab50a7746115d1af9e02e972e053bbe1cbf57c2eebd7a46ef453c4', '\x2800c47303c8f3ea55dc20d236421c5c045f6c931d6951d82f07a0c8d7f6a813', 'f62c27d0-b379-4ab9-a60a-e65b010fe4a2/eec8918cb20332da', 'ingest', 1, '\x13cefca66da085e64333a1d2d10703d95a5f51b3fbaeb8a3eeaa7b24d2800038', 5, 1794721469151540, 13, 16, '{"status":"added","document_id":13,"version_id":14,"version":1,"chunks":1,"tokens":216,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xdd36caa8557d6797ec2fca139e2c95165b4fcc43047419152b840f79939844ef', '\x05801a743761f7cb3fee11569d4abfc76870b346da0285f3a24bbc73ffa4641d', '8551a008-20d4-4ede-879b-30b909d18d85/524faa53f13bd6cd', 'ingest', 1, '\xc7348f41c938a6847b148cfe9ab0a394dc90fe5b2b0280f55cc2f60aad4926ee', 6, 1794721469372640, 16, 18, '{"status":"updated","document_id":13,"version_id":16,"version":2,"chunks":1,"tokens":216,"retired_chunks":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x114cf5eb6ce2a0ef9e685c19aff90c62251fd4bd6bf339f17b5b6d66768988b2', '\x114cf5eb6ce2a0ef9e685c19aff90c62251fd4bd6bf339f17b5b6d66768988b2', 'd3543530-90cf-4fb3-b72b-903356a99a83', 'remember', 1, '\xc8117e3c9941c90e0889724b59b7e636d3e2055e2446d34948fb959d2f4e4ef5', 7, 1794721469598087, 18, 20, '{"first_item_id":19,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x59697a8785900c790805249c55f233ade01a09cb48210102bb894f18981b4e6b', '\x59697a8785900c790805249c55f233ade01a09cb48210102bb894f18981b4e6b', '541d4a85-6447-4e87-bbaf-433031a8647d', 'remember', 1, NULL, 8, 1794721469737861, 20, 22, '{"first_item_id":21,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x81f85c5fff989973adcac2b05292355f8e4a9300110cfaa1bc1be5dea692a743', '\x81f85c5fff989973adcac2b05292355f8e4a9300110cfaa1bc1be5dea692a743', 'b25c2523-236a-4b75-aacb-8fe876486e28', 'forget', 1, '\x8482d856b9cc9b10eb5854a59937d66f5c5d5995db39fc4615fd5252b47ad143', 9, 1794721469754228, 22, 22, '{"chunks":0,"messages":1,"facts":0,"summaries":0,"derived":0,"documents":0,"versions":0,"threads":1}', NULL);


--
-- Data for Name: recordar_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recordar_schema VALUES (1, 'spine');
INSERT INTO public.recordar_schema VALUES (2, 'index');


--
-- Data for Name: segments; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: spaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spaces VALUES (1, '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 'user:default', 1, 22, 9, 1794721469754228, 1794721469140384);


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

INSERT INTO public.versions VALUES (1, 2, 1, 1, '\xb3dcdd9f3878c0d35e5cfa8585d2da20ce515ce44434d76547bd105ac6f3c2d5', 385, 385, 1794721468931993, 'json', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 120, 0, 1794721469140384, 1, NULL, 1);
INSERT INTO public.versions VALUES (1, 5, 4, 1, '\x7d39deba00d20b602294fdc35c3e34e0e7b5d940270968281c4a0fb6fcdf4b70', 357, 356, 1794721468932007, 'yaml', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794721469149097, 2, NULL, 2);
INSERT INTO public.versions VALUES (1, 8, 7, 1, '\x211b53febbf8954369dc6f20b40e4406122d1e81f1ce0bba1e39258bf47caf43', 368, 368, 1794721468931887, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794721469149930, 3, NULL, 3);
INSERT INTO public.versions VALUES (1, 11, 10, 1, '\x45d4eff2766717520c6aa344aacb2633040da3ca68fb9abd474a61cdc78e5975', 563, 563, 1794721468931978, 'text', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 131, 0, 1794721469150887, 4, NULL, 4);
INSERT INTO public.versions VALUES (1, 14, 13, 1, '\x207a1e322b69a34e5a595a1730c38b54f444112673ad58475cc3b0883c2b2279', 980, 980, 1794721468931960, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794721469151540, 5, 6, 6);
INSERT INTO public.versions VALUES (1, 16, 13, 2, '\x2d2c2c93987d4b2dd8c1aa145c3c37423db1e9bfd9a518ef917d3d5b700d678f', 982, 982, 1794721469159250, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794721469372640, 6, NULL, 6);


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
-- Name: segments segments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_pkey PRIMARY KEY (space_id, first_id, end_id, part);


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
-- Name: items_by_retirement; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_retirement ON public.items USING btree (space_id, retired);


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


