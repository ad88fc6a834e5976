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
-- Data for Name: helpers; Type: TABLE DATA; Schema: public; Owner: -
--



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
', 120, NULL, NULL, 1794766127105868, 1794766127288547, NULL, NULL, 1, NULL, 1, NULL);
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
', 92, NULL, NULL, 1794766127105904, 1794766127298174, NULL, NULL, 2, NULL, 2, NULL);
INSERT INTO public.items VALUES (1, 9, 1, 7, 8, NULL, 0, 0, 'Fish soup for a storm', NULL, NULL, '# Fish soup for a storm

For two keepers and one guest.

1. Fry an onion and two cloves of garlic in oil until they are soft.
2. Add three potatoes in pieces and a litre of water, and let it cook for a quarter of an hour.
3. Add whatever the day gave, cleaned and cut, and a spoon of paprika. Ten minutes more.

It keeps for two days, which is as long as most storms.
', 92, NULL, NULL, 1794766127105932, 1794766127300102, NULL, NULL, 3, NULL, 3, NULL);
INSERT INTO public.items VALUES (1, 12, 1, 10, 11, NULL, 0, 0, NULL, NULL, NULL, 'How to read the sky at Punta Clara.

A red sky in the evening over the mainland means a dry day tomorrow. Thin high clouds from the south-west that thicken
before noon mean rain within a day. When the gulls stay on land, so does the boat.

The barometer in the kitchen reads three millibars too low. If it falls by more than six in three hours, close the shutters
on the west side, fasten the boat with the second rope, and fill the lamp for two nights.

Swell without wind comes from a storm that is still far away. It arrives about a day before the storm does.
', 131, NULL, NULL, 1794766127105945, 1794766127301970, NULL, NULL, 4, NULL, 4, NULL);
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
', 216, NULL, NULL, 1794766127105956, 1794766127303498, NULL, NULL, 5, 6, 6, NULL);
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
', 216, NULL, NULL, 1794766127313811, 1794766127497751, NULL, NULL, 6, NULL, 6, NULL);
INSERT INTO public.items VALUES (1, 19, 2, NULL, NULL, 18, 0, 0, NULL, 'user', NULL, 'The new lens arrives with the boat on the third Tuesday.', 12, 800000, NULL, 1794766127665398, 1794766127665398, NULL, NULL, 7, NULL, 7, 'Ada');
INSERT INTO public.items VALUES (1, 22, 3, NULL, NULL, NULL, 0, 0, NULL, 'user', NULL, 'The lamp shows three flashes.', 6, NULL, NULL, 1794766127965308, 1794766127965308, NULL, NULL, 10, NULL, 10, NULL);


--
-- Data for Name: lineage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.lineage VALUES (1, 22, 3);


--
-- Data for Name: operations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.operations VALUES (1, '\xa6db3a6bfd635643521d41eb1c8a65ef2118fe5a86c9f499903d89758b870a1e', '\x71e3bc393799b2954327638266b1271a50a35007554363360847bc9da7402d70', '2405c6c0-7ebd-4d06-9872-d35d003241ad/f76040c0847e8df5', 'ingest', 1, '\xd7d4543318c1553528bc6dbddbebe3f34e0116b337e00f859ed67573f9f776bb', 1, 1794766127288547, 1, 4, '{"status":"added","document_id":1,"version_id":2,"version":1,"chunks":1,"tokens":120,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xf17fbffd9af254057ab3092e3388b7df7ee5b1e27ae755a2d64b2ad79d0bd82a', '\x71e3bc393799b2954327638266b1271a50a35007554363360847bc9da7402d70', '2405c6c0-7ebd-4d06-9872-d35d003241ad/540c002fb2ed1345', 'ingest', 1, '\x9ffe772ebcaf0a8a5739a7fc317479994b721998e1a8e70540f8e4b92be84701', 2, 1794766127298174, 4, 7, '{"status":"added","document_id":4,"version_id":5,"version":1,"chunks":1,"tokens":92,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x1055ca8513b17e513517869f4181be6ddab9b0c7f2f90f71ca97eebc39d414b5', '\x71e3bc393799b2954327638266b1271a50a35007554363360847bc9da7402d70', '2405c6c0-7ebd-4d06-9872-d35d003241ad/063622e151fe31b2', 'ingest', 1, '\x3c26028139a7e597e573d48ae2a196159897fa303a02f2e5be8878fc688975a9', 3, 1794766127300102, 7, 10, '{"status":"added","document_id":7,"version_id":8,"version":1,"chunks":1,"tokens":92,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xae9737ac67900557c4535a7da2bb0649d54379df7cb8d9eef7f81d97f65e1cc9', '\x71e3bc393799b2954327638266b1271a50a35007554363360847bc9da7402d70', '2405c6c0-7ebd-4d06-9872-d35d003241ad/ddf1737822a04aec', 'ingest', 1, '\xd0687fdc81f2025a486b27fd755b185dafbca0957448591f0045669c47afc8da', 4, 1794766127301970, 10, 13, '{"status":"added","document_id":10,"version_id":11,"version":1,"chunks":1,"tokens":131,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x3535de3c4843a743448356ff20f0635218430e9eaccf3299c760eeb5cedf2579', '\x71e3bc393799b2954327638266b1271a50a35007554363360847bc9da7402d70', '2405c6c0-7ebd-4d06-9872-d35d003241ad/5cd1f433f57a3ef5', 'ingest', 1, '\x13cefca66da085e64333a1d2d10703d95a5f51b3fbaeb8a3eeaa7b24d2800038', 5, 1794766127303498, 13, 16, '{"status":"added","document_id":13,"version_id":14,"version":1,"chunks":1,"tokens":216,"retired_chunks":0}', NULL);
INSERT INTO public.operations VALUES (1, '\xb606cec5c7c97e3dcdcd9a2487c12a5be35268386db0ebf41b52e9011f29e582', '\xd25e5e1ad9f6e79f2831e29b6a85226c7a3c9dcdf8fdca53e8857c72714a943b', '33f9b53b-03ae-4d58-a74d-e4f47a775e1a/33f551f3df89e5ea', 'ingest', 1, '\xc7348f41c938a6847b148cfe9ab0a394dc90fe5b2b0280f55cc2f60aad4926ee', 6, 1794766127497751, 16, 18, '{"status":"updated","document_id":13,"version_id":16,"version":2,"chunks":1,"tokens":216,"retired_chunks":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x1ad2ebc420daa912b3bb4b68941922aecec590ead99323135256faae656ca6f6', '\x1ad2ebc420daa912b3bb4b68941922aecec590ead99323135256faae656ca6f6', '6d66b3a6-e46d-493a-b72b-6992f59ba72c', 'remember', 1, '\xc8117e3c9941c90e0889724b59b7e636d3e2055e2446d34948fb959d2f4e4ef5', 7, 1794766127665398, 18, 20, '{"first_item_id":19,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x345db885b356c8f9f4da1aa0613298dabb75423183f4ade3af326c3513a3204d', '\x345db885b356c8f9f4da1aa0613298dabb75423183f4ade3af326c3513a3204d', 'f7d90d0b-abc8-4720-8cf4-bd35f4cba323', 'remember', 1, NULL, 8, 1794766127779705, 20, 22, '{"first_item_id":21,"messages":1}', NULL);
INSERT INTO public.operations VALUES (1, '\x5ae0c5a73895481bfcb707f891f5a0e09f7cfa359d3d916237fa83513c9cfa8b', '\x5ae0c5a73895481bfcb707f891f5a0e09f7cfa359d3d916237fa83513c9cfa8b', '6ec51734-0127-463e-befa-4691458d06f4', 'forget', 1, '\x8482d856b9cc9b10eb5854a59937d66f5c5d5995db39fc4615fd5252b47ad143', 9, 1794766127793666, 22, 22, '{"chunks":0,"messages":1,"facts":0,"summaries":0,"derived":0,"documents":0,"versions":0,"threads":1,"receipts":0,"helpers":0}', NULL);
INSERT INTO public.operations VALUES (1, '\x95bfc27e9793f73439341fd96a93eda22b1981b34b8071cfee8f3c4dd2220ba6', '\x95bfc27e9793f73439341fd96a93eda22b1981b34b8071cfee8f3c4dd2220ba6', '51edac00-75fc-4f2c-8eaa-3f94481d9c0c', 'remember', 1, '\xb04cf9381b16ae90c9c54385326a3de81fd2c94f2da26712d5631f6bd8a37707', 10, 1794766127965308, 22, 23, '{"first_item_id":22,"messages":1}', NULL);


--
-- Data for Name: receipt_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 3, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 6, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 9, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 12, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 17, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 19, NULL);
INSERT INTO public.receipt_sources VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 22, NULL);


