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
-- Name: embedders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.embedders (
    number bigint NOT NULL,
    model text NOT NULL COLLATE pg_catalog."C",
    model_hash bytea NOT NULL,
    state bigint NOT NULL,
    made_at bigint NOT NULL
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
-- Name: reservations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reservations (
    reservation bytea NOT NULL,
    day bigint NOT NULL,
    tokens bigint NOT NULL,
    nano_usd bigint NOT NULL,
    expires_at bigint NOT NULL
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
-- Data for Name: categories; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.categories VALUES (1, 4, NULL, NULL, 0, 1, 3, 0, '\xdcd1d5223f73b3a965c07e3ff5dbee3eedcfedb806686a05b9b3868a2c3d6d50', 'Name', 1, 1);
INSERT INTO public.categories VALUES (1, 5, 4, 1, 4, 2, 3, 0, '\x31a4dcc88ff5e71e9e0a17e58e7451df1fb1b7ed7192a27d8a04721f12f7900b', 'Cooperativa', 1, 1);
INSERT INTO public.categories VALUES (1, 6, 5, 2, 5, 3, 3, 1, '\xa56625bb2369b0f299e9f150fbedacbc1605073862512a93eae85de182012790', 'Before Cooperative', 1, 1);
INSERT INTO public.categories VALUES (1, 11, NULL, NULL, 0, 1, 3, 0, '\x21e8492938abc179410c21f3598f141c4c59a8bf2d3b4e475b7d83e10adfc00f', 'Hours', 2, 2);
INSERT INTO public.categories VALUES (1, 12, 11, 1, 11, 2, 3, 0, '\xa71e757324467ccfe2ae90f483fd759eff5378e6afcfcce4c620de929b3f2dd8', 'Watch', 2, 2);
INSERT INTO public.categories VALUES (1, 13, 12, 2, 12, 3, 3, 1, '\xe2a222376dbad9e34193cbbcb1f9fc9a4445ef1375a451d28aa10a42c4e001ad', 'Midnight Lamp', 2, 2);
INSERT INTO public.categories VALUES (1, 18, NULL, NULL, 0, 1, 3, 0, '\xee127f46da9c6053957ed11dc56da7083ca52d0d479df67a3dda2fffc7bd4bd5', 'Soup', 3, 3);
INSERT INTO public.categories VALUES (1, 19, 18, 1, 18, 2, 3, 0, '\x5870f9bfd157bd7ef0571f07b16a533d02bfac9265afd50380265cb75d3cac58', 'Storm', 3, 3);
INSERT INTO public.categories VALUES (1, 20, 19, 2, 19, 3, 3, 1, '\x430aaacf73ac7a1513ab06b60144c5367a79ab5faee6df37e6e2de412ae7cea7', 'Fish Cook', 3, 3);
INSERT INTO public.categories VALUES (1, 25, 11, 1, 11, 2, 3, 0, '\x5870f9bfd157bd7ef0571f07b16a533d02bfac9265afd50380265cb75d3cac58', 'Storm', 4, 4);
INSERT INTO public.categories VALUES (1, 26, 25, 2, 25, 3, 3, 1, '\xa73601736352ba919917ba783dfa19d803e97a5ac3170c17498511401993a0ea', 'Sky Day', 4, 4);
INSERT INTO public.categories VALUES (1, 31, NULL, NULL, 0, 1, 3, 0, '\xbc294628171a12e7bc7ad6ca19d8e7956f9106628eb927e52fe92a6c31742e31', 'Lamp', 5, 5);
INSERT INTO public.categories VALUES (1, 32, 31, 1, 31, 2, 3, 0, '\x68bd571fcc5b8ddcb367adbabbc129686fe8d9f29e106f8068ff1b9fbad3d097', 'Lighthouse', 5, 5);
INSERT INTO public.categories VALUES (1, 33, 32, 2, 32, 3, 3, 1, '\x99404ac562bd4dd48a7cddca3502b140bf0fa25fb6acd268ca86901fccfda783', 'Keepers Rhythm', 5, 5);


--
-- Data for Name: documents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.documents VALUES (1, 1, '\xd4bf25275dbb7c2d2c3f601c103092b09354a27dab7a2ed5385e16627672149d', '/srv/recordar-saved/handbook/contacts.json', 'contacts.json', 1, 1);
INSERT INTO public.documents VALUES (1, 8, '\x79c526d38d3da78544ea75e45adefd3317a41c27f2e396b471212026d6663703', '/srv/recordar-saved/handbook/duties.yaml', 'duties.yaml', 2, 2);
INSERT INTO public.documents VALUES (1, 15, '\x97010ced6d0138ab25790383936a92ec8205414d05e9c7217d2aeffcbf7801d9', '/srv/recordar-saved/handbook/recipes/fish-soup.md', 'fish-soup.md', 3, 3);
INSERT INTO public.documents VALUES (1, 22, '\x2656c8b5d8d5320475dd709587d99a977b0190a10fd18edd3c465561f1a09f71', '/srv/recordar-saved/handbook/weather.txt', 'weather.txt', 4, 4);
INSERT INTO public.documents VALUES (1, 28, '\xd47c4613c06537ff7bd324aefc20e2de5e245262a25fa0fd06912878a2200bd2', '/srv/recordar-saved/handbook/welcome.md', 'welcome.md', 5, 6);


--
-- Data for Name: embedders; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: helpers; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.helpers VALUES (1, 7, 1, 1, 1, 'Topic: keeping the light. { "harbour_office": { "name": "Marisol Ibarra", "phone": "extension 14", "hours": "Monday to Friday, 8 to 15" }, "coast_guard": { "channel": 16, "call_sign": "Punta Clara Radio", "note": "Report the light being out within ten minutes." }, "cooperative": { "name": "Cooperativa Las Gaviotas", "order_before": "the Friday before the boat" } }.', 112, 1794829526254420, 1, NULL, 1);
INSERT INTO public.helpers VALUES (1, 14, 8, 1, 1, 'Topic: keeping the light. - keeper: Ana hours: sunset to midnight duties: - light the lamp - count the flashes at ten - keeper: Tomás hours: midnight to sunrise duties: - trim the lamp at three - write the log weekly: monday: clean the lens wednesday: test the fog signal saturday: run the spare generator for twenty minutes.', 73, 1794829526264806, 2, NULL, 2);
INSERT INTO public.helpers VALUES (1, 21, 15, 1, 1, 'Topic: keeping the light. For two keepers and one guest.', 14, 1794829526267761, 3, NULL, 3);
INSERT INTO public.helpers VALUES (1, 27, 22, 1, 1, 'Topic: keeping the light. How to read the sky at Punta Clara.', 15, 1794829526271527, 4, NULL, 4);
INSERT INTO public.helpers VALUES (1, 34, 28, 1, 1, 'Topic: keeping the light. Everything that a keeper of the Punta Clara light needs to know, collected over the years. Read it once from end to end, and then keep it beside the lamp.', 40, 1794829526274863, 5, NULL, 5);


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
', 120, NULL, NULL, 1794829526181696, 1794829526254420, 6, 1, 1, NULL, 1, NULL);
INSERT INTO public.items VALUES (1, 10, 1, 8, 9, NULL, 0, 0, 'watch', NULL, NULL, 'watch:
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
', 92, NULL, NULL, 1794829526181736, 1794829526264806, 13, 1, 2, NULL, 2, NULL);
INSERT INTO public.items VALUES (1, 17, 1, 15, 16, NULL, 0, 0, 'Fish soup for a storm', NULL, NULL, '# Fish soup for a storm

For two keepers and one guest.

1. Fry an onion and two cloves of garlic in oil until they are soft.
2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.
3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.

It keeps for two days, which is as long as most storms.
', 92, NULL, NULL, 1794829526181764, 1794829526267761, 20, 1, 3, NULL, 3, NULL);
INSERT INTO public.items VALUES (1, 24, 1, 22, 23, NULL, 0, 0, NULL, NULL, NULL, 'How to read the sky at Punta Clara.

A red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken
before noon mean rain within a day. When the gulls stay on land, so does the boat.

The barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters
on the west side, fasten the boat with the second rope, and fill the lamp for two nights.

Swell without wind comes from a storm that is still far away. It arrives about a day before the storm does.
', 131, NULL, NULL, 1794829526181779, 1794829526271527, 26, 1, 4, NULL, 4, NULL);
INSERT INTO public.items VALUES (1, 30, 1, 28, 29, NULL, 0, 0, 'The lighthouse keepers'' handbook', NULL, NULL, '# The lighthouse keepers'' handbook

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
', 216, NULL, NULL, 1794829526181791, 1794829526274863, 33, 1, 5, 6, 6, NULL);
INSERT INTO public.items VALUES (1, 36, 1, 28, 35, NULL, 0, 0, 'The lighthouse keepers'' handbook', NULL, NULL, '# The lighthouse keepers'' handbook

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
', 216, NULL, NULL, 1794829526285316, 1794829526307315, 33, 1, 6, NULL, 6, NULL);
INSERT INTO public.items VALUES (1, 38, 2, NULL, NULL, 37, 0, 0, NULL, 'user', NULL, 'The new lens arrives with the boat on the third Tuesday.', 12, 800000, NULL, 1794829526345790, 1794829526345790, NULL, NULL, 7, NULL, 7, 'Ada');
INSERT INTO public.items VALUES (1, 41, 3, NULL, NULL, NULL, 0, 0, NULL, 'user', NULL, 'The lamp shows three flashes.', 6, NULL, NULL, 1794829526457950, 1794829526457950, NULL, NULL, 10, NULL, 10, NULL);


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: labels; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.labels VALUES (1, 38, 7, '["general_inquiry"]', 'conversation', 'statement', '[]', 800000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 7);
INSERT INTO public.labels VALUES (1, 41, 10, '["general_inquiry"]', 'conversation', 'statement', '[]', 500000, 1, NULL, NULL, NULL, NULL, '2024-01-15', 'built-in', NULL, NULL, 10);


--
-- Data for Name: lineage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.lineage VALUES (1, 41, 3);


--
-- Data for Name: operations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operations VALUES (1, '\x36a9cf32cd029118d59dfb7746e5c14e191e8dd29f63c0931ce1d425c87325ff', '\x4d08a1bf7f03b1f312439978fce9bb73b4c1b4bb64caea6fc957fa9939e3a18d', 'd5e42b7b-4f40-4dc6-bbbf-acbef0cc34eb/6c29c5b0c596d007', 'ingest', 1, '\xd7d4543318c1553528bc6dbddbebe3f34e0116b337e00f859ed67573f9f776bb', 1, 1794829526254420, 1, 8, '{"status":"added","document_id":1,"version_id":2,"version":1,"chunks":1,"tokens":120,"retired_chunks":0,"classified":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x4f03ab54cd67549eda14092b22eedab307a9beaa59a79e15032fc5d624fc1a87', '\x4d08a1bf7f03b1f312439978fce9bb73b4c1b4bb64caea6fc957fa9939e3a18d', 'd5e42b7b-4f40-4dc6-bbbf-acbef0cc34eb/f0594838c7f6814d', 'ingest', 1, '\x9ffe772ebcaf0a8a5739a7fc317479994b721998e1a8e70540f8e4b92be84701', 2, 1794829526264806, 8, 15, '{"status":"added","document_id":8,"version_id":9,"version":1,"chunks":1,"tokens":92,"retired_chunks":0,"classified":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x71d1ecf187679d39b548dcc975eaf940a23dec60dc98ef462389ce3dec6a4b9d', '\x4d08a1bf7f03b1f312439978fce9bb73b4c1b4bb64caea6fc957fa9939e3a18d', 'd5e42b7b-4f40-4dc6-bbbf-acbef0cc34eb/0f3657027d09d904', 'ingest', 1, '\x3c26028139a7e597e573d48ae2a196159897fa303a02f2e5be8878fc688975a9', 3, 1794829526267761, 15, 22, '{"status":"added","document_id":15,"version_id":16,"version":1,"chunks":1,"tokens":92,"retired_chunks":0,"classified":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x77ce02a8076be58afe6894a461f96dce245dd0fd67ed889c68c90d06c8f9c7a6', '\x4d08a1bf7f03b1f312439978fce9bb73b4c1b4bb64caea6fc957fa9939e3a18d', 'd5e42b7b-4f40-4dc6-bbbf-acbef0cc34eb/adb90e92c353b6f8', 'ingest', 1, '\xd0687fdc81f2025a486b27fd755b185dafbca0957448591f0045669c47afc8da', 4, 1794829526271527, 22, 28, '{"status":"added","document_id":22,"version_id":23,"version":1,"chunks":1,"tokens":131,"retired_chunks":0,"classified":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xab2c4b632693b226af3f8a72746d714d9587425a7fda04f5a733d3e5f14a23eb', '\x4d08a1bf7f03b1f312439978fce9bb73b4c1b4bb64caea6fc957fa9939e3a18d', 'd5e42b7b-4f40-4dc6-bbbf-acbef0cc34eb/3dd0e52125f28b87', 'ingest', 1, '\x13cefca66da085e64333a1d2d10703d95a5f51b3fbaeb8a3eeaa7b24d2800038', 5, 1794829526274863, 28, 35, '{"status":"added","document_id":28,"version_id":29,"version":1,"chunks":1,"tokens":216,"retired_chunks":0,"classified":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xb6af14d10b139a8bdff528c90fbbb3898d4a2eb910c3f129d29b157b55d5a91c', '\xbd01d9beba9db6920cb8f8421345ff9e78573798179a9df45ed6fd02235d631d', 'f509da48-324c-4029-a652-7ca0b7299c85/9f3837b77514c8b7', 'ingest', 1, '\xc7348f41c938a6847b148cfe9ab0a394dc90fe5b2b0280f55cc2f60aad4926ee', 6, 1794829526307315, 35, 37, '{"status":"updated","document_id":28,"version_id":35,"version":2,"chunks":1,"tokens":216,"retired_chunks":1,"classified":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x5b88f8ae13d8c98687fd682d2727dbfafb3eb24e40cdaa71673f2760bd523140', '\x5b88f8ae13d8c98687fd682d2727dbfafb3eb24e40cdaa71673f2760bd523140', 'e0e2aa45-a7ee-481f-8caf-07a275b7bb7b', 'remember', 1, '\xc8117e3c9941c90e0889724b59b7e636d3e2055e2446d34948fb959d2f4e4ef5', 7, 1794829526345790, 37, 39, '{"first_item_id":38,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xa48128207f0d19bc045d0b184356e9172be3a1bd844c891c8374cce4bfc8a53f', '\xa48128207f0d19bc045d0b184356e9172be3a1bd844c891c8374cce4bfc8a53f', '44293db4-a6f7-4d04-98a4-0686166787df', 'remember', 1, NULL, 8, 1794829526379550, 39, 41, '{"first_item_id":40,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\xcbf52c39f796df7b616fb8fdf8c47f4ccadcde80bfd8cd3b0f046a5091e86d36', '\xcbf52c39f796df7b616fb8fdf8c47f4ccadcde80bfd8cd3b0f046a5091e86d36', '3f080c1a-d47b-4dc1-8b10-c82dbfba9f1a', 'forget', 1, '\x8482d856b9cc9b10eb5854a59937d66f5c5d5995db39fc4615fd5252b47ad143', 9, 1794829526396579, 41, 41, '{"chunks":0,"messages":1,"facts":0,"summaries":0,"derived":0,"documents":0,"versions":0,"threads":1,"receipts":0,"helpers":0,"categories":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x10cc71402f5e0f756c9ab38cfb7b7ce4b060f69b94293f71de5b7dd28c80573b', '\x10cc71402f5e0f756c9ab38cfb7b7ce4b060f69b94293f71de5b7dd28c80573b', 'ece3f469-cb8c-4706-96f7-324d4d8c2309', 'remember', 1, '\xb04cf9381b16ae90c9c54385326a3de81fd2c94f2da26712d5631f6bd8a37707', 10, 1794829526457950, 41, 42, '{"first_item_id":41,"messages":1}', NULL);


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

INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 3, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 10, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 17, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 24, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 36, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 38, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 41, NULL);


--
-- Data for Name: receipts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.receipts VALUES (1, '\xe6ccf47998bc07c5777ff2b91c378806f80e6f0a3220ebfa7b481f6959c55806', 1794829526475673, '{"format":1,"engine":"0.1.0","made_at":"2026-11-16T11:45:26.475673Z","query":"how many flashes does the lamp show","session_id":null,"asked_at":"2026-11-16T11:45:26.475673Z","as_of":null,"spaces":["user:default"],"revisions":[10],"settings":{"top_k":8,"clip_sentences":2,"max_tokens":1500,"search_type":"hybrid","min_score":0.3,"enable_redaction":false,"custom_redaction_patterns":[],"interleaving":{"strategy":"alternate"}},"redaction":[],"tokenizer":"o200k_base","template":"## Relevant Context from Previous Conversations\n\n### Previous Messages\n[{time}] {who}: {content}\n\n### Known Facts\n- {content} (confidence: {score})\n\n### Conversation Summaries\n- {content}\n\n### Documents\n- {content} (from {source})\n\n_Retrieved {count} memories_\n","memories":[{"collection":"user:default","item_id":41,"item_sha256":"021ae0d38c58302a1c97b39c482ee1cfa729ae424a99df47bdccc9c49d220754","score":0.7872771583450522,"original_length":29,"span":{"start":0,"end":29,"is_late":false,"is_cut":false}},{"collection":"user:default","item_id":36,"item_sha256":"ea3e014afb90bc3048636033bcac834a0241f5da121c511a785b7d844111d6cc","score":0.4651942130340361,"original_length":982,"span":{"start":205,"end":338,"is_late":true,"is_cut":true}},{"collection":"user:default","item_id":10,"item_sha256":"9f529107d8cec0eb65f57de5b2e9440b8e32590d0688f2bfcc92dedfc6873ebe","score":0.47427378392700437,"original_length":356,"span":{"start":71,"end":120,"is_late":true,"is_cut":true}}],"found":[{"collection":"user:default","item_id":41},{"collection":"user:default","item_id":10},{"collection":"user:default","item_id":36},{"collection":"user:default","item_id":24},{"collection":"user:default","item_id":38},{"collection":"user:default","item_id":17},{"collection":"user:default","item_id":3}],"total_tokens":51,"memories_sha256":"770fbb78db0668cf912346b39ba231f742ab7f265334c8a30651b4fa84358dd5","text_sha256":"49a2a5eade6768c773706035d57d3319ce2f80335af9304aa5de03c2db17182f","trace":{"stages":[{"name":"question","decisions":[{"subject":"how","action":"dropped","reason":"common_word"},{"subject":"many","action":"kept","reason":"word","detail":"looked up as mani"},{"subject":"flashes","action":"kept","reason":"word","detail":"looked up as flash"},{"subject":"does","action":"dropped","reason":"common_word"},{"subject":"the","action":"dropped","reason":"common_word"},{"subject":"lamp","action":"kept","reason":"word","detail":"looked up as lamp"},{"subject":"show","action":"kept","reason":"word","detail":"looked up as show"}]},{"name":"hybrid","decisions":[{"subject":"many","action":"kept","reason":"word","detail":"user:default: in 0 items"},{"subject":"flashes","action":"kept","reason":"word","detail":"user:default: in 3 items"},{"subject":"lamp","action":"kept","reason":"word","detail":"user:default: in 4 items"},{"subject":"show","action":"kept","reason":"word","detail":"user:default: in 1 items"},{"subject":"user:default","action":"kept","reason":"candidates","detail":"4 by words, 7 by meaning, 7 in total, 7 with a score"}]},{"name":"rank","decisions":[{"subject":"user:default item 41","action":"kept","reason":"score","detail":"rank 1, score 0.787277"},{"subject":"user:default item 10","action":"kept","reason":"score","detail":"rank 2, score 0.474274"},{"subject":"user:default item 36","action":"kept","reason":"score","detail":"rank 3, score 0.465194"},{"subject":"user:default item 24","action":"kept","reason":"score","detail":"rank 4, score 0.224124"},{"subject":"user:default item 38","action":"kept","reason":"score","detail":"rank 5, score 0.098132"},{"subject":"user:default item 17","action":"kept","reason":"score","detail":"rank 6, score 0.015156"},{"subject":"user:default item 3","action":"kept","reason":"score","detail":"rank 7, score 0.000749"}]},{"name":"gate","decisions":[{"subject":"user:default item 24","action":"dropped","reason":"min_score","detail":"score 0.2241 is below 0.3"},{"subject":"user:default item 38","action":"dropped","reason":"min_score","detail":"score 0.0981 is below 0.3"},{"subject":"user:default item 17","action":"dropped","reason":"min_score","detail":"score 0.0152 is below 0.3"},{"subject":"user:default item 3","action":"dropped","reason":"min_score","detail":"score 0.0007 is below 0.3"},{"subject":"3 passages","action":"kept","reason":"min_score","detail":"scores of at least 0.3"}]},{"name":"deduplicate","decisions":[]},{"name":"top_k","decisions":[]},{"name":"interleave","decisions":[{"subject":"user:default item 41","action":"kept","reason":"relevance","detail":"place 1, score 0.7873"},{"subject":"user:default item 36","action":"kept","reason":"recency","detail":"place 2, from 2026-11-16T11:45:26.285316Z"},{"subject":"user:default item 10","action":"kept","reason":"relevance","detail":"place 3, score 0.4743"}]},{"name":"clip","decisions":[{"subject":"user:default item 36","action":"changed","reason":"clip_sentences","detail":"133 of 981 bytes, 2 sentences with the best match"},{"subject":"user:default item 10","action":"changed","reason":"clip_sentences","detail":"49 of 356 bytes, 2 sentences with the best match"}]},{"name":"budget","decisions":[{"subject":"user:default item 41","action":"kept","reason":"fits","detail":"6 tokens, 6 in total"},{"subject":"user:default item 36","action":"kept","reason":"fits","detail":"31 tokens, 37 in total"},{"subject":"user:default item 10","action":"kept","reason":"fits","detail":"14 tokens, 51 in total"}]}]}}');


--
-- Data for Name: recordar_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recordar_schema VALUES (1, 'spine');
INSERT INTO public.recordar_schema VALUES (2, 'index');
INSERT INTO public.recordar_schema VALUES (3, 'receipts');
INSERT INTO public.recordar_schema VALUES (4, 'spending');
INSERT INTO public.recordar_schema VALUES (5, 'tree');
INSERT INTO public.recordar_schema VALUES (6, 'conversation');


--
-- Data for Name: reservations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: segments; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: spaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spaces VALUES (1, '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 'user:default', 1, 42, 10, 1794829526457950, 1794829526254420);


--
-- Data for Name: spending; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: store; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.store VALUES (1, 2);


--
-- Data for Name: threads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.threads VALUES (1, 37, '\x3dc548d7cdb8d1638e664f7eb425d7ec7972254e0c2eb4b138863d17ca937ba9', 'supplies', 'Supplies', 7, 7);


--
-- Data for Name: tombstones; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tombstones VALUES (1, 39, 12, 9);
INSERT INTO public.tombstones VALUES (1, 40, 2, 9);


--
-- Data for Name: trees; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.trees VALUES (1, 3);


--
-- Data for Name: uses; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: versions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.versions VALUES (1, 2, 1, 1, '\xb3dcdd9f3878c0d35e5cfa8585d2da20ce515ce44434d76547bd105ac6f3c2d5', 385, 385, 1794829526181696, 'json', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 120, 0, 1794829526254420, 1, NULL, 1);
INSERT INTO public.versions VALUES (1, 9, 8, 1, '\x7d39deba00d20b602294fdc35c3e34e0e7b5d940270968281c4a0fb6fcdf4b70', 357, 356, 1794829526181736, 'yaml', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794829526264806, 2, NULL, 2);
INSERT INTO public.versions VALUES (1, 16, 15, 1, '\x211b53febbf8954369dc6f20b40e4406122d1e81f1ce0bba1e39258bf47caf43', 368, 368, 1794829526181764, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794829526267761, 3, NULL, 3);
INSERT INTO public.versions VALUES (1, 23, 22, 1, '\x45d4eff2766717520c6aa344aacb2633040da3ca68fb9abd474a61cdc78e5975', 563, 563, 1794829526181779, 'text', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 131, 0, 1794829526271527, 4, NULL, 4);
INSERT INTO public.versions VALUES (1, 29, 28, 1, '\x207a1e322b69a34e5a595a1730c38b54f444112673ad58475cc3b0883c2b2279', 980, 980, 1794829526181791, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794829526274863, 5, 6, 6);
INSERT INTO public.versions VALUES (1, 35, 28, 2, '\x2d2c2c93987d4b2dd8c1aa145c3c37423db1e9bfd9a518ef917d3d5b700d678f', 982, 982, 1794829526285316, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794829526307315, 6, NULL, 6);


--
-- Data for Name: vocabularies; Type: TABLE DATA; Schema: public; Owner: -
--



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
-- Name: embedders embedders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.embedders
    ADD CONSTRAINT embedders_pkey PRIMARY KEY (number);


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
-- Name: reservations reservations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (reservation);


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
-- Name: helpers_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX helpers_by_change ON public.helpers USING btree (space_id, changed);


--
-- Name: items_by_change; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_change ON public.items USING btree (space_id, changed);


--
-- Name: items_by_leaf; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX items_by_leaf ON public.items USING btree (space_id, category_id, kind, retired, recorded_at, item_id);


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


