// The types of the client, made from the OpenAPI document. A verb that is in the document is in all of them.

import type { operations, paths } from "./schema.js";

type Operation = operations["get_operation"]["responses"][200]["content"]["application/json"];
/** The name of the verb at a path, if there is one: an operation has the name of its verb. */
type VerbAt<P extends keyof paths> = P extends `/v1/${infer V extends keyof operations}` ? V : never;
type Sent<V extends Verb> = NonNullable<operations[V]["requestBody"]>["content"];
type Received<V extends Verb> = operations[V]["responses"][200]["content"];
type Json<Content> = Content extends { "application/json": infer Value } ? Value : never;
type SentAs<Media extends string> = { [V in Verb]: Sent<V> extends { [M in Media]: unknown } ? V : never }[Verb];
type ReceivedAs<Media extends string> = { [V in Verb]: Received<V> extends { [M in Media]: unknown } ? V : never }[Verb];

/** The name of a verb, such as `recall`. */
export type Verb = { [P in keyof paths]: VerbAt<P> }[keyof paths];
/** Verbs that may take long: they can be streamed, and started without waiting for them. */
export type LongVerb = ReceivedAs<"text/event-stream">;
/** Verbs that read files, which can be sent. */
export type UploadVerb = SentAs<"multipart/form-data">;
/** Verbs that write a file, which can be taken. */
export type DownloadVerb = ReceivedAs<"application/x-ndjson">;

/** The arguments of a verb. Those of a download verb name a file of the server. */
export type Arguments<V extends Verb> = V extends DownloadVerb
  ? Extract<Json<Sent<V>>, { file: string }>
  : Json<Sent<V>>;
/** The arguments of a verb that come with files. */
export type UploadArguments<V extends UploadVerb> = Sent<V> extends { "multipart/form-data": { arguments?: infer Args } }
  ? NonNullable<Args>
  : never;
/** The arguments of a verb whose file is taken. */
export type DownloadArguments<V extends DownloadVerb> = Exclude<Json<Sent<V>>, { file: string }>;
/** The reply of a verb. */
export type Reply<V extends Verb> = Json<Received<V>>;

/** Nothing needs to be given if nothing is required. */
type Given<Args, Rest extends unknown[]> = {} extends Args ? [args?: Args, ...rest: Rest] : [args: Args, ...rest: Rest];
/** What is given to a method. */
export type VerbCall<V extends Verb> = Given<Arguments<V>, [options?: CallOptions]>;
/** The same for a verb that may take long. Files of the caller are among the options. */
export type LongCall<V extends LongVerb> =
  | VerbCall<V>
  | (V extends UploadVerb ? [args: UploadArguments<V>, options: CallOptions & { files: readonly UploadFile[] }] : never);
export type UploadCall<V extends UploadVerb> = Given<UploadArguments<V>, [options?: CallOptions]>;
export type DownloadCall<V extends DownloadVerb> = Given<DownloadArguments<V>, [options?: CallOptions]>;

/** Every verb as a method. It is made of `Pick` so that editors show what each of them does. */
export type Verbs = {
  [V in keyof Pick<operations, Verb>]: (...call: VerbCall<V>) => Promise<Reply<V>>;
};

/** How one call differs from the others of a client. */
export interface CallOptions {
  /** The space to use, such as `user:ada`. */
  space?: string | undefined;
  /** The operation id. Repeating a call with the same id has no further effect. By default, a new one for each call. */
  operation?: string | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
}

/** The same for a call that was started before. */
export type OperationOptions = Omit<CallOptions, "operation">;

/** A file to send. */
export interface UploadFile {
  /** Its name, with folders if it has some: `notes/guide.md`. */
  name: string;
  data: Blob | Uint8Array | string;
}

/** What a stream yields. The result is the last one. */
export type StreamEvent<V extends LongVerb> =
  | ({ type: "progress" } & Progress)
  | { type: "text"; text: string }
  | { type: "result"; result: Reply<V> };

/** How far a call is. */
export type Progress = NonNullable<Operation["progress"]>;

/** A call that was started, or its outcome. */
export type Running<V extends Verb = Verb> = Omit<Operation, "result"> & { result?: Reply<V> };