--
-- Data for Name: receipts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.receipts VALUES (1, '\xd0df8668f71f1bb12ea2939224550a6d89e568b79b735d1e5c51016e0e48776c', 1794766127992287, '{"format":1,"engine":"0.1.0","made_at":"2026-11-15T18:08:47.992287Z","query":"how many flashes does the lamp show","session_id":null,"asked_at":"2026-11-15T18:08:47.992287Z","as_of":null,"spaces":["user:default"],"revisions":[10],"settings":{"top_k":8,"clip_sentences":2,"max_tokens":1500,"search_type":"hybrid","min_score":0.3,"enable_redaction":false,"custom_redaction_patterns":[],"interleaving":{"strategy":"alternate"}},"redaction":[],"tokenizer":"o200k_base","template":"## Relevant Context from Previous Conversations\n\n### Previous Messages\n[{time}] {who}: {content}\n\n### Known Facts\n- {content} (confidence: {score})\n\n### Conversation Summaries\n- {content}\n\n### Documents\n- {content} (from {source})\n\n_Retrieved {count} memories_\n","memories":[{"collection":"user:default","item_id":22,"item_sha256":"7ed925010c9ae6f6e3c915c8fe0f7e9d3ef5b68893148a8920b0a3d9ea889f55","score":0.7872771583450522,"original_length":29,"span":{"start":0,"end":29,"is_late":false,"is_cut":false}},{"collection":"user:default","item_id":17,"item_sha256":"7e4861fc25aec8e24b5c89f11d66e16812fe48bb331e9f94acb1beaaaa01f2c2","score":0.4651942130340361,"original_length":982,"span":{"start":205,"end":338,"is_late":true,"is_cut":true}},{"collection":"user:default","item_id":6,"item_sha256":"f2ef5c35e2b697ff7497e0335ebf96b74a388085eae441e1151e0639021f0456","score":0.47427378392700437,"original_length":356,"span":{"start":71,"end":120,"is_late":true,"is_cut":true}}],"found":[{"collection":"user:default","item_id":22},{"collection":"user:default","item_id":6},{"collection":"user:default","item_id":17},{"collection":"user:default","item_id":12},{"collection":"user:default","item_id":19},{"collection":"user:default","item_id":9},{"collection":"user:default","item_id":3}],"total_tokens":51,"memories_sha256":"f7818109d8f6a06491e85a06bf27cb791a4035effd001a64ccc1a60a74fbd2ee","text_sha256":"49a2a5eade6768c773706035d57d3319ce2f80335af9304aa5de03c2db17182f","trace":{"stages":[{"name":"question","decisions":[{"subject":"how","action":"dropped","reason":"common_word"},{"subject":"many","action":"kept","reason":"word","detail":"looked up as mani"},{"subject":"flashes","action":"kept","reason":"word","detail":"looked up as flash"},{"subject":"does","action":"dropped","reason":"common_word"},{"subject":"the","action":"dropped","reason":"common_word"},{"subject":"lamp","action":"kept","reason":"word","detail":"looked up as lamp"},{"subject":"show","action":"kept","reason":"word","detail":"looked up as show"}]},{"name":"hybrid","decisions":[{"subject":"many","action":"kept","reason":"word","detail":"user:default: in 0 items"},{"subject":"flashes","action":"kept","reason":"word","detail":"user:default: in 3 items"},{"subject":"lamp","action":"kept","reason":"word","detail":"user:default: in 4 items"},{"subject":"show","action":"kept","reason":"word","detail":"user:default: in 1 items"},{"subject":"user:default","action":"kept","reason":"candidates","detail":"4 by words, 7 by meaning, 7 in all, 7 with a score"}]},{"name":"rank","decisions":[{"subject":"user:default item 22","action":"kept","reason":"score","detail":"rank 1, score 0.787277"},{"subject":"user:default item 6","action":"kept","reason":"score","detail":"rank 2, score 0.474274"},{"subject":"user:default item 17","action":"kept","reason":"score","detail":"rank 3, score 0.465194"},{"subject":"user:default item 12","action":"kept","reason":"score","detail":"rank 4, score 0.224124"},{"subject":"user:default item 19","action":"kept","reason":"score","detail":"rank 5, score 0.098132"},{"subject":"user:default item 9","action":"kept","reason":"score","detail":"rank 6, score 0.015156"},{"subject":"user:default item 3","action":"kept","reason":"score","detail":"rank 7, score 0.000749"}]},{"name":"gate","decisions":[{"subject":"user:default item 12","action":"dropped","reason":"min_score","detail":"score 0.2241 is below 0.3"},{"subject":"user:default item 19","action":"dropped","reason":"min_score","detail":"score 0.0981 is below 0.3"},{"subject":"user:default item 9","action":"dropped","reason":"min_score","detail":"score 0.0152 is below 0.3"},{"subject":"user:default item 3","action":"dropped","reason":"min_score","detail":"score 0.0007 is below 0.3"},{"subject":"3 passages","action":"kept","reason":"min_score","detail":"scores of 0.3 and more"}]},{"name":"deduplicate","decisions":[]},{"name":"top_k","decisions":[]},{"name":"interleave","decisions":[{"subject":"user:default item 22","action":"kept","reason":"relevance","detail":"place 1, score 0.7873"},{"subject":"user:default item 17","action":"kept","reason":"recency","detail":"place 2, of 2026-11-15T18:08:47.313811Z"},{"subject":"user:default item 6","action":"kept","reason":"relevance","detail":"place 3, score 0.4743"}]},{"name":"clip","decisions":[{"subject":"user:default item 17","action":"changed","reason":"clip_sentences","detail":"133 of 981 bytes, 2 sentences that say most of it"},{"subject":"user:default item 6","action":"changed","reason":"clip_sentences","detail":"49 of 356 bytes, 2 sentences that say most of it"}]},{"name":"budget","decisions":[{"subject":"user:default item 22","action":"kept","reason":"fits","detail":"6 tokens, 6 in all"},{"subject":"user:default item 17","action":"kept","reason":"fits","detail":"31 tokens, 37 in all"},{"subject":"user:default item 6","action":"kept","reason":"fits","detail":"14 tokens, 51 in all"}]}]}}');


