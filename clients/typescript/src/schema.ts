// Generated from the server's OpenAPI document by `npm run generate`. Do not edit.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server runs. */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in Prometheus' text format. For administrators' keys. */
        get: operations["prometheus_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server and its database can be used. */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show whose key is in use. */
        get: operations["show_session"];
        put?: never;
        /** Sign in with a key, for pages: it is kept in a cookie that scripts cannot read. */
        post: operations["sign_in"];
        /** Sign out. */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/add_model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a model from a folder of this machine, and register it for use by name.
         * @description Reads. It uses files of the server's machine: for administrators' keys.
         */
        post: operations["add_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approve_term": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a suggested term to the vocabulary, and to the messages that suggested it.
         * @description Writes. For administrators' keys.
         */
        post: operations["approve_term"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from stored items, with citations. Without a language model, the answer is quoted from stored text.
         * @description Reads. For keys with access to the space and to those named in `also`.
         */
        post: operations["ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Back up the whole store to a file, unredacted. The store stays usable meanwhile.
         * @description Reads. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys.
         */
        post: operations["backup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/buckets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the buckets of the space that have records.
         * @description Reads. For keys with access to the space.
         */
        post: operations["buckets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cancel_jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove all jobs of the space from the queue.
         * @description Writes. For keys with access to the space.
         */
        post: operations["cancel_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/check_models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the shipped judge and the registered model folders: files, checksum, and a run on a sample.
         * @description Reads. It uses files of the server's machine: for administrators' keys.
         */
        post: operations["check_models"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/classify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Classify chunks that have no category yet.
         * @description Writes. For keys with access to the space.
         */
        post: operations["classify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compose a prompt from rules, project memory, files, documents and history, in a fixed order of authority, within a token budget, and say why each part is there.
         * @description Reads. For keys with access to the space.
         */
        post: operations["compose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compose_diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compose the prompt of a receipt again from what is stored now, and show what changed since then, and why.
         * @description Reads. For keys with access to the space.
         */
        post: operations["compose_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/confirm_fact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a fact or a summary: it is verified until something that it comes from changes again, or the date comes.
         * @description Writes. For keys with access to the space.
         */
        post: operations["confirm_fact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/correct_fact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct a fact. A person's word beats extracted ones, and stays.
         * @description Writes. For keys with access to the space.
         */
        post: operations["correct_fact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deepen_tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add levels to the tree. Each leaf moves under a new category of the same name.
         * @description Writes. For keys with access to the space.
         */
        post: operations["deepen_tree"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/delete_records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete records of a bucket, by their keys or all of them.
         * @description Deletes for good. For keys with access to the space.
         */
        post: operations["delete_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the document version that best matches a description.
         * @description Reads. For keys with access to the space.
         */
        post: operations["document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/document_diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the differences between two versions of a document.
         * @description Reads. For keys with access to the space.
         */
        post: operations["document_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/document_text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the exact text of a document.
         * @description Reads. For keys with access to the space.
         */
        post: operations["document_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/document_versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the versions of a document.
         * @description Reads. For keys with access to the space.
         */
        post: operations["document_versions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the documents of the space, or those that pass a filter.
         * @description Reads. For keys with access to the space.
         */
        post: operations["documents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue messages that the configured model, or the built-in method, has not labelled yet.
         * @description Writes. For keys with access to the space and to those named in `also`.
         */
        post: operations["enrich"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/entail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judge whether a statement follows from a passage, is open, or is contradicted.
         * @description Reads. For keys with access to the space.
         */
        post: operations["entail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Permanently delete what has come to its end.
         * @description Deletes for good. For keys with access to the space and to those named in `also`.
         */
        post: operations["expire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/expiries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List what has an end, the earliest first.
         * @description Reads. For keys with access to the space.
         */
        post: operations["expiries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export a space or the whole store as JSON lines.
         * @description Reads. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys.
         */
        post: operations["export"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extract_facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extract facts from messages that are already stored: at once, and by the language model, if there is one, from the queue.
         * @description Writes. For keys with access to the space.
         */
        post: operations["extract_facts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fact_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show all that was stated about the same subject and attribute as a fact, and what people did about it.
         * @description Reads. For keys with access to the space.
         */
        post: operations["fact_history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List facts: what holds, since when, and who said so.
         * @description Reads. For keys with access to the space.
         */
        post: operations["facts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Permanently delete items, a document, a thread, receipts or a whole space.
         * @description Deletes for good. For keys with access to the space.
         */
        post: operations["forget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/helper": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show or change the helper of a source, which describes the source in prompts.
         * @description Writes. For keys with access to the space.
         */
        post: operations["helper"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show all that an item was, the newest first: what `update` and its own id replaced.
         * @description Reads. For keys with access to the space.
         */
        post: operations["history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import an export of Recordar or another system.
         * @description Writes. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys.
         */
        post: operations["import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import_vocabulary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the vocabulary with a new version. Existing labels stay; enrich with outdated relabels.
         * @description Writes. For administrators' keys.
         */
        post: operations["import_vocabulary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/important": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an item as important, or no longer. Composing prefers important items, however old they are.
         * @description Writes. For keys with access to the space.
         */
        post: operations["important"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store files and folders as documents. Changed files become new versions.
         * @description Writes. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys.
         */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest_text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a text as a document.
         * @description Writes. For keys with access to the space.
         */
        post: operations["ingest_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show one item: a message, fact, summary or chunk, with its metadata.
         * @description Reads. For keys with access to the space.
         */
        post: operations["item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the items of the space, such as its facts, page by page; or get several by their ids.
         * @description Reads. For keys with access to the space.
         */
        post: operations["items"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the API keys of the server, with what each may use and has spent today.
         * @description Reads. For administrators' keys.
         */
        post: operations["keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/make_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an API key for the server. The key itself is shown only once.
         * @description Writes. For administrators' keys.
         */
        post: operations["make_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merge_categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a category and everything below it into another on the same level.
         * @description Writes. For keys with access to the space.
         */
        post: operations["merge_categories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the messages of a thread.
         * @description Reads. For keys with access to the space.
         */
        post: operations["messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the metrics of recalls since this process started.
         * @description Reads. For administrators' keys.
         */
        post: operations["metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the configured models and model folders, their capabilities and prices, and today's spending.
         * @description Reads. For administrators' keys.
         */
        post: operations["models"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/move_category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a category to another parent on the level above it.
         * @description Writes. For keys with access to the space.
         */
        post: operations["move_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/move_document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a document. Its history stays. The file itself is not touched.
         * @description Writes. For keys with access to the space.
         */
        post: operations["move_document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the status and result of an operation.
         * @description Reads. For keys with access to the space.
         */
        post: operations["operation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{id}": {
        parameters: {
            query?: {
                space?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** Show how far a call is, or its result. */
        get: operations["get_operation"];
        put?: never;
        post?: never;
        /** Cancel a call that runs. */
        delete: operations["cancel_operation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/put_records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store records: named values of an application, in buckets. They are never searched or recalled.
         * @description Writes. For keys with access to the space.
         */
        post: operations["put_records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the chunks for a question by descending the category tree.
         * @description Reads. For keys with access to the space.
         */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the state of the queue: waiting and running jobs, and those set aside.
         * @description Reads. For administrators' keys.
         */
        post: operations["queue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recall stored items about a question, as a context within a token budget.
         * @description Reads. For keys with access to the space and to those named in `also`.
         */
        post: operations["recall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the receipts of the space, newest first.
         * @description Reads. For keys with access to the space.
         */
        post: operations["receipts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List records of a bucket with their values, page by page; or get some by their keys.
         * @description Reads. For keys with access to the space.
         */
        post: operations["records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reembed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the database to another embedder, while searches go on.
         * @description Writes. For administrators' keys.
         */
        post: operations["reembed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reject_term": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a suggested term aside, so that it is suggested no more.
         * @description Writes. For administrators' keys.
         */
        post: operations["reject_term"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remember": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a message, or a batch of them.
         * @description Writes. For keys with access to the space.
         */
        post: operations["remember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/remove_model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a model folder from the register. No file is deleted.
         * @description Reads. It uses files of the server's machine: for administrators' keys.
         */
        post: operations["remove_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rename_category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a category.
         * @description Writes. For keys with access to the space.
         */
        post: operations["rename_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the whole store from a backup. The store stays usable meanwhile.
         * @description Deletes for good. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys.
         */
        post: operations["restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/restore_fact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a fact that was retired.
         * @description Writes. For keys with access to the space.
         */
        post: operations["restore_fact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retire_fact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retire a fact: it no longer counts, and what it had ended holds again. It stays in the history.
         * @description Writes. For keys with access to the space.
         */
        post: operations["retire_fact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retry_jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the jobs of the space again that were set aside.
         * @description Writes. For keys with access to the space.
         */
        post: operations["retry_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/revoke_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key: from now on, it is refused.
         * @description Writes. For administrators' keys.
         */
        post: operations["revoke_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the best items for a question, with the parts of each score.
         * @description Reads. For keys with access to the space and to those named in `also`.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/set_document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the topic, note, provider or metadata of a document. Its text gets no new version.
         * @description Writes. For keys with access to the space.
         */
        post: operations["set_document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/set_expiry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set, change or remove the time when a thread, an item or the documents with a tag are to be forgotten.
         * @description Writes. For keys with access to the space.
         */
        post: operations["set_expiry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/set_standing_text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the rules, the project memory or the synonyms of a space. What was there stays in the history.
         * @description Writes. For keys with access to the space.
         */
        post: operations["set_standing_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the spaces that you may read.
         * @description Reads. For any key. It shows what the key may read.
         */
        post: operations["spaces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing_text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a standing text of a space: its rules, its project memory, or its synonyms.
         * @description Reads. For keys with access to the space.
         */
        post: operations["standing_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing_text_diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the differences between two versions of the rules, the project memory or the synonyms.
         * @description Reads. For keys with access to the space.
         */
        post: operations["standing_text_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/standing_text_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all versions of the rules, the project memory or the synonyms of a space.
         * @description Reads. For keys with access to the space.
         */
        post: operations["standing_text_history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List terms that the vocabulary lacks, with examples from all spaces.
         * @description Reads. For administrators' keys.
         */
        post: operations["suggestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the summaries of old messages, each with the messages that it sums up.
         * @description Reads. For keys with access to the space.
         */
        post: operations["summaries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summarise_threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue the threads that are already stored to be summed up; the jobs of the queue make the summaries.
         * @description Writes. For keys with access to the space.
         */
        post: operations["summarise_threads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tag_document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add tags to a document. Its text gets no new version.
         * @description Writes. For keys with access to the space.
         */
        post: operations["tag_document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test_models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the configured language model: run every task once on a three-sentence text.
         * @description Reads. For administrators' keys.
         */
        post: operations["test_models"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all threads of the space.
         * @description Reads. For keys with access to the space.
         */
        post: operations["threads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the category tree with its counts.
         * @description Reads. For keys with access to the space.
         */
        post: operations["tree"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/undo_approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove an approved term again, and restore the labels of before.
         * @description Writes. For administrators' keys.
         */
        post: operations["undo_approval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/untag_document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove tags from a document. Its text gets no new version.
         * @description Writes. For keys with access to the space.
         */
        post: operations["untag_document"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the text or the metadata of a message, fact or summary. What it was stays in its history.
         * @description Writes. For keys with access to the space.
         */
        post: operations["update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vocabulary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the vocabulary that messages are labelled with.
         * @description Reads. For administrators' keys.
         */
        post: operations["vocabulary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vocabulary_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all changes of the vocabulary.
         * @description Reads. For administrators' keys.
         */
        post: operations["vocabulary_history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a recalled context, an answer or a composed prompt: rebuild it from its receipt, and compare it with the original.
         * @description Reads. For keys with access to the space and to those named in `also`.
         */
        post: operations["why"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/why_not": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show why an item is not in a recalled context, and which settings would include it.
         * @description Reads. For keys with access to the space and to those named in `also`.
         */
        post: operations["why_not"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Do the jobs of the queue, such as labelling messages, until it is empty.
         * @description Writes. For administrators' keys.
         */
        post: operations["work"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A document that an item is about. */
        AboutDocument: {
            document: string;
            /**
             * Format: int64
             * @description The number of the version that was current when the item was stored.
             */
            version: number;
        };
        /** @enum {string} */
        Action: "kept" | "changed" | "dropped" | "refused";
        /**
         * AddModelArguments
         * @description Try a model from a folder of this machine, and register it for use by name.
         */
        AddModelArguments: {
            /** @description The folder of the model: model.onnx (or onnx/model.onnx), config.json and tokenizer.json. */
            folder: string;
            /** @description What to call it. By default, the name of the folder. */
            name?: string | null;
        };
        /**
         * AddedModel
         * @description A model that was added.
         */
        AddModelReply: {
            /** Format: date-time */
            added_at: string;
            /**
             * Format: uint64
             * @description The size of its files.
             */
            bytes: number;
            kind: components["schemas"]["ModelKind"];
            /**
             * Format: double
             * @description How long it took to load.
             */
            load_ms: number;
            /** @description What it is called: `folder:NAME`. */
            name: string;
            /** @description The folder of its files. */
            path: string;
            /** @description Whether the folder was registered before. */
            replaced: boolean;
            /**
             * Format: double
             * @description How long a sample of two sentences took, on one OS thread.
             */
            sample_ms: number;
            /** @description The sha256 of its files when it was added. */
            sha256: string;
        };
        AnswerReceipt: {
            /** @description Whether replies were accepted at any length. In earlier receipts, longer ones than the model was told were refused. */
            accepts_any_length?: boolean;
            answer_sha256: string;
            citations: number[];
            /** @description Every reply of the model, by the digest of its request. */
            exchanges?: components["schemas"]["Exchange"][];
            language: string;
            /** Format: uint32 */
            max_output_tokens: number;
            method: components["schemas"]["Method"];
            /** @description The model that answered, with its parameters. */
            model?: components["schemas"]["ModelSettings"] | null;
            /**
             * Format: uint
             * @description How many memories, counted from the first, the answer was made from.
             */
            passages: number;
            /** @description Why the configured model did not answer. */
            problem?: components["schemas"]["ModelProblem"] | null;
            /** @description The prompt file. */
            prompt: string;
            /** @description The words that the built-in answer quotes; earlier receipts do not keep them. */
            quoted?: components["schemas"]["Quotation"] | null;
            /** @description Whether the built-in answer quotes passages. Earlier ones joined sentences. */
            quotes?: boolean;
            /** @description Whether a quotation keeps to a section, and of a chat to one's own messages, the newest first. Earlier ones did not. */
            quotes_sections?: boolean;
            /** @description What the built-in answer says of what holds, if it does so rather than quote. */
            stated?: components["schemas"]["Stated"] | null;
            /** @description The inputs of the prompt, if it was made of the tree; otherwise they are the memories of the receipt. */
            tree?: components["schemas"]["TreeInputs"] | null;
        };
        /**
         * ApproveTermArguments
         * @description Add a suggested term to the vocabulary, and to the messages that suggested it.
         */
        ApproveTermArguments: {
            /**
             * @description topic or category.
             * @enum {string|null}
             */
            kind?: "topic" | "category" | null;
            /** @description The suggested term. */
            term: string;
        };
        /**
         * VocabularyEdited
         * @description What an edit has done.
         */
        ApproveTermReply: {
            kind: components["schemas"]["TermKind"] | null;
            /**
             * Format: uint64
             * @description Messages whose labels were changed.
             */
            relabelled: number;
            term: string | null;
            version: string;
        };
        /**
         * AskOwn
         * @description Answer a question from stored items, with citations. Without a language model, the answer is quoted from stored text.
         */
        AskArguments: {
            /**
             * @description More spaces to search, such as shared:handbook.
             * @default []
             */
            also?: components["schemas"]["SpaceName"][];
            /**
             * Format: date-time
             * @description Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
             */
            as_of?: string | null;
            /**
             * Format: date-time
             * @description When the question is asked, to interpret "last week" and the like; by default as_of, or now.
             */
            asked_at?: string | null;
            /**
             * @description What max_tokens bounds: text (with headings and sources) or memories.
             * @default text
             * @enum {string|null}
             */
            budget_covers?: "text" | "memories" | null;
            /** @description Only messages of this category of the vocabulary. */
            category?: string | null;
            /**
             * Format: uint32
             * @description Sentences kept of each memory, at least.
             * @default 2
             */
            clip_sentences?: number | null;
            /**
             * @description More regular expressions to redact. Turns redaction on.
             * @default []
             */
            custom_redaction_patterns?: string[];
            /**
             * @description Only estimate the maximum cost; no model is called.
             * @default false
             */
            dry_run?: boolean;
            /**
             * @description Redact social security numbers, card numbers and e-mail addresses.
             * @default false
             */
            enable_redaction?: boolean | null;
            /**
             * @description Only messages that name one of these: an order, a person, an amount.
             * @default []
             */
            entities?: string[];
            /**
             * @description How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
             *     (clip_sentences from the beginning, and nothing more).
             * @default fill
             * @enum {string|null}
             */
            excerpts?: "fill" | "first_sentences" | null;
            /**
             * @description Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
             *     collection, kind, thread, role, speaker, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /**
             * @description Order of the memories: alternate, score_first or recency_first.
             * @default alternate
             * @enum {string|null}
             */
            interleaving?: "alternate" | "score_first" | "recency_first" | null;
            /**
             * Format: double
             * @description With score_first or recency_first: share of the places that the preferred order gets.
             */
            interleaving_ratio?: number | null;
            /**
             * Format: uint
             * @description Maximum chunks per path; all by default.
             */
            limit_per_path?: number | null;
            /**
             * Format: uint32
             * @description Maximum paths followed; default 64, unless configured.
             */
            max_paths?: number | null;
            /**
             * Format: uint32
             * @description Maximum categories selected under one parent; default 128, unless configured.
             */
            max_per_level?: number | null;
            /**
             * Format: uint32
             * @description With tree: maximum tokens of the final prompt.
             */
            max_token_budget?: number | null;
            /**
             * Format: uint32
             * @description Maximum tokens of the context.
             * @default 1500
             */
            max_tokens?: number | null;
            /** @description Only messages of this type of the vocabulary. */
            message_type?: string | null;
            /**
             * Format: double
             * @description With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured for the model.
             */
            min_confidence?: number | null;
            /**
             * Format: double
             * @description Minimum score, after reranking if it is on; memories below it are dropped.
             * @default 0.3
             */
            min_score?: number | null;
            /**
             * Format: uint32
             * @description How many categories the strategy follows on the first level; default 3 for wide_branch, 6 for zoom_in and branch_out.
             */
            n?: number | null;
            /**
             * Format: uint32
             * @description How many categories fewer (zoom_in) or more (branch_out) it follows on each further level; default 2.
             */
            n2?: number | null;
            /**
             * @description With tree, if the chunks exceed the budget: prune drops paths, summarize shortens every chunk.
             * @enum {string|null}
             */
            prompt_limiting_strategy?: "prune" | "summarize" | null;
            /** @description The question to answer from stored items. */
            query: string;
            /** @description Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides. */
            receipt?: boolean | null;
            /**
             * @description Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
             *     reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
             */
            rerank?: string | null;
            /**
             * @description Where to look: recall searches all items; tree descends the document categories.
             * @enum {string|null}
             */
            route?: "recall" | "tree" | null;
            /**
             * @description keyword, semantic or hybrid.
             * @default hybrid
             * @enum {string|null}
             */
            search_type?: "keyword" | "semantic" | "hybrid" | null;
            /** @description Name of the conversation in which the question is asked. It is recorded in the receipt and does not affect results. */
            session_id?: string | null;
            /**
             * @description Strategy: one_shot, wide_branch, zoom_in or branch_out. If omitted, tree.strategy in the configuration decides.
             * @enum {string|null}
             */
            strategy?: "one_shot" | "wide_branch" | "zoom_in" | "branch_out" | null;
            /**
             * Format: uint32
             * @description Maximum number of memories.
             * @default 8
             */
            top_k?: number | null;
            /**
             * @description Only messages labelled with one of these topics of the vocabulary.
             * @default []
             */
            topics?: string[];
            /** @description With prune: drop the lowest-ranked path first, rather than the last in order. */
            use_rankings?: boolean | null;
        };
        /**
         * AskResult
         * @description An answer, who made it, and from which texts.
         */
        AskReply: {
            /** @description Empty if nothing was found, and in a dry run. */
            answer: string;
            citations: components["schemas"]["Citation"][];
            /** @description How sure the reranker is that any of the candidates answers the question. */
            confidence: components["schemas"]["JudgeConfidence"];
            /** @description Paths of the tree that were found but not used. */
            dropped_paths: components["schemas"]["DroppedPath"][];
            /** @description The estimated cost, in a dry run with a model. */
            estimate?: components["schemas"]["Estimate"] | null;
            /** @description What the answer quotes or rests on, the best first. Empty if a model wrote it. */
            excerpts: components["schemas"]["Excerpt"][];
            /** @description What the cited passages state that holds, and since when. */
            facts: components["schemas"]["FactView"][];
            /** @description The memories the answer was made from, numbered from 1 in this order. */
            memories: components["schemas"]["MemoryEntry"][];
            /**
             * @description `model`; `built_in` if the answer is quoted from stored text or says what it states, by rules; `nothing` if there was nothing to answer from. In a dry
             *     run, who would answer.
             */
            method: components["schemas"]["Method"];
            /** @description The model that answered. */
            model?: string | null;
            /** @description Why the configured model did not answer. */
            model_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description Where the closest items are from, if nothing stored answers, numbered from 1. */
            nearest: components["schemas"]["Citation"][];
            query: string;
            /** @description The receipt's id, if one is kept. */
            receipt?: string | null;
            /**
             * Format: double
             * @description Reranking, which is part of it; absent if it was off.
             */
            rerank_ms?: number | null;
            /** @description Why the configured model did not rerank the candidates. */
            rerank_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description Every call of the model, including failed ones. */
            responses: components["schemas"]["CallReport"][];
            route: components["schemas"]["Route"];
            spaces: string[];
            /**
             * Format: double
             * @description Total time in milliseconds. Measured, so it differs between calls.
             */
            total_latency: number;
            trace: components["schemas"]["Trace"];
            /**
             * @description Whether the excerpts are only the closest passages, because the reranker doubts that the first one answers. False if nothing was judged, and
             *     for models from folders.
             */
            unsure: boolean;
            /** @description The chunks the answer was made from (route `tree`), numbered from 1 in this order. */
            used_chunks: components["schemas"]["UsedChunk"][];
        };
        /**
         * BackupArguments
         * @description Back up the whole store to a file, unredacted. The store stays usable meanwhile.
         */
        BackupArguments: {
            /** @description The file to write. */
            file: string;
            /**
             * @description Overwrite an existing file.
             * @default false
             */
            force?: boolean;
        };
        /**
         * BackupArguments
         * @description Back up the whole store to a file, unredacted. The store stays usable meanwhile.
         */
        BackupArgumentsWithFiles: Record<string, never>;
        /** ExportReport */
        BackupReply: {
            /** @description The file that was written, if any. */
            file: string | null;
            spaces: components["schemas"]["ExportedSpace"][];
        };
        /** @description One call that classified several chunks, with its follow-ups. */
        BatchReport: {
            document: string;
            /** Format: double */
            latency_ms: number;
            /** Format: uint32 */
            level: number;
            method: components["schemas"]["Method"];
            /**
             * Format: uint64
             * @description How many chunks were sent again, counting each time.
             */
            retried: number;
            /** Format: uint64 */
            sent: number;
            /** Format: uint64 */
            succeeded: number;
            /** @description The names from the root to the parent. */
            under: string[];
        };
        BucketView: {
            bucket: string;
            /**
             * Format: uint64
             * @description How many records it has.
             */
            records: number;
        };
        /**
         * BucketsArguments
         * @description List the buckets of the space that have records.
         */
        BucketsArguments: {
            /**
             * Format: uint
             * @description Maximum number of buckets on a page.
             * @default 100
             */
            limit?: number;
            /**
             * Format: uint
             * @description Skip this number of buckets: `next` of the page before.
             * @default 0
             */
            offset?: number;
            /**
             * @description Only buckets whose names begin with this.
             * @default
             */
            prefix?: string;
        };
        /** BucketList */
        BucketsReply: {
            buckets: components["schemas"]["BucketView"][];
            /**
             * Format: uint
             * @description Pass it as `offset` to get the next page. Absent on the last one.
             */
            next?: number | null;
            space: string;
        };
        /** @description What the token budget of a recall bounds. */
        BudgetCovers: "text" | "memories";
        /** @description Who does the work of an agent. */
        By: string;
        /** @description One call, successful or not. */
        CallReport: {
            /** @description Whether the provider counted the tokens; otherwise they are an upper bound. */
            is_counted: boolean;
            /** Format: double */
            latency_ms: number;
            /** Format: uint32 */
            max_output_tokens: number;
            model: string;
            /**
             * Format: uint64
             * @description Billionths of a dollar; none if the price is unknown.
             */
            nano_usd?: number | null;
            /** @description `ok`, or the code of an error. */
            outcome: string;
            /** @description The date of the price. */
            price_dated?: string | null;
            provider: string;
            /** @description Replayed from a recording: nothing was called or spent. */
            replayed: boolean;
            request_sha256: string;
            /** Format: int64 */
            seed?: number | null;
            structured: components["schemas"]["Structured"];
            /**
             * Format: double
             * @description The model's default if unset.
             */
            temperature?: number | null;
            /** Format: date-time */
            timestamp: string;
            /** Format: uint64 */
            tokens_completion: number;
            /** Format: uint64 */
            tokens_prompt: number;
        };
        /**
         * CancelJobsArguments
         * @description Remove all jobs of the space from the queue.
         */
        CancelJobsArguments: {
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /**
         * JobsChanged
         * @description How many jobs of a space were changed.
         */
        CancelJobsReply: {
            /** Format: uint64 */
            jobs: number;
            space: string;
        };
        CandidateView: {
            /** Format: double */
            cosine: number;
            /** Format: int64 */
            item_id: number;
            parts: components["schemas"]["Evidence"];
            /** Format: uint */
            rank: number;
            /** @description What reranking did with it; absent if it was off. */
            rerank?: components["schemas"]["RerankView"] | null;
            /** Format: double */
            score: number;
            space: string;
            /** @description The parts of the score of a staged recall. */
            staged?: components["schemas"]["StagedEvidence"] | null;
            words: components["schemas"]["WordView"][];
        };
        CategoryView: {
            children?: components["schemas"]["CategoryView"][];
            /**
             * Format: uint64
             * @description Live chunks on it, or below.
             */
            chunks: number;
            /** Format: int64 */
            id: number;
            /** Format: uint32 */
            level: number;
            name: string;
        };
        /** @description The most that may be spent; none for no limit. */
        Ceiling: {
            /** Format: uint64 */
            nano_usd: number | null;
            /** Format: uint64 */
            tokens: number | null;
        };
        Ceilings: {
            call: components["schemas"]["Ceiling"];
            day: components["schemas"]["Ceiling"];
            operation: components["schemas"]["Ceiling"];
        };
        /**
         * CheckModelsArguments
         * @description Check the shipped judge and the registered model folders: files, checksum, and a run on a sample.
         */
        CheckModelsArguments: {
            /** @description The model to check: the name of a registered one, or judge for the one that comes with the program. By default all. */
            name?: string | null;
        };
        /**
         * ModelsCheck
         * @description The result of checking models.
         */
        CheckModelsReply: {
            models: components["schemas"]["CheckedModel"][];
            passed: boolean;
        };
        CheckedModel: {
            kind: components["schemas"]["ModelKind"];
            name: string;
            passed: boolean;
            /** @description The folder; none for the judge that comes with the program. */
            path: string | null;
            /** @description What is wrong with it. */
            problem?: string | null;
            remedy?: string | null;
            /**
             * Format: double
             * @description How long a sample took, if it could be run.
             */
            sample_ms?: number | null;
            sha256: string;
        };
        /** @description Where a fact is said: a part of a chunk. */
        ChunkCitation: {
            /** Format: uint */
            end: number;
            /** Format: int64 */
            item_id: number;
            /**
             * Format: uint
             * @description The number of its source.
             */
            source: number;
            /**
             * Format: uint
             * @description Where it begins and ends in the chunk's text as shown, in bytes.
             */
            start: number;
        };
        ChunkView: {
            /** Format: int64 */
            item_id: number;
            /**
             * Format: uint
             * @description Bytes at the start of the text that repeat the previous chunk.
             */
            overlap: number;
            /** Format: int64 */
            position: number;
            section: string | null;
            text: string;
            /** Format: int64 */
            tokens: number;
        };
        /** @description A passage that supports the answer. */
        Citation: {
            collection: string;
            document?: string | null;
            /** @description The document's path relative to the folder that was ingested. */
            document_name?: string | null;
            /** Format: int64 */
            item_id: number;
            /**
             * Format: uint
             * @description Its number among the memories, from 1.
             */
            number: number;
            /** @description The section of the cited passage. */
            section?: string | null;
            /** @description Who said it. */
            speaker?: string | null;
            /**
             * Format: date-time
             * @description When it was said. Absent for documents.
             */
            time?: string | null;
        };
        ClassifiedDocument: {
            /** Format: uint64 */
            classified: number;
            helper?: components["schemas"]["HelperReport"] | null;
            model_problem?: components["schemas"]["ModelProblem"] | null;
            path: string;
            /** Format: uint64 */
            unclassified: number;
            warnings: components["schemas"]["Problem"][];
        };
        /**
         * ClassifyArguments
         * @description Classify chunks that have no category yet.
         */
        ClassifyArguments: {
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** ClassifyReport */
        ClassifyReply: {
            batches: components["schemas"]["BatchReport"][];
            /**
             * Format: uint64
             * @description Chunks that were assigned to a leaf, and chunks still pending.
             */
            classified: number;
            documents: components["schemas"]["ClassifiedDocument"][];
            operation: string;
            /** @description Every call of the model, including failed ones. */
            responses: components["schemas"]["CallReport"][];
            space: string;
            trace: components["schemas"]["Trace"];
            /** Format: uint64 */
            unclassified: number;
            /** @description Notes about the whole call. */
            warnings?: components["schemas"]["Problem"][];
        };
        /**
         * ComposeArguments
         * @description Compose a prompt from rules, project memory, files, documents and history, in a fixed order of authority, within a token budget, and say why each part is there.
         */
        ComposeArguments: {
            /**
             * @description Which agents run: a1 (injects files), a2 (shapes the prompt), a3 (gates what was retrieved), a4 (condenses it). They work by rules; `a2=model`,
             *     `a3=judge`, `a3=folder:NAME`, `a3=model` and `a4=model` ask the judge, a model from a folder or the configured language model. If omitted, compose.agents in the configuration applies.
             * @default []
             */
            agents?: string[];
            /**
             * Format: date-time
             * @description Compose from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
             */
            as_of?: string | null;
            /**
             * Format: date-time
             * @description When it is asked, to interpret "last week" and the like; by default as_of, or now.
             */
            asked_at?: string | null;
            /**
             * Format: uint
             * @description Tokens of facts and constraints; default 1500.
             */
            context_tokens?: number | null;
            /**
             * @description A document to inject, by path, file name or id.
             * @default []
             */
            file?: string[];
            /**
             * Format: uint
             * @description Tokens of packed files together; default 2000.
             */
            file_tokens?: number | null;
            /**
             * @description Inject files whole, which is the default; one that does not fit is refused.
             * @default false
             */
            full?: boolean;
            /**
             * Format: uint
             * @description Tokens of earlier history; default 800.
             */
            history_tokens?: number | null;
            /**
             * Format: uint
             * @description How many chunks to retrieve; default 20.
             */
            k?: number | null;
            /**
             * @description Use the injected files, and neither other documents nor earlier history.
             * @default false
             */
            lock?: boolean;
            /**
             * Format: uint
             * @description Refuse a prompt of more tokens; default 8000.
             */
            max_tokens?: number | null;
            /**
             * Format: double
             * @description Refuse a prompt that could cost more, in US dollars.
             */
            max_usd?: number | null;
            /** @description How to answer, such as "terse, for experts". */
            mode?: string | null;
            /** @description Another model of the configured provider, to send the prompt to. */
            model?: string | null;
            /**
             * @description A document not to use.
             * @default []
             */
            off?: string[];
            /**
             * @description Pack the files into file_tokens, instead of injecting them whole. The prompt says what was left out.
             * @default false
             */
            pack?: boolean;
            /** @description With send: the prompt as you edited it, to be sent instead. */
            prompt?: string | null;
            /** @description What to ask the model. */
            query: string;
            /** @description Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides. */
            receipt?: boolean | null;
            /** @description Reranker: off, judge or folder:NAME. If omitted, recall.rerank in the configuration applies; if that is not set, the judge is used. */
            rerank?: string | null;
            /**
             * @description keyword, semantic or hybrid; default hybrid.
             * @enum {string|null}
             */
            search_type?: "keyword" | "semantic" | "hybrid" | null;
            /**
             * @description Send the prompt to the configured model, and show its answer.
             * @default false
             */
            send?: boolean;
            /**
             * @description Words that mean the same, in addition to those of the space: "NVH = vehicle acoustics".
             * @default []
             */
            synonyms?: string[];
            /** @description What kind of work it is, such as "code review". */
            task?: string | null;
            /**
             * Format: double
             * @description Strictness of the gate, from 0 (keep everything) to 1; default 0.15 by rules, 0.02 by the judge, 0.2 by the model.
             */
            theta?: number | null;
            /** @description The conversation that it continues. Its last turns are shown word for word. */
            thread?: string | null;
            /**
             * Format: uint
             * @description How many of the last turns are always shown; default 4.
             */
            turns?: number | null;
        };
        ComposeChange: {
            /** @description `added`, `removed` or `changed`. */
            change: string;
            section: string;
            /** @description An item, a file, or how long the section is. */
            what: string;
            why: string;
        };
        /**
         * ComposeDiffArguments
         * @description Compose the prompt of a receipt again from what is stored now, and show what changed since then, and why.
         */
        ComposeDiffArguments: {
            /** @description The id of a composition's receipt, or a prefix of it. */
            receipt: string;
        };
        /**
         * ComposeDiff
         * @description What a composition would be now, beside what it was.
         */
        ComposeDiffReply: {
            changes: components["schemas"]["ComposeChange"][];
            /** @description A unified diff of the prompts. */
            diff: string;
            /** @description Whether the prompt would be the same, byte for byte. */
            identical: boolean;
            /** Format: date-time */
            made_at: string;
            query: string;
            receipt: string;
            /** Format: uint */
            tokens_now: number;
            /** Format: uint */
            tokens_then: number;
        };
        ComposeReceipt: {
            files: components["schemas"]["ComposedFile"][];
            /** @description The prompt, piece by piece. */
            pieces: components["schemas"]["Piece"][];
            /** @description What was asked for. */
            request: components["schemas"]["ComposeRequest"];
            sections: components["schemas"]["ComposedSection"][];
            /** @description Absent if the prompt was not sent. */
            sent?: components["schemas"]["SentReceipt"] | null;
            /** @description The texts that the pieces quote, by their place. */
            texts: components["schemas"]["ReceiptText"][];
            /** @description The versions of the standing texts; 0 for one that was never set. */
            versions: components["schemas"]["StandingVersions"];
        };
        /** ComposeResult */
        ComposeReply: {
            /** @description How sure the reranker is that any of the chunks answers the question. */
            confidence: components["schemas"]["JudgeConfidence"];
            /** @description Statements that contradict each other, and which one was used. */
            conflicts: components["schemas"]["Conflict"][];
            /** @description S_ctx: facts, constraints and open issues, with their sources. */
            context: components["schemas"]["CondensedContext"];
            /** @description What sending it to the configured model costs at most; absent without one. */
            estimate?: components["schemas"]["Estimate"] | null;
            files: components["schemas"]["ComposedFile"][];
            /** @description Sentences of stored text that are instructions to a model. */
            flagged: components["schemas"]["FlaggedText"][];
            history: components["schemas"]["ComposedMessage"][];
            /** @description The finished prompt. */
            prompt: string;
            query: string;
            /** @description The id of the receipt, if one was kept. */
            receipt?: string | null;
            /** @description Why retrieval ran once more; absent if it did not. */
            rerun?: string | null;
            /** @description Every call of the agents; the answer's own are with it. */
            responses: components["schemas"]["CallReport"][];
            /**
             * Format: uint
             * @description How many tokens, counted from the beginning, are the same as in the last composition that has a receipt; absent if there is none.
             */
            same_tokens?: number | null;
            /** @description Its sections, in the order of their authority. */
            sections: components["schemas"]["ComposedSection"][];
            /** @description The model's answer; absent if the prompt was not sent. */
            sent?: components["schemas"]["Sent"] | null;
            /** @description What A2 made of the prompt. */
            shape?: components["schemas"]["Shape"] | null;
            space: string;
            /** @description The tokenizer that counted them. */
            tokenizer: string;
            /** Format: uint */
            tokens: number;
            /**
             * Format: double
             * @description In milliseconds.
             */
            total_latency: number;
            trace: components["schemas"]["Trace"];
        };
        /** @description Receipts keep it: a field that is added later needs a default for those from before. */
        ComposeRequest: {
            /** @description None for those of the configuration. */
            agents: {
                [key: string]: components["schemas"]["By"];
            } | null;
            /** Format: date-time */
            as_of: string | null;
            /** Format: date-time */
            asked_at: string | null;
            /** Format: uint */
            context_tokens: number;
            /** Format: uint */
            file_tokens: number;
            /** @description Files to inject. */
            files: string[];
            /** Format: uint */
            history_tokens: number;
            /** Format: uint */
            k: number;
            /** @description Nothing but the files is used. */
            lock: boolean;
            /** Format: uint */
            max_tokens: number;
            /** Format: double */
            max_usd: number | null;
            /** @description How to answer, such as "terse". */
            mode: string | null;
            /** @description Another model of the configured provider, to send the prompt to. */
            model: string | null;
            /** @description Files that are not used, whatever they say. */
            off: string[];
            /** @description Files are packed into `file_tokens`, rather than injected whole, which is the default. */
            pack: boolean;
            /** @description What the user asks. */
            query: string;
            rerank: string | null;
            search_type: components["schemas"]["Mode"];
            /** @description More synonyms, each like `NVH = vehicle acoustics`. */
            synonyms: string[];
            /** @description What kind of work it is, such as "code review". */
            task: string | null;
            /**
             * Format: double
             * @description The strictness of the gate, from 0 to 1; absent for the default of whoever does its work.
             */
            theta: number | null;
            /** @description The conversation that it is part of. */
            thread: string | null;
            /** Format: uint */
            turns: number;
        };
        /** @description An injected file. */
        ComposedFile: {
            /** Format: int64 */
            document_id: number;
            /** Format: uint */
            lines: number;
            /** Format: uint */
            lines_left_out: number;
            path: string;
            sha256: string;
            /** Format: uint */
            tokens: number;
            /** Format: int64 */
            version: number;
            /** @description False if it was packed and parts are left out. */
            whole: boolean;
        };
        /** @description A message that the prompt shows. */
        ComposedMessage: {
            at: string;
            /** @description Whether it is the reply of another system, stored by hand. */
            external: boolean;
            /** Format: int64 */
            item_id: number;
            /** @description `recent` (one of the last turns) or `earlier`. */
            layer: string;
            speaker: string;
            /** @description Whether it is a summary of old messages. */
            summary: boolean;
            text: string;
        };
        ComposedSection: {
            name: string;
            sha256: string;
            /** Format: uint */
            tokens: number;
        };
        CondensedContext: {
            constraints: components["schemas"]["ContextFact"][];
            facts: components["schemas"]["ContextFact"][];
            open_issues: string[];
            sources: components["schemas"]["ContextSource"][];
        };
        /** @enum {string} */
        Confidence: "low" | "medium" | "high";
        /**
         * ConfirmFactArguments
         * @description Confirm a fact or a summary: it is verified until something that it comes from changes again, or the date comes.
         */
        ConfirmFactArguments: {
            /**
             * Format: int64
             * @description The number of a fact or a summary.
             */
            fact: number;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description When to look at it again. Without it, an earlier date that is still to come stays. */
            review_by?: string | null;
        };
        /** FactConfirmed */
        ConfirmFactReply: {
            /** @description False if nothing changed: it was confirmed already, with this date. */
            changed: boolean;
            /**
             * Format: int64
             * @description The number of the fact or summary, and what it says.
             */
            fact: number;
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /** @description When to look at it again. */
            review_by?: string | null;
            /** Format: int64 */
            revision: number;
            space: string;
            text: string;
        };
        /** @description Two statements that contradict each other. */
        Conflict: {
            loser: string;
            loser_text: string;
            /** @description `file` (an injected file wins) or `newer`. */
            rule: string;
            /** @description The one that is used: a file, an item. */
            winner: string;
            winner_text: string;
        };
        ContextFact: {
            citations: components["schemas"]["ChunkCitation"][];
            support: components["schemas"]["Support"];
            text: string;
        };
        /** @description A chunk that is cited, or one of its sections. */
        ContextSource: {
            day: string;
            document: string;
            /** Format: int64 */
            item_id: number;
            /** Format: uint */
            number: number;
            section?: string | null;
        };
        /**
         * CorrectFactArguments
         * @description Correct a fact. A person's word beats extracted ones, and stays.
         */
        CorrectFactArguments: {
            /**
             * Format: int64
             * @description The number of a fact.
             */
            fact: number;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description The right value. */
            value: string;
        };
        /** FactChanged */
        CorrectFactReply: {
            /** @description Whether anything changed. */
            changed: boolean;
            /** @description The fact as it is now; of a correction, the new one. */
            fact: components["schemas"]["FactView"];
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /** Format: int64 */
            revision: number;
            space: string;
        };
        DeadJobView: {
            /** Format: int64 */
            attempts: number;
            error: string;
            /** Format: int64 */
            item_id: number;
            kind: string;
            /** Format: date-time */
            queued_at: string;
            space: string;
        };
        /** @description One decision: its subject, the action, the rule that decided, and details for people. */
        Decision: {
            action: components["schemas"]["Action"];
            detail?: string;
            /** @description A stable name of the rule, for programs: `unchanged`, `outside_root`, `delimiter`. */
            reason: string;
            subject: string;
        };
        /**
         * DeepenTreeArguments
         * @description Add levels to the tree. Each leaf moves under a new category of the same name.
         */
        DeepenTreeArguments: {
            /**
             * Format: uint32
             * @description The new number of levels.
             */
            depth: number;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** TreeEdited */
        DeepenTreeReply: {
            /**
             * Format: int64
             * @description The resulting category; absent if the whole tree was changed.
             */
            category_id?: number | null;
            /** Format: uint32 */
            depth: number;
            /** @description The edit: `rename`, `merge`, `move` or `deepen`. */
            edit: string;
            /**
             * Format: uint64
             * @description Categories that were merged into others.
             */
            merged_categories: number;
            /**
             * Format: uint64
             * @description Chunks that moved to another leaf.
             */
            moved_chunks: number;
            /**
             * @description Whether this operation was done before; then this is its original result.
             * @default false
             */
            repeated: boolean;
        };
        /**
         * DeleteRecordsArguments
         * @description Delete records of a bucket, by their keys or all of them.
         */
        DeleteRecordsArguments: {
            /**
             * @description Also in buckets whose names begin with it.
             * @default false
             */
            below?: boolean;
            /** @description The bucket. Without keys and prefix, all its records are deleted. */
            bucket: string;
            /** @description Only these keys. */
            keys?: string[] | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /**
             * @description Only keys that begin with this.
             * @default
             */
            prefix?: string;
        };
        /** RecordsDeleted */
        DeleteRecordsReply: {
            /** Format: uint */
            deleted: number;
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            space: string;
        };
        /**
         * DocumentArguments
         * @description Show the document version that best matches a description.
         */
        DocumentArguments: {
            /**
             * Format: date-time
             * @description With latest: the newest version at that time.
             */
            as_of?: string | null;
            /**
             * @description More required tags, for programs that add their own to those of a user.
             * @default []
             */
            default_tags?: string[];
            /** @description Its file name or path. */
            filename?: string | null;
            /**
             * Format: uint
             * @description How many documents to consider, with all their versions.
             * @default 50
             */
            k?: number;
            /** @description The whole description as one object, instead of these fields. Fields of it that are empty or unknown are skipped and reported. */
            meta?: components["schemas"]["DocumentMeta"] | null;
            /** @description Its note. */
            note?: string | null;
            /** @description Its provider. */
            provider?: string | null;
            /** @description What to search for, instead of the other fields. */
            query?: string | null;
            /**
             * @description Which version: latest, earliest, longest or score.
             * @default latest
             * @enum {string}
             */
            strategy?: "latest" | "earliest" | "longest" | "score";
            /**
             * @description Fail if the name, tags, query or time match nothing, or a field is empty or unknown, instead of ignoring it.
             * @default false
             */
            strict?: boolean;
            /**
             * @description Required tags; all must match.
             * @default []
             */
            tags?: string[];
            /** @description Its topic. */
            topic?: string | null;
        };
        /**
         * DocumentDiffArguments
         * @description Show the differences between two versions of a document.
         */
        DocumentDiffArguments: {
            /**
             * Format: int64
             * @description The older version; by default the one before the newer.
             */
            from?: number | null;
            /** @description Its path, file name or id. */
            name: string;
            /**
             * Format: int64
             * @description The newer version; the newest by default.
             */
            to?: number | null;
        };
        /** Difference */
        DocumentDiffReply: {
            /** Format: uint */
            added_lines: number;
            /** @description A unified diff. */
            diff: string;
            /**
             * Format: int64
             * @description Chunks forgotten from either text; the lines around the gaps count as changed.
             */
            forgotten_chunks: number;
            /** Format: int64 */
            from: number;
            path: string;
            /** Format: uint */
            removed_lines: number;
            /** Format: int64 */
            to: number;
        };
        /** @description A step that matched nothing and was skipped. */
        DocumentFallback: {
            /** @description `meta` (a field is empty or unknown), `filename`, `topic`, `note`, `provider`, `tags`, `query` or `as_of`. */
            step: string;
            what: string;
        };
        /** @description A description of the requested document. Fields that are empty or unknown are skipped, and the result says so. */
        DocumentMeta: {
            /**
             * @description The base name of the file, or its full path.
             * @default null
             */
            filename?: string | null;
            /** @default null */
            note?: string | null;
            /** @default null */
            provider?: string | null;
            /**
             * @description What to search for, instead of the other fields.
             * @default null
             */
            query?: string | null;
            /**
             * @description All of them are required.
             * @default []
             */
            tags?: string[];
            /** @default null */
            topic?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** DocumentResult */
        DocumentReply: {
            /**
             * Format: uint
             * @description How many versions and documents were considered.
             */
            candidate_documents: number;
            /** Format: uint */
            candidate_versions: number;
            chunks: components["schemas"]["ChunkView"][];
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            /** @description Steps that matched nothing and were skipped. */
            fallbacks: components["schemas"]["DocumentFallback"][];
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            path: string;
            /** @description The query that was used. */
            query: string;
            required_tags: string[];
            /** Format: double */
            score: number;
            text: string;
            trace: components["schemas"]["Trace"];
            /** @description Whether the text matches the file's sha256. It does not if chunks were forgotten. */
            verified: boolean;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        /**
         * DocumentTextArguments
         * @description Show the exact text of a document.
         */
        DocumentTextArguments: {
            /** @description Its path, file name or id. */
            name: string;
            /**
             * Format: int64
             * @description Version number; the newest by default.
             */
            version?: number | null;
        };
        /** DocumentText */
        DocumentTextReply: {
            chunks: components["schemas"]["ChunkView"][];
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            path: string;
            text: string;
            /** @description Whether the text matches the file's sha256. It does not if chunks were forgotten. */
            verified: boolean;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        /**
         * DocumentVersionsArguments
         * @description List the versions of a document.
         */
        DocumentVersionsArguments: {
            /** @description Its path, file name or id. */
            name: string;
        };
        /** Array_of_VersionView */
        DocumentVersionsReply: components["schemas"]["VersionView"][];
        DocumentView: {
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            path: string;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        /**
         * DocumentsArguments
         * @description List the documents of the space, or those that pass a filter.
         */
        DocumentsArguments: {
            /**
             * Format: int64
             * @description Only documents after this id: the last one of the page before.
             * @default 0
             */
            after?: number;
            /**
             * @description Only documents that pass these conditions, such as tag=release-0.9, path=docs/** or !type=json. Fields: tag, path, type,
             *     collection, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /**
             * Format: uint
             * @description Maximum number of documents; all by default.
             */
            limit?: number | null;
        };
        /** Array_of_DocumentView */
        DocumentsReply: components["schemas"]["DocumentView"][];
        /** @description A path that was found but not followed or not used. */
        DroppedPath: {
            category_path: string[];
            detail?: string;
            /** @description `max_paths`, `no_leaf`, `empty` or `max_token_budget`. */
            reason: string;
        };
        /**
         * EnrichArguments
         * @description Queue messages that the configured model, or the built-in method, has not labelled yet.
         */
        EnrichArguments: {
            /**
             * @description In all spaces, rather than in one.
             * @default false
             */
            all_spaces?: boolean;
            /**
             * @description Only show how many messages there are, and what labelling them would cost at most.
             * @default false
             */
            dry_run?: boolean;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /**
             * @description Also messages that were labelled with another version of the vocabulary.
             * @default false
             */
            outdated?: boolean;
        };
        /**
         * Backlog
         * @description What labelling the backlog would take.
         */
        EnrichReply: {
            /** @description Who would label them: the model, or `built-in`. */
            labelled_by: string;
            /**
             * Format: uint64
             * @description Messages to label.
             */
            messages: number;
            /**
             * Format: uint64
             * @description Messages that were queued; none in a dry run.
             */
            queued: number;
            /**
             * Format: uint64
             * @description Maximum tokens of one call for each message, if a model does.
             */
            tokens: number;
            /**
             * Format: double
             * @description Their price in US dollars, if it is known.
             */
            usd: number | null;
        };
        /**
         * EntailArguments
         * @description Judge whether a statement follows from a passage, is open, or is contradicted.
         */
        EntailArguments: {
            /** @description The passage that counts as true. The judge reads the part of it that matches the statement best. */
            passage: string;
            /** @description The statement to judge. */
            statement: string;
        };
        /** Entailed */
        EntailReply: {
            /** @description Whether the language model or the built-in judge said so. */
            method: components["schemas"]["Method"];
            model_problem?: components["schemas"]["ModelProblem"] | null;
            probabilities: components["schemas"]["EntailmentView"];
            /** @description `entailment`, `neutral` or `contradiction`: the likeliest. */
            relation: string;
            responses: components["schemas"]["CallReport"][];
            trace: components["schemas"]["Trace"];
        };
        /** @description How likely each relation of a statement to a passage is. They add up to 1. */
        EntailmentView: {
            /** Format: double */
            contradiction: number;
            /**
             * Format: double
             * @description The passage entails the statement.
             */
            entailment: number;
            /**
             * Format: double
             * @description It neither entails nor contradicts it.
             */
            neutral: number;
        };
        /** @description Something named in a message: an order, a person, an amount. */
        Entity: {
            type: string;
            value: string;
        };
        /** @description The estimated cost of a request, before it is made. */
        Estimate: {
            /**
             * Format: uint64
             * @description Maximum number of calls: with every repair, and every retry of a failed call that may have cost something.
             */
            calls_at_most: number;
            /**
             * Format: uint64
             * @description All calls together, in billionths of a dollar; none if the price is unknown.
             */
            nano_usd_at_most?: number | null;
            /**
             * Format: uint64
             * @description In billionths of a dollar; none if the price is unknown.
             */
            nano_usd_first_call?: number | null;
            /** Format: uint64 */
            tokens_completion_at_most: number;
            /**
             * Format: uint64
             * @description Maximum tokens of one call, prompt and reply: the usual case, when the first reply is valid.
             */
            tokens_first_call: number;
            /** Format: uint64 */
            tokens_prompt_at_most: number;
        };
        /** @description Why an item has its score: the parts add up to it. */
        Evidence: {
            /**
             * Format: double
             * @description From its own words.
             */
            keyword: number;
            /**
             * Format: double
             * @description From its neighbours, by words and vectors.
             */
            neighbours: number;
            /**
             * Format: double
             * @description From its time, if the question asks about a time.
             */
            period: number;
            /**
             * Format: double
             * @description From its own vector.
             */
            semantic: number;
            /**
             * Format: double
             * @description From its speaker, if the question asks about a speaker.
             */
            speaker: number;
            /**
             * Format: double
             * @description From its thread or document.
             */
            thread: number;
        };
        /** @description A part of a cited passage, as it is written. */
        Excerpt: {
            /**
             * Format: double
             * @description How relevant the reranker finds the passage, from 0 to 1. Absent if it was not judged.
             */
            confidence?: number | null;
            /**
             * Format: uint
             * @description The number of its citation.
             */
            number: number;
            /** @description The sentence in the text that says most about the question. */
            sentence: string;
            text: string;
        };
        /** @description How much of each memory a recall shows. */
        ExcerptRule: "fill" | "first_sentences";
        /** @description The digest of a request and the reply to it: a line of a cassette. Neither contains a key. */
        Exchange: {
            finish: components["schemas"]["Finish"];
            request_sha256: string;
            text: string;
            /** @description As counted by the provider; none if it did not say. */
            usage?: components["schemas"]["Usage"] | null;
        };
        /**
         * ExpireArguments
         * @description Permanently delete what has come to its end.
         */
        ExpireArguments: {
            /**
             * @description In all spaces, rather than in one.
             * @default false
             */
            all_spaces?: boolean;
            /**
             * @description Only show what would be removed.
             * @default false
             */
            dry_run?: boolean;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** ExpireReport */
        ExpireReply: {
            /** @description A dry run: nothing was removed. */
            dry_run: boolean;
            expired: components["schemas"]["Expired"];
            operation: string;
            /** @description Whether the bytes are known to be erased from the database files, too. */
            scrubbed: boolean;
            /**
             * Format: uint64
             * @description How many spaces had something that was due.
             */
            spaces: number;
            warnings: components["schemas"]["Problem"][];
        };
        /** @description Counts, without anything of what was forgotten. */
        Expired: {
            /** @description What was removed with them. */
            forgotten: components["schemas"]["Forgotten"];
            /**
             * Format: uint64
             * @description Messages, facts and summaries whose own end had come.
             */
            items: number;
            /**
             * Format: uint64
             * @description Tags whose end had come.
             */
            tags: number;
            /**
             * Format: uint64
             * @description Threads whose end had come.
             */
            threads: number;
        };
        /**
         * ExpiriesArguments
         * @description List what has an end, the earliest first.
         */
        ExpiriesArguments: {
            /**
             * Format: uint
             * @description Show at most this number.
             * @default 100
             */
            limit?: number;
        };
        /** Array_of_ExpiryView */
        ExpiriesReply: components["schemas"]["ExpiryView"][];
        /** @description Something with an end. */
        ExpiryView: {
            /**
             * Format: date-time
             * @description When it is to be forgotten.
             */
            expires_at: string;
            /** @description The id that its caller gave the item. */
            id?: string | null;
            /** @description Whether the time has come: the next `expire`, or a worker, forgets it. */
            is_due: boolean;
            /** @description What it is: thread, item or tag. */
            kind: string;
            /** @description The thread's name, the item's number, or the tag. */
            subject: string;
        };
        /**
         * ExportArguments
         * @description Export a space or the whole store as JSON lines.
         */
        ExportArguments: {
            /**
             * @description Export the whole store instead of one space.
             * @default false
             */
            all?: boolean;
            /** @description The file to write. */
            file: string;
            /**
             * @description Overwrite an existing file.
             * @default false
             */
            force?: boolean;
            /**
             * @description Redact the export: for reading only, it cannot be imported. Otherwise the export is exact, even if
             *     recall.enable_redaction is on.
             * @default false
             */
            redact?: boolean;
        };
        /**
         * ExportArguments
         * @description Export a space or the whole store as JSON lines.
         */
        ExportArgumentsWithFiles: {
            /**
             * @description Export the whole store instead of one space.
             * @default false
             */
            all?: boolean;
            /**
             * @description Redact the export: for reading only, it cannot be imported. Otherwise the export is exact, even if
             *     recall.enable_redaction is on.
             * @default false
             */
            redact?: boolean;
        };
        /** ExportReport */
        ExportReply: {
            /** @description The file that was written, if any. */
            file: string | null;
            spaces: components["schemas"]["ExportedSpace"][];
        };
        ExportedSpace: {
            /** Format: uint64 */
            rows: number;
            /** @description The same for the same rows, in any store. */
            sha256: string;
            /** @description Empty if the space was forgotten: then its row is exported without a name. */
            space: string;
        };
        /**
         * ExtractFactsArguments
         * @description Extract facts from messages that are already stored: at once, and by the language model, if there is one, from the queue.
         */
        ExtractFactsArguments: {
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /**
         * ExtractReport
         * @description What reading stored messages again has found.
         */
        ExtractFactsReply: {
            /**
             * Format: uint64
             * @description Facts that are new.
             */
            facts: number;
            /**
             * Format: uint64
             * @description Messages that had no facts yet, or only built-in ones where a model is configured.
             */
            messages: number;
            operation: string;
            /**
             * Format: uint64
             * @description Messages that are queued for the model: `recordar work` reads them.
             */
            queued: number;
            space: string;
        };
        /**
         * FactHistoryArguments
         * @description Show all that was stated about the same subject and attribute as a fact, and what people did about it.
         */
        FactHistoryArguments: {
            /**
             * Format: int64
             * @description The number of a fact.
             */
            fact: number;
        };
        /**
         * FactHistory
         * @description All statements about the subject and attribute of a fact.
         */
        FactHistoryReply: {
            attribute: string;
            /** @description The newest first. */
            facts: components["schemas"]["FactView"][];
            space: string;
            /** @description What people did about them, the newest first. */
            steps: components["schemas"]["FactStep"][];
            subject: string;
        };
        /** @description Who made a statement out of what was said. */
        FactMethod: "model" | "person" | "built_in";
        /** @description A fact that a person retired, restored or confirmed. */
        FactStep: {
            at: string;
            /** Format: int64 */
            fact: number;
            /** @description `retired`, `restored` or `confirmed`. */
            step: string;
        };
        /** @description A fact, and what it is at the time that was asked about. */
        FactView: {
            attribute: string;
            /**
             * Format: double
             * @description From 0 to 1.
             */
            confidence: number;
            /** @description Facts that hold as well and say something else. */
            conflicts: number[];
            /**
             * Format: int64
             * @description The fact that a person's word takes the place of.
             */
            corrects?: number | null;
            /**
             * Format: int64
             * @description Its number, which is that of its item.
             */
            fact: number;
            /** @description Who extracted it: `person`, `model` or `built_in`. */
            method: components["schemas"]["FactMethod"];
            quote?: string | null;
            /** @description When it was stored. */
            recorded_at: string;
            /**
             * Format: int64
             * @description The fact that ended or overruled it.
             */
            replaced_by?: number | null;
            /** @description When to look at it again. */
            review_by?: string | null;
            /** @description Whether several values can hold at once. */
            several: boolean;
            /** @description Since when it holds; of equal statements, the first counts. */
            since: string;
            /**
             * Format: int64
             * @description The item that says so, and its words.
             */
            source?: number | null;
            /**
             * @description `holds`, `ended` (a newer one took its place), `overruled` (a person said otherwise), `retired` (by a person) or `ahead` (it begins
             *     later).
             */
            state: string;
            subject: string;
            /** @description Until when it held. */
            until?: string | null;
            /** @description Why it is to be looked at again: `source_changed`, `source_retired` or `review_due`. Absent if nothing is known against it. */
            unverified?: components["schemas"]["Unverified"] | null;
            value: string;
        };
        /**
         * FactsArguments
         * @description List facts: what holds, since when, and who said so.
         */
        FactsArguments: {
            /**
             * @description Also facts that have ended, that a person retired or overruled, or that begin later.
             * @default false
             */
            all?: boolean;
            /** @description What was known at this time, and held. */
            as_of?: string | null;
            /** @description What held at this time, as far as is known. */
            at?: string | null;
            /** @description Only this attribute, such as "lives in". */
            attribute?: string | null;
            /**
             * Format: uint
             * @description The most facts to list.
             * @default 1000
             */
            limit?: number;
            /** @description Only facts about this subject, such as a person's name. */
            subject?: string | null;
            /**
             * @description Only facts that are to be looked at again: something that they come from was changed or retired, or their date has come. Also stored facts and
             *     summaries.
             * @default false
             */
            unverified?: boolean;
        };
        /** FactList */
        FactsReply: {
            /** @description By subject and attribute; the newest of each first. */
            facts: components["schemas"]["FactView"][];
            /**
             * Format: uint
             * @description How many more there are.
             */
            more: number;
            space: string;
            /** @description With `unverified`, facts and summaries that were stored as they are, by number; they come after the others. */
            stored?: components["schemas"]["StoredFact"][];
        };
        Fallback: "skip" | "empty" | "cache";
        FallenAt: ("forgotten" | "rank" | "gate" | "deduplicate" | "top_k" | "budget") | "conditions" | "stored" | "live" | "filter" | "hybrid" | "pages" | "facts" | "summaries" | "continued";
        FileReport: {
            /** @description Whether its tags, topic, note, provider or metadata changed without its content. */
            attributes_changed: boolean;
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            chunks: number;
            /**
             * Format: uint64
             * @description Chunks that have a leaf in the category tree.
             */
            classified: number;
            /** Format: int64 */
            document_id?: number | null;
            error?: components["schemas"]["Problem"] | null;
            /** @description The source's helper. */
            helper?: components["schemas"]["HelperReport"] | null;
            /**
             * Format: uint64
             * @description Of the chunks, those that the previous version had.
             */
            kept_chunks: number;
            /** @description Why the configured model did not do all of it. */
            model_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description Where the file was before it moved. */
            moved_from?: string | null;
            path: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /**
             * Format: uint64
             * @description Chunks of the previous version that are no longer live.
             */
            retired_chunks: number;
            status: components["schemas"]["FileStatus"];
            /** Format: uint64 */
            tokens: number;
            /**
             * Format: uint64
             * @description Chunks without a leaf, pending for `classify`.
             */
            unclassified: number;
            /**
             * Format: int64
             * @description The current version's number.
             */
            version?: number | null;
            /** Format: int64 */
            version_id?: number | null;
            warnings: components["schemas"]["Problem"][];
        };
        FileStatus: ("added" | "updated" | "unchanged" | "failed") | "moved" | "vanished" | "retired" | "not_tried";
        /**
         * @description What a file is, and so how its text is read and where it is cut.
         * @enum {string}
         */
        FileType: "text" | "markdown" | "json" | "yaml" | "rst" | "html" | "notebook" | "csv" | "jsonl" | "email" | "code" | "pdf" | "docx";
        Finish: "stop" | "length" | "refused";
        /** @description A sentence that is an instruction to a model. It is quoted as such, or left out. */
        FlaggedText: {
            /** @description Where it stands: a file, an item. */
            source: string;
            text: string;
        };
        /**
         * ForgetArguments
         * @description Permanently delete items, a document, a thread, receipts or a whole space.
         */
        ForgetArguments: {
            /** @description A document by its path, file name or id, with all its versions. */
            document?: string | null;
            /**
             * @description Only show what would be removed.
             * @default false
             */
            dry_run?: boolean;
            /** @description Your own ids of messages, facts or summaries. The ones that they replaced are deleted too. */
            ids?: string[] | null;
            /** @description Ids of items. */
            items?: number[] | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Receipts by their ids, with the questions they hold. Their items stay. */
            receipts?: string[] | null;
            /** @description A thread by its name, with all its messages. */
            thread?: string | null;
            /**
             * Format: int64
             * @description Of the document, only this version. Chunks that other versions have stay.
             */
            version?: number | null;
            /**
             * @description The whole space, with everything in it.
             * @default false
             */
            whole_space?: boolean;
        };
        /** ForgetReport */
        ForgetReply: {
            /** @description A dry run: nothing was removed. */
            dry_run: boolean;
            forgotten: components["schemas"]["Forgotten"];
            operation: string;
            repeated: boolean;
            /** @description Whether the bytes are known to be erased from the database files, too. */
            scrubbed: boolean;
            space: string;
            /** @description What the given name refers to. */
            target: string;
            warnings: components["schemas"]["Problem"][];
        };
        /** @description The number of removed rows, or of those that would be removed. */
        Forgotten: {
            /**
             * Format: uint64
             * @description Categories that are left empty: their names were made from the forgotten text.
             * @default 0
             */
            categories: number;
            /** Format: uint64 */
            chunks: number;
            /**
             * Format: uint64
             * @description Those of the items above that were derived from the target.
             */
            derived: number;
            /** Format: uint64 */
            documents: number;
            /** Format: uint64 */
            facts: number;
            /**
             * Format: uint64
             * @description Contextual helpers of the documents, and those that may contain words of the chunks.
             * @default 0
             */
            helpers: number;
            /** Format: uint64 */
            messages: number;
            /**
             * Format: uint64
             * @description Receipts of recalls that named one of the items.
             * @default 0
             */
            receipts: number;
            /**
             * Format: uint64
             * @description Records that belong to the items.
             * @default 0
             */
            records: number;
            /** Format: uint64 */
            summaries: number;
            /** Format: uint64 */
            threads: number;
            /** Format: uint64 */
            versions: number;
        };
        FoundItem: {
            collection: string;
            /** Format: int64 */
            item_id: number;
        };
        /** @description The helper of a source: a whole text, or its fields. */
        HelperArgument: {
            /** @description Its author, or unknown. */
            author?: string | null;
            /** @description When the document was written, in ISO 8601, or unknown. */
            date?: string | null;
            /** @description What it is, at most 200 tokens, or unknown. */
            description?: string | null;
            /** @description The whole text, at most 300 tokens; then omit the other fields. */
            text?: string | null;
            /** @description Its topic, or unknown. */
            topic?: string | null;
        };
        /**
         * HelperArguments
         * @description Show or change the helper of a source, which describes the source in prompts.
         */
        HelperArguments: {
            /** @description A new helper: an object with text, or with date, author, topic and description. */
            helper?: components["schemas"]["HelperArgument"] | null;
            /** @description The document's path, file name or id. */
            name: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /**
             * @description Regenerate it from the document's current text. This also replaces a helper that a user has set.
             * @default false
             */
            regenerate?: boolean;
        };
        /** HelperView */
        HelperReply: {
            document: string;
            /** Format: int64 */
            document_id: number;
            /** @description Absent if the source has none. */
            helper?: components["schemas"]["HelperReport"] | null;
            /**
             * Format: int64
             * @description The version that a user had set and that this call replaced with a generated one.
             */
            replaced_version?: number | null;
            /** @description Every helper the source has had, oldest first. */
            versions: components["schemas"]["HelperVersion"][];
        };
        /** @description The helper that a source was classified with. */
        HelperReport: {
            /** @description Who made it, if it was made by this call. */
            method?: components["schemas"]["Method"] | null;
            /** @description `user` or `generated`. */
            origin: string;
            /** @description Whether it existed before. */
            reused: boolean;
            text: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            timestamp: string;
            /**
             * Format: uint64
             * @description By the configured tokenizer.
             */
            tokens: number;
            /**
             * Format: uint64
             * @description Tokens of the model calls for it, prompt and reply.
             */
            tokens_used: number;
        };
        /** @description A validated helper. */
        HelperVersion: {
            is_live: boolean;
            /** Format: int64 */
            number: number;
            /** @description `user` or `generated`. */
            origin: string;
            text: string;
            /** Format: date-time */
            timestamp: string;
            /**
             * Format: uint64
             * @description By the configured tokenizer.
             */
            tokens: number;
        };
        /**
         * HistoryArguments
         * @description Show all that an item was, the newest first: what `update` and its own id replaced.
         */
        HistoryArguments: {
            /** @description Your own id for it, instead of its number. */
            id?: string | null;
            /**
             * Format: int64
             * @description Its number, as search results show it.
             */
            item?: number | null;
        };
        /** @description An item at one time. */
        HistoryEntry: {
            /** @description The documents that it is about, as they were when it was stored. */
            about?: components["schemas"]["AboutDocument"][];
            /** @description The items that it was made from. */
            derived_from: number[];
            document: string | null;
            /** @description The document's path relative to the folder that was ingested. */
            document_name?: string | null;
            importance?: number | null;
            /** @description Whether a person marked it as important. */
            important?: boolean;
            /** Format: int64 */
            item_id: number;
            kind: components["schemas"]["ItemKind"];
            /** @description False if it is retired. */
            live: boolean;
            /** @description Its metadata. For a chunk, the metadata of its document, and the document's tags, topic, note and provider. */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            occurred_at: string;
            /** @description The id that you gave it. */
            own_id?: string | null;
            /** Format: date-time */
            recorded_at: string;
            /**
             * Format: date-time
             * @description When another took its place; absent if it is live.
             */
            retired_at?: string | null;
            role: string | null;
            /** @description The section in which the text begins; of a search hit, that of its snippet. */
            section: string | null;
            /** @description The sections that begin inside the text. */
            sections?: components["schemas"]["SectionStart"][];
            /** @description Where it came from, if the caller said so. */
            source?: string | null;
            space: string;
            speaker: string | null;
            text: string;
            thread: string | null;
            /** Format: int64 */
            tokens: number;
            /**
             * Format: int64
             * @description For a chunk, the number of the document's version that it was found in.
             */
            version?: number | null;
        };
        /** ItemHistory */
        HistoryReply: {
            /** @description The newest first. */
            entries: components["schemas"]["HistoryEntry"][];
            space: string;
        };
        /** @description A hit, with the parts that the search's score is the sum of. */
        HitView: {
            /**
             * Format: double
             * @description Cosine similarity of the item's vector and the question's.
             */
            cosine: number;
            document: string | null;
            /** @description The document's path relative to the folder that was ingested. */
            document_name?: string | null;
            /** Format: int64 */
            item_id: number;
            kind: components["schemas"]["ItemKind"];
            /** @description Its metadata. For a chunk, the metadata of its document, and the document's tags, topic, note and provider. */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            occurred_at: string;
            /** @description The id that you gave it. */
            own_id?: string | null;
            parts: components["schemas"]["Evidence"];
            /** @description What reranking did with it; absent if it was off. */
            rerank?: components["schemas"]["RerankView"] | null;
            role: string | null;
            /** Format: double */
            score: number;
            /** @description The section in which the text begins; of a search hit, that of its snippet. */
            section: string | null;
            /** @description The sections that begin inside the text. */
            sections?: components["schemas"]["SectionStart"][];
            /** @description The part of the text that matches best, on one line. */
            snippet: string;
            space: string;
            speaker: string | null;
            text: string;
            thread: string | null;
            /**
             * Format: int64
             * @description For a chunk, the number of the document's version that it was found in.
             */
            version?: number | null;
            /** @description The contribution of each word of the question. */
            words: components["schemas"]["WordView"][];
        };
        /**
         * ImportArguments
         * @description Import an export of Recordar or another system.
         */
        ImportArguments: {
            /** @description The day of the first line, such as 2026-01-31, for a log of IRC that has only times. */
            date?: string | null;
            /**
             * @description Import each user's data into a separate space, user:ID.
             * @default false
             */
            each_user?: boolean;
            /**
             * @description The file or folder: an export of Recordar, ChatGPT, Claude, Slack, mem0 or Zep (also the ZIP archive as it was downloaded), a log of
             *     IRC, or a transcript.
             */
            file: string;
            /**
             * @description Format: recordar, chatgpt, claude, mem0, zep, transcript, irc or slack. Detected by default.
             * @enum {string|null}
             */
            format?: "recordar" | "chatgpt" | "claude" | "mem0" | "zep" | "transcript" | "irc" | "slack" | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Thread name, for a file with a single conversation. */
            thread?: string | null;
        };
        /**
         * ImportArguments
         * @description Import an export of Recordar or another system.
         */
        ImportArgumentsWithFiles: {
            /** @description The day of the first line, such as 2026-01-31, for a log of IRC that has only times. */
            date?: string | null;
            /**
             * @description Import each user's data into a separate space, user:ID.
             * @default false
             */
            each_user?: boolean;
            /**
             * @description Format: recordar, chatgpt, claude, mem0, zep, transcript, irc or slack. Detected by default.
             * @enum {string|null}
             */
            format?: "recordar" | "chatgpt" | "claude" | "mem0" | "zep" | "transcript" | "irc" | "slack" | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Thread name, for a file with a single conversation. */
            thread?: string | null;
        };
        /** ImportReport */
        ImportReply: {
            /** @description Conversations and memories, from another system. */
            conversations: components["schemas"]["ImportedConversation"][];
            format: string;
            left_out: components["schemas"]["LeftOut"][];
            operation: string;
            /** @description Whole spaces, from an export of Recordar. */
            spaces: components["schemas"]["ImportedSpace"][];
        };
        /**
         * ImportVocabularyArguments
         * @description Replace the vocabulary with a new version. Existing labels stay; enrich with outdated relabels.
         */
        ImportVocabularyArguments: {
            /** @description The vocabulary as TOML, as the verb vocabulary returns it in text. */
            text: string;
        };
        /**
         * VocabularyEdited
         * @description What an edit has done.
         */
        ImportVocabularyReply: {
            kind: components["schemas"]["TermKind"] | null;
            /**
             * Format: uint64
             * @description Messages whose labels were changed.
             */
            relabelled: number;
            term: string | null;
            version: string;
        };
        /**
         * ImportantArguments
         * @description Mark an item as important, or no longer. Composing prefers important items, however old they are.
         */
        ImportantArguments: {
            /** @description Your own id for it, instead of its number. */
            id?: string | null;
            /**
             * Format: int64
             * @description Its number, as search results show it.
             */
            item?: number | null;
            /**
             * @description Take the mark away.
             * @default false
             */
            off?: boolean;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** ImportantMarked */
        ImportantReply: {
            /** @description False if it was already so. */
            changed: boolean;
            /** @description Whether it is important now. */
            important: boolean;
            /**
             * Format: int64
             * @description The number of the item.
             */
            item: number;
            operation: string;
            repeated: boolean;
            /** Format: int64 */
            revision: number;
            space: string;
        };
        ImportedConversation: {
            /**
             * Format: uint
             * @description New messages, facts and summaries.
             */
            added: number;
            /**
             * Format: uint
             * @description Items that were already here.
             */
            known: number;
            space: string;
            /** @description None for memories outside any conversation. */
            thread: string | null;
            title: string | null;
            /**
             * Format: uint
             * @description Added items that replace an older text of the same item.
             */
            updated: number;
        };
        ImportedSpace: {
            /** @description It was already here with the same rows, and nothing was written. */
            known: boolean;
            /** Format: uint64 */
            rows: number;
            sha256: string;
            space: string;
        };
        /**
         * IngestOwn
         * @description Store files and folders as documents. Changed files become new versions.
         */
        IngestArguments: {
            /** @description Whether to classify it. If omitted, tree.classify in the configuration decides. */
            classify?: boolean | null;
            /** @description The collection that the files belong to. By default the one whose root contains them, or the name of the root folder. */
            collection?: string | null;
            /**
             * @description Skip files and folders that match this glob, such as drafts or **\/old/*.txt.
             * @default []
             */
            exclude?: string[];
            /**
             * @description Store a new version even if the content is unchanged.
             * @default false
             */
            force?: boolean;
            /** @description The source's helper (description in prompts): an object with text, or with date, author, topic and description. */
            helper?: components["schemas"]["HelperArgument"] | null;
            /** @description Helpers of individual sources: an object with their paths as keys, and objects like `helper` as values. */
            helpers?: {
                [key: string]: components["schemas"]["HelperArgument"];
            };
            /**
             * @description Read only files that match this glob, relative to the folder, such as *.md or docs/**.
             * @default []
             */
            include?: string[];
            /**
             * @description A JSON object to store with it.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description A note about it. */
            note?: string | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /**
             * @description Files and folders. In folders, documents and source code are read, by their extensions. Hidden and ignored (.gitignore) files,
             *     folders of packages and generated files are skipped; links are not followed.
             */
            paths: string[];
            /** @description Who supplied it. */
            provider?: string | null;
            /**
             * @description Retire documents whose files no longer exist under these paths. Their versions are kept. A file that moved keeps its history.
             * @default false
             */
            prune?: boolean;
            /**
             * @description Regenerate the helper from the current text. A helper that a user has set is kept.
             * @default false
             */
            regenerate_helper?: boolean;
            /**
             * @description The folder that names of documents are relative to; by default the nearest version-control root, or the given folder. If the
             *     collection had another root on this machine, it has moved.
             */
            root?: string | null;
            /**
             * @description Tags to find it by.
             * @default []
             */
            tags?: string[];
            /** @description Its topic. */
            topic?: string | null;
            /**
             * @description File type, regardless of extension. With include, also files with unknown extensions are read.
             * @enum {string|null}
             */
            type?: "text" | "markdown" | "json" | "yaml" | "rst" | "html" | "notebook" | "csv" | "jsonl" | "email" | "code" | "pdf" | "docx" | null;
        };
        /**
         * IngestOwn
         * @description Store files and folders as documents. Changed files become new versions.
         */
        IngestArgumentsWithFiles: {
            /** @description Whether to classify it. If omitted, tree.classify in the configuration decides. */
            classify?: boolean | null;
            /** @description The collection that the files belong to. By default the one whose root contains them, or the name of the root folder. */
            collection?: string | null;
            /**
             * @description Store a new version even if the content is unchanged.
             * @default false
             */
            force?: boolean;
            /** @description The source's helper (description in prompts): an object with text, or with date, author, topic and description. */
            helper?: components["schemas"]["HelperArgument"] | null;
            /** @description Helpers of individual sources: an object with their paths as keys, and objects like `helper` as values. */
            helpers?: {
                [key: string]: components["schemas"]["HelperArgument"];
            };
            /**
             * @description A JSON object to store with it.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description A note about it. */
            note?: string | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Who supplied it. */
            provider?: string | null;
            /**
             * @description Regenerate the helper from the current text. A helper that a user has set is kept.
             * @default false
             */
            regenerate_helper?: boolean;
            /**
             * @description Tags to find it by.
             * @default []
             */
            tags?: string[];
            /** @description Its topic. */
            topic?: string | null;
            /**
             * @description File type, regardless of extension. With include, also files with unknown extensions are read.
             * @enum {string|null}
             */
            type?: "text" | "markdown" | "json" | "yaml" | "rst" | "html" | "notebook" | "csv" | "jsonl" | "email" | "code" | "pdf" | "docx" | null;
        };
        /** IngestReport */
        IngestReply: {
            /** @description The classification calls, in order. */
            batches: components["schemas"]["BatchReport"][];
            files: components["schemas"]["FileReport"][];
            operation: string;
            /** @description Every call of the model, including failed ones. */
            responses: components["schemas"]["CallReport"][];
            /** @description What was found in folders and not read, by reason. */
            skipped?: components["schemas"]["Skipped"][];
            space: string;
            timing: components["schemas"]["IngestTiming"];
            totals: components["schemas"]["Totals"];
            trace: components["schemas"]["Trace"];
            /** @description Notes about the whole call. */
            warnings?: components["schemas"]["Problem"][];
        };
        /**
         * IngestTextOwn
         * @description Store a text as a document.
         */
        IngestTextArguments: {
            /** @description Whether to classify it. If omitted, tree.classify in the configuration decides. */
            classify?: boolean | null;
            /**
             * @description Store a new version even if the content is unchanged.
             * @default false
             */
            force?: boolean;
            /** @description The source's helper (description in prompts): an object with text, or with date, author, topic and description. */
            helper?: components["schemas"]["HelperArgument"] | null;
            /**
             * @description A JSON object to store with it.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the text was written, such as 2026-01-31T09:30:00Z.
             */
            mtime?: string | null;
            /** @description The document's name, such as notes/trip.md. */
            name: string;
            /** @description A note about it. */
            note?: string | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Who supplied it. */
            provider?: string | null;
            /**
             * @description Regenerate the helper from the current text. A helper that a user has set is kept.
             * @default false
             */
            regenerate_helper?: boolean;
            /**
             * @description Tags to find it by.
             * @default []
             */
            tags?: string[];
            /** @description The text to store as a document. */
            text: string;
            /** @description Its topic. */
            topic?: string | null;
            /**
             * @description Text type. By default, from the name's extension.
             * @enum {string|null}
             */
            type?: "text" | "markdown" | "json" | "yaml" | "rst" | "html" | "notebook" | "csv" | "jsonl" | "email" | "code" | null;
        };
        /** IngestReport */
        IngestTextReply: {
            /** @description The classification calls, in order. */
            batches: components["schemas"]["BatchReport"][];
            files: components["schemas"]["FileReport"][];
            operation: string;
            /** @description Every call of the model, including failed ones. */
            responses: components["schemas"]["CallReport"][];
            /** @description What was found in folders and not read, by reason. */
            skipped?: components["schemas"]["Skipped"][];
            space: string;
            timing: components["schemas"]["IngestTiming"];
            totals: components["schemas"]["Totals"];
            trace: components["schemas"]["Trace"];
            /** @description Notes about the whole call. */
            warnings?: components["schemas"]["Problem"][];
        };
        /** @description CPU seconds by stage. Measured, and not part of any digest. */
        IngestTiming: {
            /** Format: double */
            chunk_cpu_s: number;
            /** Format: double */
            manifest_cpu_s: number;
            /**
             * Format: double
             * @description Placing the documents in the tree without a model.
             */
            place_cpu_s: number;
            /** Format: double */
            read_cpu_s: number;
            /** Format: double */
            store_cpu_s: number;
        };
        /** @description What a question asks for. Every term is of the vocabulary that made it. */
        Intent: {
            category: string | null;
            entities: components["schemas"]["Entity"][];
            search_current_thread_only: boolean;
            time_scope: components["schemas"]["TimeScope"];
            topics: string[];
            vocabulary_version: string;
        };
        /** @description The order of memories: by relevance, by recency, or alternating. */
        Interleaving: {
            /**
             * Format: double
             * @description Share of places, 0 to 1, given to the first order of a weighted strategy; all of them by default.
             */
            ratio?: number | null;
            strategy: components["schemas"]["Strategy"];
        };
        /**
         * ItemArguments
         * @description Show one item: a message, fact, summary or chunk, with its metadata.
         */
        ItemArguments: {
            /** @description Your own id for it, instead of its number. */
            id?: string | null;
            /**
             * Format: int64
             * @description Its number, as search results show it.
             */
            item?: number | null;
        };
        /** @enum {string} */
        ItemKind: "chunk" | "message" | "fact" | "summary";
        /**
         * StoredItem
         * @description An item, with what is stored of it.
         */
        ItemReply: {
            /** @description The documents that it is about, as they were when it was stored. */
            about?: components["schemas"]["AboutDocument"][];
            /** @description The items that it was made from. */
            derived_from: number[];
            document: string | null;
            /** @description The document's path relative to the folder that was ingested. */
            document_name?: string | null;
            importance?: number | null;
            /** @description Whether a person marked it as important. */
            important?: boolean;
            /** Format: int64 */
            item_id: number;
            kind: components["schemas"]["ItemKind"];
            /** @description False if it is retired. */
            live: boolean;
            /** @description Its metadata. For a chunk, the metadata of its document, and the document's tags, topic, note and provider. */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            occurred_at: string;
            /** @description The id that you gave it. */
            own_id?: string | null;
            /** Format: date-time */
            recorded_at: string;
            role: string | null;
            /** @description The section in which the text begins; of a search hit, that of its snippet. */
            section: string | null;
            /** @description The sections that begin inside the text. */
            sections?: components["schemas"]["SectionStart"][];
            /** @description Where it came from, if the caller said so. */
            source?: string | null;
            space: string;
            speaker: string | null;
            text: string;
            thread: string | null;
            /** Format: int64 */
            tokens: number;
            /**
             * Format: int64
             * @description For a chunk, the number of the document's version that it was found in.
             */
            version?: number | null;
        };
        /**
         * ItemsArguments
         * @description List the items of the space, such as its facts, page by page; or get several by their ids.
         */
        ItemsArguments: {
            /**
             * Format: int64
             * @description Only items after this number: `next` of the page before.
             * @default 0
             */
            after?: number;
            /**
             * @description Only items that pass these conditions, such as thread=standup, speaker=Ana or !meta.draft=true. Fields: tag, path, type,
             *     collection, kind, thread, role, speaker, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /** @description Only the items with these own ids. */
            ids?: string[] | null;
            /** @description Only the items with these numbers. */
            items?: number[] | null;
            /**
             * @description Only items of this kind.
             * @enum {string|null}
             */
            kind?: "message" | "fact" | "summary" | "chunk" | null;
            /**
             * Format: uint
             * @description Maximum number of items on a page.
             * @default 100
             */
            limit?: number;
        };
        /** ItemList */
        ItemsReply: {
            items: components["schemas"]["StoredItem"][];
            /** @description Ids that were asked for and are not here. */
            missing: string[];
            /**
             * Format: int64
             * @description Pass it as `after` to get the next page. Absent on the last one.
             */
            next?: number | null;
            space: string;
        };
        /** @description How sure the model is that any of the candidates answers the question. */
        JudgeConfidence: {
            /**
             * Format: double
             * @description How relevant the model finds the best of them, from 0 to 1. Absent if there are none.
             */
            best?: number | null;
            /** @description Whether the best reaches it: if not, probably nothing stored answers the question. */
            enough?: boolean | null;
            /** @description Whether a model judged the candidates. If not, nothing more is known. */
            judged: boolean;
            /**
             * Format: double
             * @description `min_confidence`, or what was measured for the model. Absent if neither is known.
             */
            least?: number | null;
        };
        JudgeReport: {
            /** Format: uint64 */
            bytes: number;
            name: string;
            sha256: string;
        };
        /** @enum {string} */
        KeyState: "set" | "missing" | "not_needed";
        /** @description A key as lists show it. */
        KeyView: {
            /** @description Whether it may do everything. */
            admin: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** @description It stands for the key, and is not secret. */
            id: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: double
             * @description The most that language models may cost for it in a day.
             */
            max_usd_per_day: number | null;
            name: string;
            /** @description The spaces that it may only read. */
            read: components["schemas"]["SpacePattern"][];
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The spaces that it may read and write. */
            spaces: components["schemas"]["SpacePattern"][];
            /**
             * Format: double
             * @description What they have cost today, with what is reserved for running calls.
             */
            spent_today_usd: number;
        };
        /**
         * KeysArguments
         * @description List the API keys of the server, with what each may use and has spent today.
         */
        KeysArguments: Record<string, never>;
        /** Array_of_KeyView */
        KeysReply: components["schemas"]["KeyView"][];
        /** @description The labels of a message, with the field names of the seed. */
        LabelView: {
            category: string;
            confidence: components["schemas"]["Confidence"];
            /** @description The model that labelled it, or `built-in`. */
            enrichment_model: string;
            entities: components["schemas"]["Entity"][];
            importance: number;
            message_type: string;
            role: string | null;
            suggested_category: string | null;
            /** @description A topic that the vocabulary lacks, if the confidence is low. */
            suggested_topic: string | null;
            /** @description One to three, the most confident first. */
            topics: string[];
            /** @description The version of the vocabulary that it was labelled with. */
            vocabulary_version: string;
        };
        /** @description Something that was left out or changed. */
        LeftOut: {
            detail: string;
            /** @description A short code, such as `empty`, `hidden` or `other_branch`. */
            reason: string;
            /** @description The conversation or the message, as `thread/id`. */
            subject: string;
        };
        LevelView: {
            /** Format: uint64 */
            categories: number;
            /** Format: uint32 */
            level: number;
            /** Format: uint32 */
            limit: number;
        };
        /** @description The settings that affect a reply besides the request: recorded with every reply. */
        LlmReport: {
            /** @description Where requests go. */
            base_url: string;
            cassette?: string | null;
            ceilings: components["schemas"]["Ceilings"];
            /** @description The model that is tried if this one fails to answer a composed prompt. */
            fallback_model?: string | null;
            key: components["schemas"]["KeyState"];
            /** @description The environment variable the key is read from. */
            key_env?: string | null;
            /** Format: uint32 */
            max_output_tokens: number;
            model: string;
            price?: components["schemas"]["PriceView"] | null;
            provider: string;
            /** Format: int64 */
            seed?: number | null;
            /** @description By all users of this database, per UTC day. */
            spent_today: components["schemas"]["Spend"];
            structured: components["schemas"]["Structured"];
            /** @description `table`, or `configuration`. */
            structured_by: string;
            /**
             * Format: double
             * @description The model's default if unset.
             */
            temperature?: number | null;
            /** @description `error` or `built_in`. */
            when_away: string;
        };
        /**
         * MakeKeyArguments
         * @description Make an API key for the server. The key itself is shown only once.
         */
        MakeKeyArguments: {
            /**
             * @description The key may do everything: use every space and file, make keys, restore backups.
             * @default false
             */
            admin?: boolean;
            /** @description When the key expires: a time such as 2026-12-31, or a duration from now such as 90d (units: s, m, h, d, w). By default, never. */
            expires?: string | null;
            /**
             * Format: double
             * @description The most that language models may cost for this key in a day, in US dollars. By default, only the limits of the configuration apply.
             */
            max_usd_per_day?: number | null;
            /** @description What to call the key. Two keys that are not revoked cannot have the same name. */
            name: string;
            /**
             * @description The spaces that the key may only read, as patterns of the same form.
             * @default []
             */
            read?: components["schemas"]["SpacePattern"][];
            /**
             * @description The spaces that the key may read and write: a space such as user:ada, a kind such as user:*, a prefix such as user:team-*, or * for all.
             * @default []
             */
            spaces?: components["schemas"]["SpacePattern"][];
        };
        /**
         * MadeKey
         * @description A key that was made. Only here is the key itself.
         */
        MakeKeyReply: {
            /** @description Whether it may do everything. */
            admin: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** @description It stands for the key, and is not secret. */
            id: string;
            /** @description The key. It is shown only now, and stored nowhere. */
            key: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: double
             * @description The most that language models may cost for it in a day.
             */
            max_usd_per_day: number | null;
            name: string;
            /** @description The spaces that it may only read. */
            read: components["schemas"]["SpacePattern"][];
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The spaces that it may read and write. */
            spaces: components["schemas"]["SpacePattern"][];
            /**
             * Format: double
             * @description What they have cost today, with what is reserved for running calls.
             */
            spent_today_usd: number;
        };
        /** @description The count and values of a measurement. */
        Measured: {
            /** Format: uint64 */
            count: number;
            /** Format: double */
            mean: number;
            /** Format: double */
            most: number;
            /** Format: double */
            sum: number;
        };
        /** @description A memory in a context (E6), with the field names of the policy. */
        MemoryEntry: {
            content: string;
            /** @description Unique within its collection. */
            id: string;
            message_id?: string | null;
            /** @description Its metadata. For a chunk, the metadata of its document, and the document's tags, topic, note and provider. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The id that you gave it. */
            own_id?: string | null;
            provenance: components["schemas"]["Provenance"];
            /** @description What reranking did with it; absent if it was off, and in what a receipt rebuilds. */
            rerank?: components["schemas"]["RerankView"] | null;
            role?: string | null;
            /**
             * Format: double
             * @description From 0 to 1.
             */
            score: number;
            /** @description The thread it belongs to. */
            session_id: string | null;
            speaker?: string | null;
            /** Format: date-time */
            timestamp: string;
            type: components["schemas"]["ItemKind"];
            /** @description Of a fact or a summary, why it is to be looked at again: `source_changed`, `source_retired` or `review_due`. */
            unverified?: components["schemas"]["Unverified"] | null;
            /**
             * Format: int64
             * @description For a chunk, the number of the document's version that it was found in.
             */
            version?: number | null;
        };
        /**
         * MergeCategoriesArguments
         * @description Merge a category and everything below it into another on the same level.
         */
        MergeCategoriesArguments: {
            /** @description The category to merge: its id, or its path, such as Travel > Trains. */
            category: string;
            /** @description The category to merge it into, on the same level. */
            into: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** TreeEdited */
        MergeCategoriesReply: {
            /**
             * Format: int64
             * @description The resulting category; absent if the whole tree was changed.
             */
            category_id?: number | null;
            /** Format: uint32 */
            depth: number;
            /** @description The edit: `rename`, `merge`, `move` or `deepen`. */
            edit: string;
            /**
             * Format: uint64
             * @description Categories that were merged into others.
             */
            merged_categories: number;
            /**
             * Format: uint64
             * @description Chunks that moved to another leaf.
             */
            moved_chunks: number;
            /**
             * @description Whether this operation was done before; then this is its original result.
             * @default false
             */
            repeated: boolean;
        };
        /** @description One turn of a conversation, or a note outside any conversation. Each line of a JSONL batch is one of these. */
        Message: {
            /** @description Stored documents that it is about, by path or name. The version that is current now is noted with it. */
            about?: string[];
            /** @description Items that it was made from. If one of them is forgotten, this one is forgotten too. */
            derived_from?: number[];
            /** @description When it is to be forgotten: a time such as 2026-12-31, or a duration from now such as 30d (units: s, m, h, d, w). */
            expires?: string | null;
            /** @description Your own id for it, unique in its space. Storing another message with the same id replaces this one. */
            id?: string | null;
            /**
             * @description How important it is, such as 0.7.
             * @default null
             */
            importance?: number | null;
            /**
             * @description What it is: a message, or a fact or summary made from messages.
             * @default message
             * @enum {string|null}
             */
            kind?: "message" | "fact" | "summary" | null;
            /**
             * @description A JSON object to store with it.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The speaker's role.
             * @default user
             * @enum {string|null}
             */
            role?: "user" | "assistant" | "system" | "tool" | null;
            /**
             * @description Its origin, such as `chat` or `external`.
             * @default null
             */
            source?: string | null;
            /** @description The speaker's name, if known. */
            speaker?: string | null;
            /** @description Items that it replaces. They are retired: only a recall or search with an earlier as_of still finds them. */
            supersedes?: number[];
            /** @description The text of the message, fact or summary. */
            text: string;
            /**
             * @description The name of the conversation it belongs to. You choose the name.
             * @default null
             */
            thread?: string | null;
            /**
             * @description When it was said; by default, the time when it is stored.
             * @default null
             */
            time?: string | null;
            /**
             * @description A title for the conversation.
             * @default null
             */
            title?: string | null;
        };
        MessageView: {
            importance: number | null;
            /** Format: int64 */
            item_id: number;
            /** @description Its labels, once it has some. */
            labels?: components["schemas"]["LabelView"] | null;
            metadata: unknown;
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            recorded_at: string;
            role: string | null;
            source: string | null;
            speaker: string | null;
            text: string;
            /** Format: int64 */
            tokens: number;
        };
        /**
         * MessagesArguments
         * @description Show the messages of a thread.
         */
        MessagesArguments: {
            /** @description The thread's name; by default, the messages outside any thread. */
            thread?: string | null;
        };
        /** Array_of_MessageView */
        MessagesReply: components["schemas"]["MessageView"][];
        /** @description The caller's own JSON object for an item or a document. Its keys are sorted, so equal objects are equal bytes. */
        Metadata: {
            [key: string]: unknown;
        };
        /** @description Who did a task. */
        Method: "model" | "built_in" | "nothing";
        /**
         * MetricsArguments
         * @description Show the metrics of recalls since this process started.
         */
        MetricsArguments: Record<string, never>;
        /**
         * MetricsReport
         * @description Metrics by their names in the policy, such as `retrieval.latency_ms`.
         */
        MetricsReply: {
            retrieval: components["schemas"]["RetrievalMetrics"];
        };
        /** @description The search mode. */
        Mode: "keyword" | "semantic" | "hybrid";
        /** @description A registered model. */
        ModelFolder: {
            /** Format: date-time */
            added_at: string;
            kind: components["schemas"]["ModelKind"];
            /** @description What it is called: `folder:NAME`. */
            name: string;
            /** @description The folder of its files. */
            path: string;
            /** @description The sha256 of its files when it was added. */
            sha256: string;
        };
        /** @description What a model was made for. */
        ModelKind: ("reranker" | "entailment" | "embedder") | "judge";
        /** @description Why a configured model was not used. */
        ModelProblem: {
            code: string;
            remedy: string;
            what: string;
        };
        /** @description The settings that affect a reply besides the request: recorded with every reply. */
        ModelSettings: {
            model: string;
            provider: string;
            /** Format: int64 */
            seed?: number | null;
            structured: components["schemas"]["Structured"];
            /**
             * Format: double
             * @description The model's default if unset.
             */
            temperature?: number | null;
        };
        /**
         * ModelsArguments
         * @description Show the configured models and model folders, their capabilities and prices, and today's spending.
         */
        ModelsArguments: Record<string, never>;
        /**
         * ModelsReport
         * @description The models of a memory.
         */
        ModelsReply: {
            /** Format: uint */
            dimension: number;
            /** @description The embedder of the store. */
            embedder: string;
            /** @description `built_in`; or `given` by this program, or `not_given`: then searches are by words only. */
            embedder_source: string;
            /** @description The embedder that was given by this program, whether the store uses it or not. */
            given_embedder?: string | null;
            /** @description The judge that comes with the program. */
            judge: components["schemas"]["JudgeReport"];
            /** @description Absent if none is configured: then answers are quoted from stored text. */
            llm: components["schemas"]["LlmReport"] | null;
            /** @description The registered models from folders of this machine, by name. */
            model_folders: components["schemas"]["ModelFolder"][];
            /** @description The embedder that the store is being moved to. */
            pending_embedder?: string | null;
            /** @description The tokenizer, and the model it counts for. */
            tokenizer: string;
            tokens_of: string;
        };
        /**
         * MoveCategoryArguments
         * @description Move a category to another parent on the level above it.
         */
        MoveCategoryArguments: {
            /** @description The category's id, or its path, such as Travel > Trains. */
            category: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description The new parent, on the level above. */
            under: string;
        };
        /** TreeEdited */
        MoveCategoryReply: {
            /**
             * Format: int64
             * @description The resulting category; absent if the whole tree was changed.
             */
            category_id?: number | null;
            /** Format: uint32 */
            depth: number;
            /** @description The edit: `rename`, `merge`, `move` or `deepen`. */
            edit: string;
            /**
             * Format: uint64
             * @description Categories that were merged into others.
             */
            merged_categories: number;
            /**
             * Format: uint64
             * @description Chunks that moved to another leaf.
             */
            moved_chunks: number;
            /**
             * @description Whether this operation was done before; then this is its original result.
             * @default false
             */
            repeated: boolean;
        };
        /**
         * MoveDocumentArguments
         * @description Rename a document. Its history stays. The file itself is not touched.
         */
        MoveDocumentArguments: {
            /** @description Its path, file name or id. */
            name: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Its new name in the collection, or its new path. */
            to: string;
        };
        /**
         * DocumentEdit
         * @description A document after a change.
         */
        MoveDocumentReply: {
            /** @description False if everything was like that before; then nothing was written. */
            changed: boolean;
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            operation: string;
            path: string;
            /** @description Whether this operation was done before. */
            repeated: boolean;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        /**
         * OperationArguments
         * @description Show the status and result of an operation.
         */
        OperationArguments: {
            /** @description The operation's id. */
            operation: string;
        };
        /** Array_of_OperationView */
        OperationReply: components["schemas"]["OperationView"][];
        /** @description The record of an operation id: one entry, or one for each part, such as the files of a folder. */
        OperationView: {
            error: string | null;
            kind: string;
            operation: string;
            /** Format: date-time */
            recorded_at: string;
            result: unknown;
            /** Format: int64 */
            revision: number | null;
            state: string;
        };
        PathError: {
            category_path: string[];
            code: string;
            what: string;
        };
        PathView: {
            category_ids: number[];
            category_path: string[];
            /**
             * Format: uint64
             * @description Number of its chunks in this result.
             */
            chunks: number;
            /** @description From the root to the leaf; higher is better. */
            ranks: number[];
        };
        /** @description A piece of a prompt. From its pieces and the texts that they quote, a prompt is put together again. */
        Piece: {
            own: string;
        } | {
            lines: components["schemas"]["Quote"];
        } | {
            line: components["schemas"]["Quote"];
        };
        /** @description In US dollars per million tokens. */
        PriceView: {
            /** Format: double */
            completion_usd: number;
            /** @description When these prices were checked. */
            dated: string;
            /** Format: double */
            prompt_usd: number;
        };
        /** @description A message about a file: a stable code, what happened, and what to do. */
        Problem: {
            code: string;
            remedy: string;
            what: string;
        };
        /** @description Why something was not done (RFC 9457). */
        ProblemDetails: {
            /** @description A stable name for programs. */
            code: string;
            /** @description What happened, and to what. */
            detail: string;
            /** @description What to do about it. */
            remedy: string;
            request_id: string;
            status: number;
            title: string;
            type: string;
        };
        Provenance: {
            /** @description The space, such as `user:123`. */
            collection: string;
            document?: string | null;
            /** @description The document's path relative to the folder that was ingested. */
            document_name?: string | null;
            /** Format: int64 */
            item_id: number;
            /**
             * Format: uint
             * @description Characters before anything was removed.
             */
            original_length: number;
            search_type: components["schemas"]["Mode"];
            /** @description The section of the part that is shown. */
            section?: string | null;
            /** @description The stage of a staged recall that found it. */
            stage?: components["schemas"]["StageSource"] | null;
            thread_title?: string | null;
            was_redacted: boolean;
        };
        /**
         * PutRecordsArguments
         * @description Store records: named values of an application, in buckets. They are never searched or recalled.
         */
        PutRecordsArguments: {
            /** @description Records to delete in the same transaction, each with bucket and key. */
            delete?: components["schemas"]["RecordName"][];
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description The records, each with bucket, key and text or base64. Those that exist are replaced, unless keep is true. */
            records?: components["schemas"]["RecordInput"][];
        };
        /** RecordsPut */
        PutRecordsReply: {
            /** Format: uint */
            deleted: number;
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            space: string;
            /**
             * Format: uint
             * @description Records that are new, or have another value than before.
             */
            stored: number;
            /**
             * Format: uint
             * @description Records that were there with this value, or were to be kept.
             */
            unchanged: number;
        };
        /**
         * QueryOwn
         * @description Find the chunks for a question by descending the category tree.
         */
        QueryArguments: {
            /** @description Cursor for the next page: the `next` of the previous page. No model is asked again. */
            after?: string | null;
            /**
             * @description Only chunks that pass these conditions, such as tag=release-0.9, path=docs/** or !type=json. Fields: tag, path, type,
             *     collection, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /**
             * Format: uint
             * @description Maximum number of chunks; the rest is on the next pages.
             * @default 20
             */
            limit?: number;
            /**
             * Format: uint
             * @description Maximum chunks per path; all by default.
             */
            limit_per_path?: number | null;
            /**
             * Format: uint32
             * @description Maximum paths followed; default 64, unless configured.
             */
            max_paths?: number | null;
            /**
             * Format: uint32
             * @description Maximum categories selected under one parent; default 128, unless configured.
             */
            max_per_level?: number | null;
            /**
             * Format: uint32
             * @description How many categories the strategy follows on the first level; default 3 for wide_branch, 6 for zoom_in and branch_out.
             */
            n?: number | null;
            /**
             * Format: uint32
             * @description How many categories fewer (zoom_in) or more (branch_out) it follows on each further level; default 2.
             */
            n2?: number | null;
            /** @description The question. */
            query: string;
            /**
             * @description Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first 20
             *     chunks of the page and reorders them. If omitted, recall.rerank in the configuration applies.
             */
            rerank?: string | null;
            /**
             * @description Strategy: one_shot, wide_branch, zoom_in or branch_out. If omitted, tree.strategy in the configuration decides.
             * @enum {string|null}
             */
            strategy?: "one_shot" | "wide_branch" | "zoom_in" | "branch_out" | null;
        };
        QueryChunk: {
            category_path: string[];
            /** Format: int64 */
            chunk_id: number;
            /** Format: date-time */
            created_at: string;
            document: string;
            /**
             * Format: uint32
             * @description The rank of its leaf among its siblings.
             */
            ranked_relevance: number;
            /** @description What reranking did with it; absent if it was off. */
            rerank?: components["schemas"]["RerankView"] | null;
            section?: string | null;
            text_content: string;
        };
        /** QueryResult */
        QueryReply: {
            /**
             * @description If a model chose the paths: by path, then by time and id. Otherwise, or if they are reranked, the chunks that match the question
             *     best come first.
             */
            chunks: components["schemas"]["QueryChunk"][];
            /** @description How sure the reranker is that any of the chunks answers the question. */
            confidence: components["schemas"]["JudgeConfidence"];
            dropped_paths: components["schemas"]["DroppedPath"][];
            /** @description Paths that were dropped, and why. */
            errors: components["schemas"]["PathError"][];
            /** @description Whether the model or the built-in method chose the paths. */
            method: components["schemas"]["Method"];
            /** @description Why the configured model did not choose them. */
            model_problem?: components["schemas"]["ModelProblem"] | null;
            /**
             * Format: uint64
             * @description How many chunks of the paths come after this page; absent on the last page.
             */
            more?: number | null;
            /** @description Cursor of the next page, for `after`; absent on the last page. */
            next?: string | null;
            /** @description The paths that were followed, best first. */
            paths: components["schemas"]["PathView"][];
            query: string;
            /**
             * Format: double
             * @description Time of reranking, in milliseconds; absent if it was off.
             */
            rerank_ms?: number | null;
            /** @description Why the configured model did not rerank the chunks. */
            rerank_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description Every selection, in the order requested. */
            responses: components["schemas"]["SelectResponse"][];
            space: string;
            /** @description `ok`, or `partial` if a path had to be dropped. */
            status: string;
            /**
             * Format: double
             * @description Total time of selections, reads and reranking, in milliseconds.
             */
            total_latency: number;
            trace: components["schemas"]["Trace"];
            traversal: components["schemas"]["Traversal"];
        };
        /**
         * QueueArguments
         * @description Show the state of the queue: waiting and running jobs, and those set aside.
         */
        QueueArguments: Record<string, never>;
        /**
         * QueueReport
         * @description The state of the queue.
         */
        QueueReply: {
            /** @description Jobs that were set aside, with the reason: the first of each space. */
            dead: components["schemas"]["DeadJobView"][];
            kinds: components["schemas"]["QueuedKind"][];
        };
        QueuedKind: {
            /**
             * Format: uint64
             * @description Jobs that were set aside after too many attempts.
             */
            dead: number;
            /** @description What the jobs do: enrich, reembed, facts or summaries. */
            kind: string;
            /**
             * Format: date-time
             * @description When the oldest job that is not done was queued.
             */
            oldest_at: string | null;
            /**
             * Format: uint64
             * @description Jobs that a worker is doing.
             */
            running: number;
            /**
             * Format: uint64
             * @description Jobs that nobody is doing.
             */
            waiting: number;
        };
        /** @description The words that an answer quotes. Receipts keep them, so that they depend on no rule by which words are chosen. */
        Quotation: {
            /**
             * Format: date-time
             * @description The day that is named in what was said, which it says instead.
             */
            day?: string | null;
            /** @description The best first. */
            quotes: components["schemas"]["QuotedWords"][];
            /** @description Whether it says when that was said. */
            says_day?: boolean;
            /**
             * Format: uint
             * @description How many of them the answer shows; the others are only cited.
             */
            shown: number;
        };
        Quote: {
            /** Format: uint */
            end: number;
            /**
             * Format: uint
             * @description In bytes of it.
             */
            start: number;
            /**
             * Format: uint
             * @description Which of the quoted texts, counted from 0.
             */
            text: number;
        };
        QuotedWords: {
            /** @description The sentence in it that says most. */
            sentence: components["schemas"]["StatedWords"];
            words: components["schemas"]["StatedWords"];
        };
        /**
         * RecallOwn
         * @description Recall stored items about a question, as a context within a token budget.
         */
        RecallArguments: {
            /**
             * @description More spaces to search, such as shared:handbook.
             * @default []
             */
            also?: components["schemas"]["SpaceName"][];
            /**
             * Format: date-time
             * @description Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
             */
            as_of?: string | null;
            /**
             * Format: date-time
             * @description When the question is asked, to interpret "last week" and the like; by default as_of, or now.
             */
            asked_at?: string | null;
            /**
             * @description What max_tokens bounds: text (with headings and sources) or memories.
             * @default text
             * @enum {string|null}
             */
            budget_covers?: "text" | "memories" | null;
            /** @description Only messages of this category of the vocabulary. */
            category?: string | null;
            /**
             * Format: uint32
             * @description Sentences kept of each memory, at least.
             * @default 2
             */
            clip_sentences?: number | null;
            /**
             * @description More regular expressions to redact. Turns redaction on.
             * @default []
             */
            custom_redaction_patterns?: string[];
            /**
             * @description Redact social security numbers, card numbers and e-mail addresses.
             * @default false
             */
            enable_redaction?: boolean | null;
            /**
             * @description Only messages that name one of these: an order, a person, an amount.
             * @default []
             */
            entities?: string[];
            /**
             * @description How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
             *     (clip_sentences from the beginning, and nothing more).
             * @default fill
             * @enum {string|null}
             */
            excerpts?: "fill" | "first_sentences" | null;
            /**
             * @description Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
             *     collection, kind, thread, role, speaker, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /**
             * @description Order of the memories: alternate, score_first or recency_first.
             * @default alternate
             * @enum {string|null}
             */
            interleaving?: "alternate" | "score_first" | "recency_first" | null;
            /**
             * Format: double
             * @description With score_first or recency_first: share of the places that the preferred order gets.
             */
            interleaving_ratio?: number | null;
            /**
             * Format: uint32
             * @description Maximum tokens of the context.
             * @default 1500
             */
            max_tokens?: number | null;
            /** @description Only messages of this type of the vocabulary. */
            message_type?: string | null;
            /**
             * Format: double
             * @description With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured for the model.
             */
            min_confidence?: number | null;
            /**
             * Format: double
             * @description Minimum score, after reranking if it is on; memories below it are dropped.
             * @default 0.3
             */
            min_score?: number | null;
            /**
             * @description With staged: only look, without counting the memories as used.
             * @default false
             */
            preview?: boolean;
            /** @description What to recall memories for: a question, or the user's last message. */
            query: string;
            /** @description Whether to keep a receipt. If omitted, receipts.enabled in the configuration decides. */
            receipt?: boolean | null;
            /**
             * @description Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
             *     reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
             */
            rerank?: string | null;
            /**
             * @description keyword, semantic or hybrid.
             * @default hybrid
             * @enum {string|null}
             */
            search_type?: "keyword" | "semantic" | "hybrid" | null;
            /** @description Name of the conversation in which the question is asked, as recorded in the receipt. With staged, it is the current thread. */
            session_id?: string | null;
            /**
             * @description Recall in stages, by the labels of messages: the current thread, other threads, then preferences and what is important.
             * @default false
             */
            staged?: boolean;
            /** @description With staged: recent messages, so that the question is understood in its context. */
            thread_context?: string | null;
            /**
             * Format: uint32
             * @description Maximum number of memories.
             * @default 8
             */
            top_k?: number | null;
            /**
             * @description Only messages labelled with one of these topics of the vocabulary.
             * @default []
             */
            topics?: string[];
            /**
             * @description Whether to search at all; false returns an empty result. For programs that switch memory on and off.
             * @default true
             */
            use_memory?: boolean;
        };
        RecallMetadata: {
            applied_filters: string[];
            config: components["schemas"]["RecallSettings"];
            /**
             * Format: uint
             * @description After filtering.
             */
            included_results: number;
            /**
             * Format: uint
             * @description Tokens of the whole text, including headings and names.
             */
            text_tokens: number;
            /**
             * Format: uint
             * @description Before filtering.
             */
            total_results: number;
            /**
             * Format: uint
             * @description Tokens of the memories' contents.
             */
            total_tokens: number;
        };
        RecallProblem: {
            code: string;
            /** @description What happened, and what to do. */
            detail: string;
            fallback: components["schemas"]["Fallback"];
            message: string;
            remedy: string;
        };
        /**
         * RecallResult
         * @description A recalled context: the payload of the policy, the text for a system prompt, and the reasons behind them.
         */
        RecallReply: {
            /** @description The candidates, best first, with the parts of each score. */
            candidates: components["schemas"]["CandidateView"][];
            /** @description How sure the reranker is that any of the candidates answers the question. */
            confidence: components["schemas"]["JudgeConfidence"];
            memories: components["schemas"]["MemoryEntry"][];
            metadata: components["schemas"]["RecallMetadata"];
            /** @description Why memories could not be recalled, and how that was handled. */
            problem?: components["schemas"]["RecallProblem"] | null;
            query: string;
            /** @description The receipt's id, if one is kept. */
            receipt?: string | null;
            /** @description Why the configured model did not rerank the candidates. */
            rerank_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description The condition that prevented a search: `use_memory` or `session_id`. */
            skipped?: string | null;
            spaces: string[];
            /** @description What a staged recall was made of. */
            staged?: components["schemas"]["StagedReport"] | null;
            /** @description For a system prompt; empty if there are no memories. */
            text: string;
            /** @description Measured, so it differs between calls. */
            timing: components["schemas"]["RecallTiming"];
            trace: components["schemas"]["Trace"];
        };
        RecallSettings: {
            /**
             * @description What `max_tokens` bounds. Receipts without it bounded the memories.
             * @default memories
             */
            budget_covers: components["schemas"]["BudgetCovers"];
            /**
             * Format: uint32
             * @description Sentences kept of each memory.
             */
            clip_sentences: number;
            /** @description Regular expressions to redact in addition to the default ones. */
            custom_redaction_patterns: string[];
            enable_redaction: boolean;
            /** @description How much of each memory is shown. Receipts without it kept `clip_sentences`: the best of a chunk, and the first of other memories. */
            excerpts?: components["schemas"]["ExcerptRule"];
            interleaving: components["schemas"]["Interleaving"];
            /**
             * Format: uint32
             * @description Maximum tokens of the context.
             */
            max_tokens: number;
            /**
             * Format: double
             * @description If a reranker rates no candidate at least this relevant, nothing is recalled. Absent: the value measured for the model.
             */
            min_confidence?: number | null;
            /**
             * Format: double
             * @description Minimum score; memories below it are dropped.
             */
            min_score: number;
            /** @description The reranker of the candidates. */
            rerank?: string;
            search_type: components["schemas"]["Mode"];
            /**
             * Format: uint32
             * @description Maximum number of memories. Twice as many are considered.
             */
            top_k: number;
        };
        RecallTiming: {
            cached: boolean;
            /**
             * Format: double
             * @description Everything after the search: loading, choosing, clipping, composing.
             */
            processing_time: number;
            /**
             * Format: double
             * @description Total time in milliseconds.
             */
            query_time: number;
            /**
             * Format: double
             * @description Reranking, which is part of `processing_time`; absent if it was off.
             */
            rerank_ms?: number | null;
        };
        /** @description Everything about a recall, an answer or a composition except the texts: those are in the store, and their digests are here. */
        Receipt: {
            /** @description The answer made from the memories, if a question was asked. */
            answer?: components["schemas"]["AnswerReceipt"] | null;
            /** Format: date-time */
            as_of: string | null;
            /** Format: date-time */
            asked_at: string;
            /** @description What a composed prompt was made of. */
            compose?: components["schemas"]["ComposeReceipt"] | null;
            engine: string;
            /** @description The conditions of the filter, if there was one. */
            filter?: string[];
            /**
             * Format: uint32
             * @description Increases when the format of receipts changes.
             */
            format: number;
            /** @description All candidates, shown or not: when one of them is forgotten, the receipt is deleted. */
            found: components["schemas"]["FoundItem"][];
            /** Format: date-time */
            made_at: string;
            memories: components["schemas"]["ReceiptMemory"][];
            /** @description Digests of the memories as JSON, and of the text for the system prompt; of a composition, of its prompt. */
            memories_sha256: string;
            query: string;
            /** @description Every redaction pattern, in order; empty if redaction was off. */
            redaction: string[];
            /** @description The revision of each space that was searched. */
            revisions: (number | null)[];
            session_id: string | null;
            settings: components["schemas"]["RecallSettings"];
            spaces: string[];
            /** @description What a staged recall was made of besides its memories. */
            staged?: components["schemas"]["StagedInputs"] | null;
            template: string;
            text_sha256: string;
            tokenizer: string;
            /**
             * Format: uint
             * @description Of the memories; of an answer by the tree or a composition, of its prompt.
             */
            total_tokens: number;
            trace: components["schemas"]["Trace"];
        };
        /** @description A chunk of the prompt, as it was or summarised. */
        ReceiptChunk: {
            /** Format: int64 */
            item_id: number;
            item_sha256: string;
            summary?: components["schemas"]["ReceiptSummary"] | null;
        };
        /** @description The helper of a source. */
        ReceiptHelper: {
            /**
             * Format: uint
             * @description The first of the chunks, by its place among them, that is of the same document.
             */
            chunk: number;
            /** Format: int64 */
            helper_id: number;
            text_sha256: string;
        };
        /** @description One memory: its item, and the part of it that was shown. */
        ReceiptMemory: {
            collection: string;
            /** Format: int64 */
            item_id: number;
            /** @description Digest of the item, up to the part of its text that was considered. */
            item_sha256: string;
            /** Format: uint */
            original_length: number;
            /** @description Where a staged recall found it. */
            place?: components["schemas"]["StagedPlace"] | null;
            /** Format: double */
            score: number;
            span: components["schemas"]["Span"];
            /** @description Why a fact or a summary was to be looked at again. */
            unverified?: components["schemas"]["Unverified"] | null;
        };
        ReceiptPart: {
            /** Format: int64 */
            item_id: number;
            item_sha256: string;
            /**
             * Format: uint
             * @description How many bytes at the beginning are left out: of a chunk, what it shares with the one before; of a summary, its title.
             */
            skip?: number;
        };
        /** @description A summary in the place of a chunk. The built-in method makes it again; a model's reply is kept. */
        ReceiptSummary: {
            method: components["schemas"]["Method"];
            /** Format: uint */
            target_chars: number;
            text?: string | null;
        };
        /** @description A text that is quoted: a chunk, a message, or the chunks of a file. */
        ReceiptText: {
            /**
             * Format: int64
             * @description The document, if it is an injected file.
             */
            document_id?: number | null;
            /** @description Where instructions to a model were found in it, in bytes of the redacted text. */
            instructions?: number[][];
            parts: components["schemas"]["ReceiptPart"][];
        };
        /** @description A receipt in a list. */
        ReceiptView: {
            /** Format: date-time */
            made_at: string;
            /**
             * Format: uint
             * @description Memories, chunks of an answer by the tree, or items that a composed prompt quotes.
             */
            memories: number;
            query: string;
            receipt: string;
            /** Format: uint */
            total_tokens: number;
        };
        /**
         * ReceiptsArguments
         * @description List the receipts of the space, newest first.
         */
        ReceiptsArguments: {
            /**
             * Format: uint
             * @description Maximum number of receipts.
             * @default 50
             */
            limit?: number;
        };
        /** Array_of_ReceiptView */
        ReceiptsReply: components["schemas"]["ReceiptView"][];
        /** @description A record with its value as text, or as bytes in base64. */
        RecordInput: {
            /** @description The value as bytes in base64, instead of text. */
            base64?: string | null;
            /** @description The bucket to keep it in, at most 1 KiB. */
            bucket: string;
            /**
             * @description Leave a record that is already there as it is.
             * @default false
             */
            keep?: boolean;
            /** @description Its key there, at most 1 KiB. */
            key: string;
            /** @description The value, at most 16 MiB. */
            text?: string | null;
        };
        /** @description The bucket and the key of a record. */
        RecordName: {
            /** @description The bucket that it is in. */
            bucket: string;
            /** @description Its key there. */
            key: string;
        };
        RecordView: {
            /** @description The value in base64, if it is not text. Redaction leaves it out. */
            base64?: string | null;
            bucket: string;
            key: string;
            /**
             * Format: date-time
             * @description When it was last stored with another value.
             */
            recorded_at: string;
            /**
             * Format: uint
             * @description The size of the value in bytes.
             */
            size: number;
            /** @description The value, if it is text. */
            text?: string | null;
        };
        /**
         * RecordsArguments
         * @description List records of a bucket with their values, page by page; or get some by their keys.
         */
        RecordsArguments: {
            /**
             * @description Also buckets whose names begin with it.
             * @default false
             */
            below?: boolean;
            /** @description The bucket. */
            bucket: string;
            /** @description Only these keys. */
            keys?: string[] | null;
            /**
             * Format: uint
             * @description Maximum number of records on a page. A page ends early after 16 MiB of values.
             * @default 100
             */
            limit?: number;
            /**
             * Format: uint
             * @description Skip this number of records: `next` of the page before.
             * @default 0
             */
            offset?: number;
            /**
             * @description The order: key (by bucket and key), or age (by when buckets, and records in them, were first stored).
             * @default key
             * @enum {string}
             */
            order?: "key" | "age";
            /**
             * @description Only keys that begin with this.
             * @default
             */
            prefix?: string;
            /**
             * @description From the last to the first.
             * @default false
             */
            reverse?: boolean;
            /**
             * @description Whether to return the values.
             * @default true
             */
            values?: boolean;
        };
        /** RecordList */
        RecordsReply: {
            /**
             * Format: uint
             * @description Pass it as `offset` to get the next page. Absent on the last one.
             */
            next?: number | null;
            records: components["schemas"]["RecordView"][];
            space: string;
        };
        /**
         * ReembedArguments
         * @description Move the database to another embedder, while searches go on.
         */
        ReembedArguments: {
            /** @description The embedder to move to: recordar-static-256.1, recordar-static-128.1, or the name of the program's own. */
            model: string;
        };
        /**
         * Reembedded
         * @description The state of the store after a move.
         */
        ReembedReply: {
            /** @description Whether searches used another one before. */
            changed: boolean;
            /** Format: uint */
            dimension: number;
            /** @description The embedder that searches use now. */
            embedder: string;
            /**
             * Format: uint64
             * @description Spaces that could not be embedded. They hold up the move; `queue` has the reasons.
             */
            failed: number;
            /** @description The embedder that the store is still being moved to. */
            pending: string | null;
            /**
             * Format: uint64
             * @description Spaces that this call embedded.
             */
            spaces: number;
        };
        /**
         * RejectTermArguments
         * @description Set a suggested term aside, so that it is suggested no more.
         */
        RejectTermArguments: {
            /**
             * @description topic or category.
             * @enum {string|null}
             */
            kind?: "topic" | "category" | null;
            /** @description The suggested term. */
            term: string;
        };
        /**
         * VocabularyEdited
         * @description What an edit has done.
         */
        RejectTermReply: {
            kind: components["schemas"]["TermKind"] | null;
            /**
             * Format: uint64
             * @description Messages whose labels were changed.
             */
            relabelled: number;
            term: string | null;
            version: string;
        };
        /**
         * RememberArguments
         * @description Store a message, or a batch of them.
         */
        RememberArguments: {
            /** @description Messages to store, in order: all or none. */
            messages: components["schemas"]["Message"][];
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** Remembered */
        RememberReply: {
            /** @description The ids of the messages, in the order they were given. */
            items: number[];
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /** Format: int64 */
            revision: number;
            space: string;
            /**
             * Format: uint
             * @description How many of them were stored before, under the same own id and with the same content; nothing was written for these.
             */
            unchanged?: number;
        };
        /**
         * RemoveModelArguments
         * @description Remove a model folder from the register. No file is deleted.
         */
        RemoveModelArguments: {
            /** @description The name of the registered model. */
            name: string;
        };
        /**
         * ModelFolder
         * @description A registered model.
         */
        RemoveModelReply: {
            /** Format: date-time */
            added_at: string;
            kind: components["schemas"]["ModelKind"];
            /** @description What it is called: `folder:NAME`. */
            name: string;
            /** @description The folder of its files. */
            path: string;
            /** @description The sha256 of its files when it was added. */
            sha256: string;
        };
        /**
         * RenameCategoryArguments
         * @description Rename a category.
         */
        RenameCategoryArguments: {
            /** @description The category's id, or its path, such as Travel > Trains. */
            category: string;
            /** @description The new name. */
            name: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** TreeEdited */
        RenameCategoryReply: {
            /**
             * Format: int64
             * @description The resulting category; absent if the whole tree was changed.
             */
            category_id?: number | null;
            /** Format: uint32 */
            depth: number;
            /** @description The edit: `rename`, `merge`, `move` or `deepen`. */
            edit: string;
            /**
             * Format: uint64
             * @description Categories that were merged into others.
             */
            merged_categories: number;
            /**
             * Format: uint64
             * @description Chunks that moved to another leaf.
             */
            moved_chunks: number;
            /**
             * @description Whether this operation was done before; then this is its original result.
             * @default false
             */
            repeated: boolean;
        };
        /** @description What reranking did with a candidate. */
        RerankView: {
            /**
             * Format: int64
             * @description Of a thread or document: the item that was judged. If there were several, the one that the judge finds most relevant.
             */
            item_id?: number | null;
            /**
             * Format: double
             * @description How relevant the judge finds it, from 0 to 1.
             */
            judge?: number | null;
            /** @description Whether the model judged it. What it did not judge follows what it did, in the search's order. */
            judged: boolean;
            /** @description The characters of the text that the judge read, from and to, if it did not read all of it. In a thread or document, they are those of `item_id`. */
            read?: number[] | null;
            /**
             * Format: double
             * @description The score that decides its place: the search's and the judge's, mixed. If it was not judged, the search's.
             */
            score: number;
            /**
             * Format: double
             * @description The search's score.
             */
            search: number;
        };
        /**
         * RestoreArguments
         * @description Restore the whole store from a backup. The store stays usable meanwhile.
         */
        RestoreArguments: {
            /** @description The backup file. It replaces all data in the store. */
            file: string;
        };
        /**
         * RestoreArguments
         * @description Restore the whole store from a backup. The store stays usable meanwhile.
         */
        RestoreArgumentsWithFiles: Record<string, never>;
        /**
         * RestoreFactArguments
         * @description Restore a fact that was retired.
         */
        RestoreFactArguments: {
            /**
             * Format: int64
             * @description The number of a fact.
             */
            fact: number;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** FactChanged */
        RestoreFactReply: {
            /** @description Whether anything changed. */
            changed: boolean;
            /** @description The fact as it is now; of a correction, the new one. */
            fact: components["schemas"]["FactView"];
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /** Format: int64 */
            revision: number;
            space: string;
        };
        /** RestoreReport */
        RestoreReply: {
            /** @description Spaces that existed before and were replaced. */
            removed: string[];
            spaces: components["schemas"]["ImportedSpace"][];
        };
        /**
         * RetireFactArguments
         * @description Retire a fact: it no longer counts, and what it had ended holds again. It stays in the history.
         */
        RetireFactArguments: {
            /**
             * Format: int64
             * @description The number of a fact.
             */
            fact: number;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /** FactChanged */
        RetireFactReply: {
            /** @description Whether anything changed. */
            changed: boolean;
            /** @description The fact as it is now; of a correction, the new one. */
            fact: components["schemas"]["FactView"];
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /** Format: int64 */
            revision: number;
            space: string;
        };
        /** @description The recalls since this process started. Nothing of them is stored. */
        RetrievalMetrics: {
            /** @description 1 for a cache hit and 0 for a miss: the mean is the hit rate. */
            cache_hit_rate: components["schemas"]["Measured"];
            /** @description The share of duplicates among the results. */
            dedup_ratio: components["schemas"]["Measured"];
            /** @description Total time from call to result. */
            latency_ms: components["schemas"]["Measured"];
            /** @description Memories in a result. */
            results_count: components["schemas"]["Measured"];
            /** @description Tokens of the memories in a result. */
            tokens_used: components["schemas"]["Measured"];
        };
        /**
         * RetryJobsArguments
         * @description Try the jobs of the space again that were set aside.
         */
        RetryJobsArguments: {
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /**
         * JobsChanged
         * @description How many jobs of a space were changed.
         */
        RetryJobsReply: {
            /** Format: uint64 */
            jobs: number;
            space: string;
        };
        /**
         * RevokeKeyArguments
         * @description Revoke an API key: from now on, it is refused.
         */
        RevokeKeyArguments: {
            /** @description The id or the name of the key. */
            key: string;
        };
        /**
         * KeyView
         * @description A key as lists show it.
         */
        RevokeKeyReply: {
            /** @description Whether it may do everything. */
            admin: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** @description It stands for the key, and is not secret. */
            id: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: double
             * @description The most that language models may cost for it in a day.
             */
            max_usd_per_day: number | null;
            name: string;
            /** @description The spaces that it may only read. */
            read: components["schemas"]["SpacePattern"][];
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The spaces that it may read and write. */
            spaces: components["schemas"]["SpacePattern"][];
            /**
             * Format: double
             * @description What they have cost today, with what is reserved for running calls.
             */
            spent_today_usd: number;
        };
        /** @description Where to look for an answer. */
        Route: "recall" | "tree";
        RunningOperation: {
            operation: string;
            /** @description What the store knows of an earlier operation, or of its parts. */
            parts?: unknown[];
            problem?: components["schemas"]["ProblemDetails"];
            progress?: {
                done: number;
                message: string;
                total: number;
            };
            /** @description The reply of the verb, once it is done. */
            result?: unknown;
            space: string;
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled" | "partial";
            verb: string | null;
        };
        /**
         * SearchArguments
         * @description Find the best items for a question, with the parts of each score.
         */
        SearchArguments: {
            /**
             * @description More spaces to search, such as shared:handbook.
             * @default []
             */
            also?: components["schemas"]["SpaceName"][];
            /**
             * Format: date-time
             * @description Search the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
             */
            as_of?: string | null;
            /**
             * Format: date-time
             * @description When the question is asked, to interpret "last week" and the like; by default now.
             */
            asked_at?: string | null;
            /** @description Only messages of this category of the vocabulary. */
            category?: string | null;
            /**
             * @description Only messages that name one of these: an order, a person, an amount.
             * @default []
             */
            entities?: string[];
            /**
             * @description Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
             *     collection, kind, thread, role, speaker, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /**
             * Format: uint
             * @description Maximum number of hits.
             * @default 10
             */
            limit?: number;
            /** @description Only messages of this type of the vocabulary. */
            message_type?: string | null;
            /**
             * @description keyword, semantic or hybrid.
             * @default hybrid
             * @enum {string}
             */
            mode?: "keyword" | "semantic" | "hybrid";
            /** @description What to search for: words, or a question. */
            query: string;
            /**
             * @description Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each of the first 20
             *     results and reorders them. If omitted, recall.rerank in the configuration applies.
             */
            rerank?: string | null;
            /**
             * @description Find whole threads and documents instead of single items.
             * @default false
             */
            threads?: boolean;
            /**
             * @description Only messages labelled with one of these topics of the vocabulary.
             * @default []
             */
            topics?: string[];
        };
        /**
         * SearchReply
         * @description Items, or whole threads and documents.
         */
        SearchReply: components["schemas"]["SearchResult"] | components["schemas"]["ThreadSearchResult"];
        SearchResult: {
            /** @description How sure the reranker is that any of them answers the question. */
            confidence: components["schemas"]["JudgeConfidence"];
            hits: components["schemas"]["HitView"][];
            mode: components["schemas"]["Mode"];
            query: string;
            /** @description Why the configured model did not rerank them. */
            rerank_problem?: components["schemas"]["ModelProblem"] | null;
            spaces: string[];
            /** @description Measured, so it differs between calls. */
            timing: components["schemas"]["SearchTiming"];
            trace: components["schemas"]["Trace"];
        };
        SearchTiming: {
            /**
             * Format: double
             * @description Reranking, which is part of it; absent if it was off.
             */
            rerank_ms?: number | null;
            /** Format: double */
            total_ms: number;
        };
        /** @description A section, and the byte of the text where it begins. */
        SectionStart: {
            /** Format: uint */
            at: number;
            section: string;
        };
        /** @description One call of a descent, or the built-in method's choice instead. */
        SelectResponse: {
            /** Format: double */
            latency_ms: number;
            /** Format: uint32 */
            level: number;
            /** @description The selected categories; empty if the call failed or its reply was invalid. */
            llm_output: components["schemas"]["Selected"][];
            method: components["schemas"]["Method"];
            model?: string | null;
            /** @description `ok`, or the code of an error. */
            outcome: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uint64 */
            tokens_completion: number;
            /** Format: uint64 */
            tokens_prompt: number;
            /** @description The names from the root down to the parent. */
            under: string[];
        };
        Selected: {
            category: string;
            /**
             * Format: uint32
             * @description From `n`, for the most relevant, downwards.
             */
            ranked_relevance: number;
        };
        /** @description What a model answered. */
        Sent: {
            answer: string;
            /** @description The numbers of the sources that it cites. */
            citations: number[];
            /** @description Whether somebody edited the prompt before it was sent. */
            edited: boolean;
            model: string;
            /** @description Why the first model did not answer, if this is the fallback model. */
            model_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description Every call. */
            responses: components["schemas"]["CallReport"][];
            /** @description Numbers that it cites and that no source has. */
            unknown_citations: number[];
        };
        /** @description What a model answered to the prompt. */
        SentReceipt: {
            answer_sha256: string;
            citations: number[];
            /** @description What was sent in the place of the prompt, if somebody edited it. */
            edited?: string | null;
            exchanges: components["schemas"]["Exchange"][];
            /** Format: uint32 */
            max_output_tokens: number;
            model: components["schemas"]["ModelSettings"];
        };
        /**
         * SetDocumentArguments
         * @description Set the topic, note, provider or metadata of a document. Its text gets no new version.
         */
        SetDocumentArguments: {
            /**
             * @description Fields of its metadata to set, as a JSON object. A field that is null is removed; the others stay.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Its path, file name or id. */
            name: string;
            /** @description A note about it; an empty text removes it. */
            note?: string | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Who supplied it; an empty text removes it. */
            provider?: string | null;
            /** @description Its topic; an empty text removes it. */
            topic?: string | null;
        };
        /**
         * DocumentEdit
         * @description A document after a change.
         */
        SetDocumentReply: {
            /** @description False if everything was like that before; then nothing was written. */
            changed: boolean;
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            operation: string;
            path: string;
            /** @description Whether this operation was done before. */
            repeated: boolean;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        /**
         * SetExpiryArguments
         * @description Set, change or remove the time when a thread, an item or the documents with a tag are to be forgotten.
         */
        SetExpiryArguments: {
            /**
             * @description When it is to be forgotten: a time such as 2026-12-31, or a duration from now such as 30d (units: s, m, h, d, w). If left out, its
             *     end is removed, and it is kept.
             */
            expires?: string | null;
            /** @description A message, fact or summary by your own id, with the ones it replaced. */
            id?: string | null;
            /**
             * Format: int64
             * @description A message, fact or summary by its number.
             */
            item?: number | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description A tag: the documents that carry it when its end has come. */
            tag?: string | null;
            /** @description A thread by its name, with all its messages. */
            thread?: string | null;
        };
        /** ExpirySet */
        SetExpiryReply: {
            /**
             * Format: date-time
             * @description The end before, if there was one.
             */
            expired_at_before?: string | null;
            /**
             * Format: date-time
             * @description The end as it is now; absent if it was removed.
             */
            expires_at?: string | null;
            operation: string;
            repeated: boolean;
            space: string;
        };
        /**
         * SetStandingTextArguments
         * @description Set the rules, the project memory or the synonyms of a space. What was there stays in the history.
         */
        SetStandingTextArguments: {
            /**
             * @description Which text: the rules, the project memory, or the synonyms.
             * @enum {string}
             */
            kind: "rules" | "project" | "synonyms";
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description The new text, in place of the whole text before; empty for none. Synonyms are lines such as `NVH = vehicle acoustics`. */
            text: string;
        };
        /** StandingTextSet */
        SetStandingTextReply: {
            /** @description False if the text was already so. */
            changed: boolean;
            kind: string;
            operation: string;
            repeated: boolean;
            /** Format: int64 */
            revision: number;
            space: string;
            /**
             * Format: int64
             * @description The number of the version that is current now.
             */
            version: number;
        };
        SettingChange: {
            setting: string;
            value: string;
        };
        /** @description What a prompt asks for. */
        Shape: {
            /** @description What is to come out of it: `code`, `specification`, `plan` or `text`. */
            deliverable: string;
            /** @description `brief`, `normal` or `thorough`. */
            depth: string;
            /** @description `prose`, `list`, `table` or `code`. */
            format: string;
            /** @description What is to be done: `explain`, `find`, `compare`, `decide`, `plan`, `write`, `change`, `summarise` or `answer`. */
            intent: string;
            /** @description What must be known, restated so that a passage can be held against it. */
            need: string;
            /** @description The files that the prompt is about. */
            targets: string[];
        };
        /** @description Files and folders that were not read for one reason. */
        Skipped: {
            /** Format: uint64 */
            count: number;
            /** @description The first of them. */
            paths: string[];
            reason: string;
            /** @description What the reason means. */
            what: string;
        };
        /** @description The name of a space, such as `user:ada` or `project:x`: a kind, a colon, and a name. */
        SpaceName: string;
        /**
         * @description The spaces that someone may use: one such as `user:ada`, those of a kind such as `user:*`, those that begin alike such as `user:team-*`, or
         *     all, as `*`. Only the last character may be a star.
         */
        SpacePattern: string;
        /**
         * SpacesArguments
         * @description List the spaces that you may read.
         */
        SpacesArguments: Record<string, never>;
        /**
         * SpaceNames
         * @description Space names are shown unredacted, because calls refer to a space by its name.
         */
        SpacesReply: string[];
        /** @description The part of a text that is shown, in bytes, and whether text precedes and follows it. */
        Span: {
            /** Format: uint */
            end: number;
            is_cut: boolean;
            is_late: boolean;
            /** Format: uint */
            start: number;
        };
        Spend: {
            /**
             * Format: uint64
             * @description Billionths of a dollar; 0 if the price is unknown.
             */
            nano_usd: number;
            /** Format: uint64 */
            tokens: number;
        };
        Stage: {
            decisions: components["schemas"]["Decision"][];
            name: string;
        };
        /** @description The stage that found a memory. */
        StageSource: ("current_thread" | "cross_thread") | "expansion";
        /** @description The parts of a score from 0 to 100. */
        StagedEvidence: {
            /** Format: double */
            entities: number;
            /** Format: double */
            importance: number;
            /** Format: double */
            recency: number;
            /**
             * Format: double
             * @description The stage's own score, by which it chose; the third stage has none.
             */
            relevance: number;
            /**
             * Format: double
             * @description Their sum times the factors, at most 100.
             */
            score: number;
            source: components["schemas"]["StageSource"];
            /**
             * Format: double
             * @description Factors for the stage and for the tier.
             */
            source_boost: number;
            /** Format: double */
            tier_boost: number;
            /**
             * Format: double
             * @description Up to 30 for topics, 25 for entities, 20 for recency, 15 for importance.
             */
            topics: number;
            /**
             * Format: uint32
             * @description How often it was used before.
             */
            uses: number;
        };
        /** @description What chose the memories of a staged recall: the question as it was read, and the uses that were counted until then. */
        StagedInputs: {
            intent: components["schemas"]["Intent"];
            /** @description The revision in each space at which uses were counted last; 0 if never. */
            uses_at: number[];
        };
        /** @description What a staged context says of a memory besides its text. */
        StagedPlace: {
            /** @description Whether it is shown as a preference. */
            is_preference: boolean;
            source: components["schemas"]["StageSource"];
            /** @description The title of its thread. */
            thread_title: string | null;
        };
        /** @description What a staged recall was made of. */
        StagedReport: {
            /** @description What the question asks for. */
            intent: components["schemas"]["Intent"];
            /** @description Who read the question. */
            method: components["schemas"]["Method"];
            model_problem?: components["schemas"]["ModelProblem"] | null;
            /** @description Calls of the model, including failed ones. */
            responses: components["schemas"]["CallReport"][];
            /** @description The revision in each space at which uses were counted last; 0 if never. */
            uses_at: number[];
        };
        /**
         * StandingTextArguments
         * @description Show a standing text of a space: its rules, its project memory, or its synonyms.
         */
        StandingTextArguments: {
            /** @description As it was at this time. */
            as_of?: string | null;
            /**
             * @description Which text: the rules, the project memory (what is known about the project), or the synonyms (words that mean the same).
             * @enum {string}
             */
            kind: "rules" | "project" | "synonyms";
            /**
             * Format: int64
             * @description The number of a version; the current one if it is absent.
             */
            version?: number | null;
        };
        /**
         * StandingTextDiffArguments
         * @description Show the differences between two versions of the rules, the project memory or the synonyms.
         */
        StandingTextDiffArguments: {
            /**
             * Format: int64
             * @description The earlier version; by default the one before the later one. Version 0 is the empty text before the first.
             */
            from?: number | null;
            /**
             * @description Which text: the rules, the project memory, or the synonyms.
             * @enum {string}
             */
            kind: "rules" | "project" | "synonyms";
            /**
             * Format: int64
             * @description The later version; by default the newest.
             */
            to?: number | null;
        };
        /** StandingTextDifference */
        StandingTextDiffReply: {
            /** @description A unified diff. */
            diff: string;
            /** Format: int64 */
            from: number;
            kind: string;
            space: string;
            /** Format: int64 */
            to: number;
        };
        /**
         * StandingTextHistoryArguments
         * @description List all versions of the rules, the project memory or the synonyms of a space.
         */
        StandingTextHistoryArguments: {
            /**
             * @description Which text: the rules, the project memory, or the synonyms.
             * @enum {string}
             */
            kind: "rules" | "project" | "synonyms";
        };
        /**
         * StandingTextHistory
         * @description All versions of a standing text.
         */
        StandingTextHistoryReply: {
            kind: string;
            space: string;
            /** @description The newest first. */
            versions: components["schemas"]["StandingTextView"][];
        };
        /** StandingTextView */
        StandingTextReply: {
            /** @description `rules`, `project` or `synonyms`. */
            kind: string;
            set_at?: string | null;
            space: string;
            text: string;
            /** Format: uint */
            tokens: number;
            /**
             * Format: int64
             * @description The number of its version, from 1; 0 if nothing was ever set.
             */
            version: number;
        };
        StandingTextView: {
            /** @description `rules`, `project` or `synonyms`. */
            kind: string;
            set_at?: string | null;
            space: string;
            text: string;
            /** Format: uint */
            tokens: number;
            /**
             * Format: int64
             * @description The number of its version, from 1; 0 if nothing was ever set.
             */
            version: number;
        };
        StandingVersions: {
            /** Format: int64 */
            project: number;
            /** Format: int64 */
            rules: number;
            /** Format: int64 */
            synonyms: number;
        };
        /** @description An answer in a sentence. Receipts keep it, so that they depend on no pattern by which statements are found. */
        Stated: {
            /** @description Our own words, and words of passages. */
            parts: components["schemas"]["StatedPart"][];
            /** @description The sentences that say so, what holds first. */
            rests_on: components["schemas"]["StatedWords"][];
        };
        StatedPart: {
            own: string;
        } | {
            quoted: components["schemas"]["StatedWords"];
        };
        /** @description Bytes of a passage, which is numbered from 1. */
        StatedWords: {
            /** Format: uint */
            end: number;
            /** Format: uint */
            passage: number;
            /** Format: uint */
            start: number;
        };
        /** @description A fact or a summary that was stored as it is: it has no subject, attribute and value. */
        StoredFact: {
            /**
             * Format: int64
             * @description Its number.
             */
            item: number;
            kind: components["schemas"]["ItemKind"];
            /** @description When it was stored. */
            recorded_at: string;
            /** @description When to look at it again. */
            review_by?: string | null;
            /** @description The items that it comes from. */
            sources: number[];
            text: string;
            /** @description Why it is to be looked at again: `source_changed`, `source_retired` or `review_due`. */
            unverified: components["schemas"]["Unverified"];
        };
        /** @description An item, with what is stored of it. */
        StoredItem: {
            /** @description The documents that it is about, as they were when it was stored. */
            about?: components["schemas"]["AboutDocument"][];
            /** @description The items that it was made from. */
            derived_from: number[];
            document: string | null;
            /** @description The document's path relative to the folder that was ingested. */
            document_name?: string | null;
            importance?: number | null;
            /** @description Whether a person marked it as important. */
            important?: boolean;
            /** Format: int64 */
            item_id: number;
            kind: components["schemas"]["ItemKind"];
            /** @description False if it is retired. */
            live: boolean;
            /** @description Its metadata. For a chunk, the metadata of its document, and the document's tags, topic, note and provider. */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            occurred_at: string;
            /** @description The id that you gave it. */
            own_id?: string | null;
            /** Format: date-time */
            recorded_at: string;
            role: string | null;
            /** @description The section in which the text begins; of a search hit, that of its snippet. */
            section: string | null;
            /** @description The sections that begin inside the text. */
            sections?: components["schemas"]["SectionStart"][];
            /** @description Where it came from, if the caller said so. */
            source?: string | null;
            space: string;
            speaker: string | null;
            text: string;
            thread: string | null;
            /** Format: int64 */
            tokens: number;
            /**
             * Format: int64
             * @description For a chunk, the number of the document's version that it was found in.
             */
            version?: number | null;
        };
        Strategy: "alternate" | "score_first" | "recency_first";
        /** @description How a model is made to reply with JSON that matches a schema. */
        Structured: "native" | "tool" | "prompted";
        /** @description A term that labellers missed, with the beginnings of some messages. */
        SuggestionView: {
            examples: string[];
            /** Format: int64 */
            frequency: number;
            kind: components["schemas"]["TermKind"];
            term: string;
        };
        /**
         * SuggestionsArguments
         * @description List terms that the vocabulary lacks, with examples from all spaces.
         */
        SuggestionsArguments: {
            /**
             * @description topic or category.
             * @enum {string|null}
             */
            kind?: "topic" | "category" | null;
            /**
             * Format: uint
             * @description Maximum number of suggestions.
             * @default 20
             */
            limit?: number;
            /**
             * Format: int64
             * @description Show terms suggested at least this often.
             * @default 5
             */
            min_frequency?: number;
        };
        /** Array_of_SuggestionView */
        SuggestionsReply: components["schemas"]["SuggestionView"][];
        /**
         * SummariesArguments
         * @description List the summaries of old messages, each with the messages that it sums up.
         */
        SummariesArguments: {
            /**
             * Format: uint
             * @description The most summaries to list.
             * @default 100
             */
            limit?: number;
            /** @description Only summaries of this thread. */
            thread?: string | null;
        };
        /** SummaryList */
        SummariesReply: {
            /** @description Whether there are more. */
            more: boolean;
            space: string;
            /** @description As they were made. */
            summaries: components["schemas"]["SummaryView"][];
        };
        /**
         * SummariseThreadsArguments
         * @description Queue the threads that are already stored to be summed up; the jobs of the queue make the summaries.
         */
        SummariseThreadsArguments: {
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
        };
        /**
         * SummariesQueued
         * @description Threads that were queued to be summed up.
         */
        SummariseThreadsReply: {
            operation: string;
            /** @description Whether the space was queued; false if it already was. */
            queued: boolean;
            space: string;
        };
        /** @description A summary, and what it sums up. */
        SummaryView: {
            /** @description When the first and the last of them were said. */
            from: string;
            /** Format: int64 */
            message_tokens: number;
            /** @description The messages that it sums up, and their tokens together. */
            messages: number[];
            /**
             * Format: int64
             * @description Its number, which is that of its item.
             */
            summary: number;
            text: string;
            /** @description The thread of the messages. */
            thread?: string | null;
            to: string;
            /** Format: int64 */
            tokens: number;
        };
        /** @description How a fact is supported by what it cites. */
        Support: "quoted";
        /**
         * TagDocumentArguments
         * @description Add tags to a document. Its text gets no new version.
         */
        TagDocumentArguments: {
            /** @description Its path, file name or id. */
            name: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Tags to add. */
            tags: string[];
        };
        /**
         * DocumentEdit
         * @description A document after a change.
         */
        TagDocumentReply: {
            /** @description False if everything was like that before; then nothing was written. */
            changed: boolean;
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            operation: string;
            path: string;
            /** @description Whether this operation was done before. */
            repeated: boolean;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        TaskTest: {
            /** @description The maximum token count. */
            estimate: components["schemas"]["Estimate"];
            passed: boolean;
            problem?: components["schemas"]["ModelProblem"] | null;
            /** @description The reply; empty in a dry run. */
            reply: string;
            responses: components["schemas"]["CallReport"][];
            task: string;
        };
        Term: {
            /** @description What it covers, in the words people use. The built-in labels compare messages with it. */
            about?: string | null;
            name: string;
        };
        /**
         * @description A list that a term belongs to.
         * @enum {string}
         */
        TermKind: "topic" | "category" | "message_type" | "entity_type";
        /**
         * TestModelsArguments
         * @description Test the configured language model: run every task once on a three-sentence text.
         */
        TestModelsArguments: {
            /**
             * @description Only estimate the maximum cost; no model is called.
             * @default false
             */
            dry_run?: boolean;
        };
        /**
         * ModelsTest
         * @description The result of testing the model.
         */
        TestModelsReply: {
            model: string | null;
            passed: boolean;
            tasks: components["schemas"]["TaskTest"][];
        };
        /** @description A thread or document, with its best item. */
        ThreadHitView: {
            /** Format: int64 */
            best_item_id: number;
            best_text: string;
            document: string | null;
            parts: components["schemas"]["Evidence"];
            /** @description What reranking did with it; absent if it was off. */
            rerank?: components["schemas"]["RerankView"] | null;
            /** Format: double */
            score: number;
            /** @description The part of it that matches best, on one line. */
            snippet: string;
            space: string;
            thread: string | null;
        };
        ThreadSearchResult: {
            /** @description How sure the reranker is that any of them answers the question. */
            confidence: components["schemas"]["JudgeConfidence"];
            mode: components["schemas"]["Mode"];
            query: string;
            /** @description Why the configured model did not rerank them. */
            rerank_problem?: components["schemas"]["ModelProblem"] | null;
            spaces: string[];
            threads: components["schemas"]["ThreadHitView"][];
            timing: components["schemas"]["SearchTiming"];
            trace: components["schemas"]["Trace"];
        };
        ThreadView: {
            name: string;
            /** Format: int64 */
            thread_id: number;
            title: string | null;
        };
        /**
         * ThreadsArguments
         * @description List all threads of the space.
         */
        ThreadsArguments: Record<string, never>;
        /** Array_of_ThreadView */
        ThreadsReply: components["schemas"]["ThreadView"][];
        /**
         * @description How far back a question looks.
         * @enum {string}
         */
        TimeScope: "today" | "yesterday" | "last_week" | "last_month" | "all";
        Totals: {
            /** Format: uint64 */
            added: number;
            /**
             * Format: uint64
             * @description Of the unchanged ones, those that have other attributes now.
             */
            attributes_changed: number;
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            chunks: number;
            /**
             * Format: uint64
             * @description Of the chunks.
             */
            classified: number;
            /** Format: uint64 */
            failed: number;
            /** Format: uint64 */
            files: number;
            /** Format: uint64 */
            moved: number;
            /** Format: uint64 */
            not_tried: number;
            /**
             * Format: uint64
             * @description Already done under this operation id; not counted above, and nothing was stored again.
             */
            repeated: number;
            /** Format: uint64 */
            retired: number;
            /**
             * Format: uint64
             * @description Skipped in folders: other types, links, empty and generated files, what globs leave out.
             */
            skipped: number;
            /** Format: uint64 */
            tokens: number;
            /** Format: uint64 */
            unchanged: number;
            /** Format: uint64 */
            unclassified: number;
            /** Format: uint64 */
            updated: number;
            /** Format: uint64 */
            vanished: number;
        };
        Trace: {
            stages: components["schemas"]["Stage"][];
        };
        /** @description A descent: its strategy and numbers. */
        Traversal: {
            /**
             * Format: uint32
             * @description Maximum number of paths; the lowest-ranked are dropped.
             */
            max_paths: number;
            /**
             * Format: uint32
             * @description Maximum categories followed under a parent, whatever the strategy.
             */
            max_per_level: number;
            /** Format: uint32 */
            n: number;
            /** Format: uint32 */
            n2: number;
            strategy: components["schemas"]["TraversalStrategy"];
        };
        TraversalStrategy: "one_shot" | "wide_branch" | "zoom_in" | "branch_out";
        /**
         * TreeArguments
         * @description Show the category tree with its counts.
         */
        TreeArguments: Record<string, never>;
        /** @description What the prompt of an answer by the tree was made of. */
        TreeInputs: {
            /** @description In the order of the prompt. */
            chunks: components["schemas"]["ReceiptChunk"][];
            /** @description In the order of the prompt. */
            helpers: components["schemas"]["ReceiptHelper"][];
            prompt_sha256: string;
        };
        /** TreeView */
        TreeReply: {
            /** Format: uint64 */
            categories: number;
            /**
             * Format: uint64
             * @description Chunks that have a leaf, and chunks that are pending.
             */
            chunks: number;
            /**
             * Format: uint32
             * @description Absent if nothing is classified yet.
             */
            depth?: number | null;
            /** @description Number of names on each level, and the limit. */
            levels: components["schemas"]["LevelView"][];
            roots: components["schemas"]["CategoryView"][];
            space: string;
            /** Format: uint64 */
            unclassified: number;
        };
        /**
         * UndoApprovalArguments
         * @description Remove an approved term again, and restore the labels of before.
         */
        UndoApprovalArguments: {
            /**
             * @description topic or category.
             * @enum {string|null}
             */
            kind?: "topic" | "category" | null;
            /** @description The approved term. */
            term: string;
        };
        /**
         * VocabularyEdited
         * @description What an edit has done.
         */
        UndoApprovalReply: {
            kind: components["schemas"]["TermKind"] | null;
            /**
             * Format: uint64
             * @description Messages whose labels were changed.
             */
            relabelled: number;
            term: string | null;
            version: string;
        };
        /**
         * UntagDocumentArguments
         * @description Remove tags from a document. Its text gets no new version.
         */
        UntagDocumentArguments: {
            /** @description Its path, file name or id. */
            name: string;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description Tags to remove. */
            tags: string[];
        };
        /**
         * DocumentEdit
         * @description A document after a change.
         */
        UntagDocumentReply: {
            /** @description False if everything was like that before; then nothing was written. */
            changed: boolean;
            /** @description The collection that it belongs to, and its name there. */
            collection?: string | null;
            /** Format: int64 */
            document_id: number;
            filename: string;
            kind: string;
            /** @description False if the file vanished and the document was retired. */
            live: boolean;
            name?: string | null;
            operation: string;
            path: string;
            /** @description Whether this operation was done before. */
            repeated: boolean;
            /** @description The newest version. */
            version: components["schemas"]["VersionView"];
            /** Format: uint */
            versions: number;
        };
        /** @description Why a fact or a summary is to be looked at again. */
        Unverified: "source_changed" | "source_retired" | "review_due";
        /**
         * UpdateArguments
         * @description Change the text or the metadata of a message, fact or summary. What it was stays in its history.
         */
        UpdateArguments: {
            /** @description Your own id for it, instead of its number. */
            id?: string | null;
            /**
             * Format: int64
             * @description Its number, as search results show it.
             */
            item?: number | null;
            /** @description A JSON object that takes the place of its metadata. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Operation id. Repeating a call with the same id has no further effect. */
            operation?: string | null;
            /** @description The new text. */
            text?: string | null;
        };
        /** Updated */
        UpdateReply: {
            /**
             * Format: int64
             * @description Its number from now on.
             */
            item_id: number;
            operation: string;
            /** @description Whether this operation was done before; then this is its original result. */
            repeated: boolean;
            /**
             * Format: int64
             * @description The number of the row that it replaced; the same if nothing changed.
             */
            replaced: number;
            /** Format: int64 */
            revision: number;
            space: string;
        };
        Usage: {
            /** Format: uint64 */
            tokens_completion: number;
            /** Format: uint64 */
            tokens_prompt: number;
        };
        /** @description A chunk that was included in the final prompt. */
        UsedChunk: {
            category_path: string[];
            /** Format: int64 */
            chunk_id: number;
            document: string;
            /** @description Whether it was replaced by a summary. */
            summarized: boolean;
        };
        /** @description The caller's attributes of a document. Tags keep their order and always start with `file_ingest`. */
        VersionView: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            chars: number;
            /** Format: int64 */
            chunks: number;
            /**
             * Format: int64
             * @description Chunks that were forgotten individually; the text has gaps there.
             */
            forgotten_chunks: number;
            /** Format: date-time */
            ingested_at: string;
            live: boolean;
            metadata: components["schemas"]["Metadata"];
            /** Format: date-time */
            mtime: string | null;
            name?: string | null;
            note: string | null;
            /** Format: int64 */
            number: number;
            /** @description Where it was read from, and what it was called in its collection then. */
            path?: string | null;
            provider: string | null;
            sha256: string;
            tags: string[];
            tokenizer: string;
            /** Format: int64 */
            tokens: number;
            topic: string | null;
            type: components["schemas"]["FileType"];
            /** Format: int64 */
            version_id: number;
        };
        /**
         * VocabularyArguments
         * @description Show the vocabulary that messages are labelled with.
         */
        VocabularyArguments: {
            /** @description The version; by default, the current one. */
            version?: string | null;
        };
        /** @description A change of the vocabulary. */
        VocabularyChangeView: {
            /** @description import, approve, reject, undo, or foreign for versions that came with spaces of other databases. */
            action: string;
            kind: components["schemas"]["TermKind"] | null;
            /** Format: date-time */
            made_at: string;
            /** @description Whether messages are still being relabelled because of it. */
            pending: boolean;
            term: string | null;
            /** @description The version that it made; a rejection makes none. */
            version: string;
        };
        /**
         * VocabularyHistoryArguments
         * @description List all changes of the vocabulary.
         */
        VocabularyHistoryArguments: Record<string, never>;
        /** Array_of_VocabularyChangeView */
        VocabularyHistoryReply: components["schemas"]["VocabularyChangeView"][];
        /**
         * VocabularyView
         * @description A version of the vocabulary.
         */
        VocabularyReply: {
            /** @description The topic of messages that no other fits. */
            catch_all: string | null;
            categories: components["schemas"]["Term"][];
            /** @description Whether messages are labelled with it now. */
            current: boolean;
            entity_types: components["schemas"]["Term"][];
            message_types: components["schemas"]["Term"][];
            /** @description The same as a file, in TOML. */
            text: string;
            topics: components["schemas"]["Term"][];
            version: string;
        };
        /** @description An answer reproduced from its receipt. */
        WhyAnswer: {
            answer: string;
            citations: number[];
            method: components["schemas"]["Method"];
            model?: string | null;
        };
        /**
         * WhyArguments
         * @description Explain a recalled context, an answer or a composed prompt: rebuild it from its receipt, and compare it with the original.
         */
        WhyArguments: {
            /** @description The receipt's id, or a prefix of it. */
            receipt: string;
        };
        /**
         * WhyNotOwn
         * @description Show why an item is not in a recalled context, and which settings would include it.
         */
        WhyNotArguments: {
            /**
             * @description More spaces to search, such as shared:handbook.
             * @default []
             */
            also?: components["schemas"]["SpaceName"][];
            /**
             * Format: date-time
             * @description Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
             */
            as_of?: string | null;
            /**
             * Format: date-time
             * @description When the question is asked, to interpret "last week" and the like; by default as_of, or now.
             */
            asked_at?: string | null;
            /**
             * @description What max_tokens bounds: text (with headings and sources) or memories.
             * @default text
             * @enum {string|null}
             */
            budget_covers?: "text" | "memories" | null;
            /** @description Only messages of this category of the vocabulary. */
            category?: string | null;
            /**
             * Format: uint32
             * @description Sentences kept of each memory, at least.
             * @default 2
             */
            clip_sentences?: number | null;
            /**
             * @description More regular expressions to redact. Turns redaction on.
             * @default []
             */
            custom_redaction_patterns?: string[];
            /**
             * @description Redact social security numbers, card numbers and e-mail addresses.
             * @default false
             */
            enable_redaction?: boolean | null;
            /**
             * @description Only messages that name one of these: an order, a person, an amount.
             * @default []
             */
            entities?: string[];
            /**
             * @description How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
             *     (clip_sentences from the beginning, and nothing more).
             * @default fill
             * @enum {string|null}
             */
            excerpts?: "fill" | "first_sentences" | null;
            /**
             * @description Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
             *     collection, kind, thread, role, speaker, meta.KEY, since, before, until.
             * @default []
             */
            filter?: string[];
            /**
             * @description Order of the memories: alternate, score_first or recency_first.
             * @default alternate
             * @enum {string|null}
             */
            interleaving?: "alternate" | "score_first" | "recency_first" | null;
            /**
             * Format: double
             * @description With score_first or recency_first: share of the places that the preferred order gets.
             */
            interleaving_ratio?: number | null;
            /**
             * Format: int64
             * @description The id of the missing item.
             */
            item: number;
            /**
             * Format: uint32
             * @description Maximum tokens of the context.
             * @default 1500
             */
            max_tokens?: number | null;
            /** @description Only messages of this type of the vocabulary. */
            message_type?: string | null;
            /**
             * Format: double
             * @description With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured for the model.
             */
            min_confidence?: number | null;
            /**
             * Format: double
             * @description Minimum score, after reranking if it is on; memories below it are dropped.
             * @default 0.3
             */
            min_score?: number | null;
            /** @description The query. */
            query: string;
            /**
             * @description Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
             *     reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
             */
            rerank?: string | null;
            /**
             * @description keyword, semantic or hybrid.
             * @default hybrid
             * @enum {string|null}
             */
            search_type?: "keyword" | "semantic" | "hybrid" | null;
            /**
             * Format: uint32
             * @description Maximum number of memories.
             * @default 8
             */
            top_k?: number | null;
            /**
             * @description Only messages labelled with one of these topics of the vocabulary.
             * @default []
             */
            topics?: string[];
        };
        /** WhyNot */
        WhyNotReply: {
            /** @description What to do if no setting includes it. */
            advice: string;
            /** @description Settings that include it, all together, within the administrator's ranges. They were tried. Empty if there are none. */
            changes: components["schemas"]["SettingChange"][];
            /** Format: int64 */
            item_id: number;
            parts: components["schemas"]["Evidence"] | null;
            /**
             * Format: uint
             * @description Its place in the context; absent if it was dropped.
             */
            place: number | null;
            query: string;
            /**
             * Format: uint
             * @description Its rank by score among all items of the spaces, and the score with its parts; absent if it is not live.
             */
            rank: number | null;
            /** @description The stage's reason. */
            reason: string;
            /** @description What reranking did with it. */
            rerank?: components["schemas"]["RerankView"] | null;
            /**
             * Format: uint
             * @description Its rank after reranking, among the candidates; absent if it was off, or if the item was not a candidate.
             */
            reranked?: number | null;
            /** Format: double */
            score: number | null;
            space: string;
            /** @description The stage that dropped it; absent if it was not dropped. */
            stage: components["schemas"]["FallenAt"] | null;
            trace: components["schemas"]["Trace"];
        };
        /**
         * Why
         * @description A context rebuilt from its receipt.
         */
        WhyReply: {
            /** @description The answer, reproduced from the recorded replies, if a question was asked. */
            answer?: components["schemas"]["WhyAnswer"] | null;
            /** @description The receipt's content. */
            body: components["schemas"]["Receipt"];
            /** @description The differences, if it is not identical. */
            differences: string[];
            /** @description Whether the context is identical to the original, byte for byte. */
            identical: boolean;
            memories: components["schemas"]["MemoryEntry"][];
            receipt: string;
            space: string;
            /** @description The text for the system prompt; of an answer by the tree or a composition, its prompt. */
            text: string;
        };
        WordView: {
            /**
             * Format: uint32
             * @description How often it occurs in the item.
             */
            count: number;
            /**
             * Format: double
             * @description Its contribution through the item itself.
             */
            own: number;
            /**
             * Format: double
             * @description Its contribution through neighbours and the thread.
             */
            place: number;
            word: string;
        };
        /**
         * WorkArguments
         * @description Do the jobs of the queue, such as labelling messages, until it is empty.
         */
        WorkArguments: {
            /**
             * @description When the queue is empty, wait for more until stopped.
             * @default false
             */
            keep_running?: boolean;
        };
        /**
         * WorkReport
         * @description What a worker has done.
         */
        WorkReply: {
            /**
             * Format: uint64
             * @description Items whose labels follow a change of the vocabulary now.
             */
            backfilled: number;
            /**
             * Format: uint64
             * @description Jobs that were set aside after too many attempts.
             */
            dead: number;
            /**
             * Format: uint64
             * @description Threads, items and tags that had come to their end, and were forgotten.
             */
            expired: number;
            /**
             * Format: uint64
             * @description Messages whose facts were extracted.
             */
            extracted: number;
            /**
             * Format: uint64
             * @description Attempts that failed; they are repeated later.
             */
            failed: number;
            /**
             * Format: uint64
             * @description Messages that were labelled.
             */
            labelled: number;
            /**
             * Format: uint64
             * @description Jobs that were finished by another worker, or whose message was forgotten meanwhile.
             */
            lost: number;
            /** @description Why the model could not be used; the jobs wait for it. */
            model_problem?: components["schemas"]["ModelProblem"] | null;
            /**
             * Format: uint64
             * @description Spaces that were embedded for the embedder that the store is being moved to.
             */
            reembedded: number;
            /**
             * Format: uint64
             * @description Summaries that were made of old messages.
             */
            summarised: number;
            /**
             * Format: uint64
             * @description What was spent, in tokens.
             */
            tokens: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    prometheus_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    show_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key's name and rights. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key: string;
                };
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Try a model from a folder of this machine, and register it for use by name. Reads. It uses files of the server's machine: for administrators' keys. */
    add_model: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddModelArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddModelReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Add a suggested term to the vocabulary, and to the messages that suggested it. Writes. For administrators' keys. */
    approve_term: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveTermArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApproveTermReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Answer a question from stored items, with citations. Without a language model, the answer is quoted from stored text. Reads. For keys with access to the space and to those named in `also`. */
    ask: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Back up the whole store to a file, unredacted. The store stays usable meanwhile. Reads. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys. */
    backup: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BackupArgumentsWithFiles"] | components["schemas"]["BackupArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupReply"];
                    "application/x-ndjson": string;
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the buckets of the space that have records. Reads. For keys with access to the space. */
    buckets: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BucketsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BucketsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Remove all jobs of the space from the queue. Writes. For keys with access to the space. */
    cancel_jobs: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelJobsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelJobsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Check the shipped judge and the registered model folders: files, checksum, and a run on a sample. Reads. It uses files of the server's machine: for administrators' keys. */
    check_models: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckModelsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckModelsReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Classify chunks that have no category yet. Writes. For keys with access to the space. */
    classify: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClassifyArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassifyReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Compose a prompt from rules, project memory, files, documents and history, in a fixed order of authority, within a token budget, and say why each part is there. Reads. For keys with access to the space. */
    compose: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComposeArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComposeReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Compose the prompt of a receipt again from what is stored now, and show what changed since then, and why. Reads. For keys with access to the space. */
    compose_diff: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComposeDiffArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComposeDiffReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Confirm a fact or a summary: it is verified until something that it comes from changes again, or the date comes. Writes. For keys with access to the space. */
    confirm_fact: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmFactArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmFactReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Correct a fact. A person's word beats extracted ones, and stays. Writes. For keys with access to the space. */
    correct_fact: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectFactArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrectFactReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Add levels to the tree. Each leaf moves under a new category of the same name. Writes. For keys with access to the space. */
    deepen_tree: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeepenTreeArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeepenTreeReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Delete records of a bucket, by their keys or all of them. Deletes for good. For keys with access to the space. */
    delete_records: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteRecordsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteRecordsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the document version that best matches a description. Reads. For keys with access to the space. */
    document: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DocumentArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the differences between two versions of a document. Reads. For keys with access to the space. */
    document_diff: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentDiffArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDiffReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the exact text of a document. Reads. For keys with access to the space. */
    document_text: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentTextArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentTextReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the versions of a document. Reads. For keys with access to the space. */
    document_versions: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentVersionsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersionsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the documents of the space, or those that pass a filter. Reads. For keys with access to the space. */
    documents: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DocumentsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Queue messages that the configured model, or the built-in method, has not labelled yet. Writes. For keys with access to the space and to those named in `also`. */
    enrich: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EnrichArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrichReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Judge whether a statement follows from a passage, is open, or is contradicted. Reads. For keys with access to the space. */
    entail: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntailArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntailReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Permanently delete what has come to its end. Deletes for good. For keys with access to the space and to those named in `also`. */
    expire: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExpireArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpireReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List what has an end, the earliest first. Reads. For keys with access to the space. */
    expiries: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExpiriesArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpiriesReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Export a space or the whole store as JSON lines. Reads. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys. */
    export: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportArgumentsWithFiles"] | components["schemas"]["ExportArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportReply"];
                    "application/x-ndjson": string;
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Extract facts from messages that are already stored: at once, and by the language model, if there is one, from the queue. Writes. For keys with access to the space. */
    extract_facts: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExtractFactsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtractFactsReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show all that was stated about the same subject and attribute as a fact, and what people did about it. Reads. For keys with access to the space. */
    fact_history: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactHistoryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactHistoryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List facts: what holds, since when, and who said so. Reads. For keys with access to the space. */
    facts: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FactsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Permanently delete items, a document, a thread, receipts or a whole space. Deletes for good. For keys with access to the space. */
    forget: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ForgetArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgetReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show or change the helper of a source, which describes the source in prompts. Writes. For keys with access to the space. */
    helper: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HelperArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HelperReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show all that an item was, the newest first: what `update` and its own id replaced. Reads. For keys with access to the space. */
    history: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HistoryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Import an export of Recordar or another system. Writes. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys. */
    import: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportArguments"];
                "multipart/form-data": {
                    arguments?: components["schemas"]["ImportArgumentsWithFiles"];
                    /** @description The files, with their names. */
                    file: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Replace the vocabulary with a new version. Existing labels stay; enrich with outdated relabels. Writes. For administrators' keys. */
    import_vocabulary: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportVocabularyArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportVocabularyReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Mark an item as important, or no longer. Composing prefers important items, however old they are. Writes. For keys with access to the space. */
    important: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportantArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportantReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Store files and folders as documents. Changed files become new versions. Writes. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys. */
    ingest: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestArguments"];
                "multipart/form-data": {
                    arguments?: components["schemas"]["IngestArgumentsWithFiles"];
                    /** @description The files, with their names. */
                    file: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Store a text as a document. Writes. For keys with access to the space. */
    ingest_text: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestTextArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestTextReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show one item: a message, fact, summary or chunk, with its metadata. Reads. For keys with access to the space. */
    item: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ItemArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the items of the space, such as its facts, page by page; or get several by their ids. Reads. For keys with access to the space. */
    items: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ItemsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the API keys of the server, with what each may use and has spent today. Reads. For administrators' keys. */
    keys: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeysArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Make an API key for the server. The key itself is shown only once. Writes. For administrators' keys. */
    make_key: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MakeKeyArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MakeKeyReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Merge a category and everything below it into another on the same level. Writes. For keys with access to the space. */
    merge_categories: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeCategoriesArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergeCategoriesReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the messages of a thread. Reads. For keys with access to the space. */
    messages: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MessagesArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the metrics of recalls since this process started. Reads. For administrators' keys. */
    metrics: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MetricsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the configured models and model folders, their capabilities and prices, and today's spending. Reads. For administrators' keys. */
    models: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModelsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Move a category to another parent on the level above it. Writes. For keys with access to the space. */
    move_category: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveCategoryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveCategoryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Rename a document. Its history stays. The file itself is not touched. Writes. For keys with access to the space. */
    move_document: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveDocumentArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveDocumentReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the status and result of an operation. Reads. For keys with access to the space. */
    operation: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    get_operation: {
        parameters: {
            query?: {
                space?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    cancel_operation: {
        parameters: {
            query?: {
                space?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Being cancelled. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Store records: named values of an application, in buckets. They are never searched or recalled. Writes. For keys with access to the space. */
    put_records: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PutRecordsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutRecordsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Find the chunks for a question by descending the category tree. Reads. For keys with access to the space. */
    query: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the state of the queue: waiting and running jobs, and those set aside. Reads. For administrators' keys. */
    queue: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QueueArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Recall stored items about a question, as a context within a token budget. Reads. For keys with access to the space and to those named in `also`. */
    recall: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the receipts of the space, newest first. Reads. For keys with access to the space. */
    receipts: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReceiptsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List records of a bucket with their values, page by page; or get some by their keys. Reads. For keys with access to the space. */
    records: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Move the database to another embedder, while searches go on. Writes. For administrators' keys. */
    reembed: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReembedArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReembedReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Set a suggested term aside, so that it is suggested no more. Writes. For administrators' keys. */
    reject_term: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectTermArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectTermReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Store a message, or a batch of them. Writes. For keys with access to the space. */
    remember: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RememberArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RememberReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Remove a model folder from the register. No file is deleted. Reads. It uses files of the server's machine: for administrators' keys. */
    remove_model: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoveModelArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveModelReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Rename a category. Writes. For keys with access to the space. */
    rename_category: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameCategoryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenameCategoryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Restore the whole store from a backup. The store stays usable meanwhile. Deletes for good. With files that are sent or taken: for keys with access to the space; for administrators if it concerns the whole store. With paths of the server's machine: for administrators' keys. */
    restore: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreArguments"];
                "multipart/form-data": {
                    arguments?: components["schemas"]["RestoreArgumentsWithFiles"];
                    /** @description The files, with their names. */
                    file: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Restore a fact that was retired. Writes. For keys with access to the space. */
    restore_fact: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreFactArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreFactReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Retire a fact: it no longer counts, and what it had ended holds again. It stays in the history. Writes. For keys with access to the space. */
    retire_fact: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetireFactArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetireFactReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Try the jobs of the space again that were set aside. Writes. For keys with access to the space. */
    retry_jobs: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryJobsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryJobsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Revoke an API key: from now on, it is refused. Writes. For administrators' keys. */
    revoke_key: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeKeyArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeKeyReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Find the best items for a question, with the parts of each score. Reads. For keys with access to the space and to those named in `also`. */
    search: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Set the topic, note, provider or metadata of a document. Its text gets no new version. Writes. For keys with access to the space. */
    set_document: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetDocumentArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetDocumentReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Set, change or remove the time when a thread, an item or the documents with a tag are to be forgotten. Writes. For keys with access to the space. */
    set_expiry: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SetExpiryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetExpiryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Set the rules, the project memory or the synonyms of a space. What was there stays in the history. Writes. For keys with access to the space. */
    set_standing_text: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetStandingTextArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetStandingTextReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the spaces that you may read. Reads. For any key. It shows what the key may read. */
    spaces: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SpacesArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpacesReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show a standing text of a space: its rules, its project memory, or its synonyms. Reads. For keys with access to the space. */
    standing_text: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingTextArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingTextReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the differences between two versions of the rules, the project memory or the synonyms. Reads. For keys with access to the space. */
    standing_text_diff: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingTextDiffArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingTextDiffReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List all versions of the rules, the project memory or the synonyms of a space. Reads. For keys with access to the space. */
    standing_text_history: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingTextHistoryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingTextHistoryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List terms that the vocabulary lacks, with examples from all spaces. Reads. For administrators' keys. */
    suggestions: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuggestionsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List the summaries of old messages, each with the messages that it sums up. Reads. For keys with access to the space. */
    summaries: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SummariesArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummariesReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Queue the threads that are already stored to be summed up; the jobs of the queue make the summaries. Writes. For keys with access to the space. */
    summarise_threads: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SummariseThreadsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummariseThreadsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Add tags to a document. Its text gets no new version. Writes. For keys with access to the space. */
    tag_document: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagDocumentArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagDocumentReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Test the configured language model: run every task once on a three-sentence text. Reads. For administrators' keys. */
    test_models: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestModelsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestModelsReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List all threads of the space. Reads. For keys with access to the space. */
    threads: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ThreadsArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadsReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the category tree with its counts. Reads. For keys with access to the space. */
    tree: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TreeArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreeReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Remove an approved term again, and restore the labels of before. Writes. For administrators' keys. */
    undo_approval: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoApprovalArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoApprovalReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Remove tags from a document. Its text gets no new version. Writes. For keys with access to the space. */
    untag_document: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UntagDocumentArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UntagDocumentReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Change the text or the metadata of a message, fact or summary. What it was stays in its history. Writes. For keys with access to the space. */
    update: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show the vocabulary that messages are labelled with. Reads. For administrators' keys. */
    vocabulary: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VocabularyArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VocabularyReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** List all changes of the vocabulary. Reads. For administrators' keys. */
    vocabulary_history: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VocabularyHistoryArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VocabularyHistoryReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Explain a recalled context, an answer or a composed prompt: rebuild it from its receipt, and compare it with the original. Reads. For keys with access to the space and to those named in `also`. */
    why: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhyArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Show why an item is not in a recalled context, and which settings would include it. Reads. For keys with access to the space and to those named in `also`. */
    why_not: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhyNotArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhyNotReply"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    /** Do the jobs of the queue, such as labelling messages, until it is empty. Writes. For administrators' keys. */
    work: {
        parameters: {
            query?: {
                /** @description The space to use, such as user:ada. By default, the only one of the key, or the configured one. */
                space?: string;
            };
            header?: {
                /** @description The operation id. Repeating a call with the same id has no further effect. */
                "Idempotency-Key"?: string;
                /** @description respond-async: do not wait for the result. The reply has its address. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkArguments"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkReply"];
                    "text/event-stream": string;
                };
            };
            /** @description Running. Location says where to ask for the result. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningOperation"];
                };
            };
            /** @description Failed. The problem says why, and what to do about it. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
}
