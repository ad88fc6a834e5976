// The one error that the client throws.

import type { operations } from "./schema.js";

type Problem = operations["get_operation"]["responses"]["default"]["content"]["application/problem+json"];

/** Why a call failed: what the server says, or what happened on the way to it. */
export class RecordarError extends Error {
  override readonly name = "RecordarError";
  /** The HTTP status; 0 if there was no reply. */
  readonly status: number;
  /** A stable name for programs, such as `not_found`. */
  readonly code: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The id of the request in the server's logs. */
  readonly requestId: string | undefined;
  /** What only some problems have, such as the mistakes of a configuration. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(problem: Omit<Problem, "type" | "title" | "request_id"> & Partial<Problem>, options?: ErrorOptions) {
    const { type, title, status, detail, code, remedy, request_id, ...details } = problem;
    super(detail, options);
    this.status = status;
    this.code = code;
    this.remedy = remedy;
    this.requestId = request_id;
    this.details = details;
  }
}

/** An error reply. One that is not a problem comes from something between here and the server. */
export function errorOfReply(response: Response, body: string): RecordarError {
  const { status } = response;
  const problem = problemIn(body);
  if (problem !== undefined) return new RecordarError(problem);
  const detail = `the reply has the status ${status} and does not come from a Recordar server`;
  return new RecordarError({ status, code: "unexpected_reply", detail, remedy: "check the address, and any proxy in front of the server" });
}

/** An error without a reply. */
export function errorHere(code: string, detail: string, remedy: string, options?: ErrorOptions): RecordarError {
  return new RecordarError({ status: 0, code, detail, remedy }, options);
}

function problemIn(body: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isProblem = typeof value === "object" && value !== null && "code" in value && "detail" in value;
    return isProblem ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}