--
-- Data for Name: recordar_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recordar_schema VALUES (1, 'spine');
INSERT INTO public.recordar_schema VALUES (2, 'index');
INSERT INTO public.recordar_schema VALUES (3, 'receipts');
INSERT INTO public.recordar_schema VALUES (4, 'spending');
INSERT INTO public.recordar_schema VALUES (5, 'tree');


--
-- Data for Name: reservations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: segments; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: spaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.spaces VALUES (1, '\x0de5f418707bb00dbade9aef349d22bf41dbeaf6ae8521c6beec9b33258066cd', 'user:default', 1, 23, 10, 1794766127965308, 1794766127288547);


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

INSERT INTO public.versions VALUES (1, 2, 1, 1, '\xb3dcdd9f3878c0d35e5cfa8585d2da20ce515ce44434d76547bd105ac6f3c2d5', 385, 385, 1794766127105868, 'json', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 120, 0, 1794766127288547, 1, NULL, 1);
INSERT INTO public.versions VALUES (1, 5, 4, 1, '\x7d39deba00d20b602294fdc35c3e34e0e7b5d940270968281c4a0fb6fcdf4b70', 357, 356, 1794766127105904, 'yaml', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794766127298174, 2, NULL, 2);
INSERT INTO public.versions VALUES (1, 8, 7, 1, '\x211b53febbf8954369dc6f20b40e4406122d1e81f1ce0bba1e39258bf47caf43', 368, 368, 1794766127105932, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 92, 0, 1794766127300102, 3, NULL, 3);
INSERT INTO public.versions VALUES (1, 11, 10, 1, '\x45d4eff2766717520c6aa344aacb2633040da3ca68fb9abd474a61cdc78e5975', 563, 563, 1794766127105945, 'text', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 131, 0, 1794766127301970, 4, NULL, 4);
INSERT INTO public.versions VALUES (1, 14, 13, 1, '\x207a1e322b69a34e5a595a1730c38b54f444112673ad58475cc3b0883c2b2279', 980, 980, 1794766127105956, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794766127303498, 5, 6, 6);
INSERT INTO public.versions VALUES (1, 16, 13, 2, '\x2d2c2c93987d4b2dd8c1aa145c3c37423db1e9bfd9a518ef917d3d5b700d678f', 982, 982, 1794766127313811, 'markdown', '["file_ingest","handbook"]', 'keeping the light', NULL, NULL, '{}', '{"method":"delimiter","min_tokens":300,"max_tokens":500,"delimiters":[".","。","\n"]}', 'o200k_base', 1, 216, 0, 1794766127497751, 6, NULL, 6);


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


