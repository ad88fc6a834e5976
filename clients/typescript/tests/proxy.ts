// A proxy that stands before a server and misbehaves.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How a proxy answers a request. */
export type Behaviour = (request: IncomingMessage, reply: ServerResponse, pass: () => Promise<Response>) => Promise<void> | void;

/** The server does its work, but the reply is lost. */
export const dropReply: Behaviour = async (request, _, pass) => {
  await (await pass()).arrayBuffer();
  request.socket.destroy();
};

/** Half of the reply comes. */
export const cutReply: Behaviour = async (request, reply, pass) => {
  const response = await pass();
  const body = Buffer.from(await response.arrayBuffer());
  reply.writeHead(response.status, { "Content-Type": response.headers.get("content-type") ?? "", "Content-Length": body.length });
  reply.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
};

/** The server is busy. */
export const busy =
  (status: number, retryAfter: string): Behaviour =>
  (_, reply) => {
    const problem = { type: "about:blank", title: "Busy", status, detail: "it is busy", code: "busy", remedy: "wait", request_id: "r-1" };
    reply.writeHead(status, { "Content-Type": "application/problem+json", "Retry-After": retryAfter }).end(JSON.stringify(problem));
  };

/** No reply comes. */
export const hold: Behaviour = () => {};

export interface Proxy {
  readonly address: string;
  /** The operation ids of the requests, in order. */
  readonly seen: (string | undefined)[];
  stop(): Promise<void>;
}

/** Answers the first requests as told, and passes all others on. `onRequest` is called for each of them. */
export async function proxyOf(target: string, behaviours: Behaviour[], onRequest: () => void = () => {}): Promise<Proxy> {
  const seen: (string | undefined)[] = [];
  const left = [...behaviours];
  const server = createServer(async (request, reply) => {
    seen.push(request.headers["idempotency-key"]?.toString());
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = { "Content-Type": request.headers["content-type"] ?? "", "Idempotency-Key": seen.at(-1) ?? "" };
    const pass = () => fetch(target + request.url, { method: "POST", headers, body: Buffer.concat(parts) });
    onRequest();
    await (left.shift() ?? passOn)(request, reply, pass);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, stop };
}

const passOn: Behaviour = async (_, reply, pass) => {
  const response = await pass();
  reply.writeHead(response.status, { "Content-Type": response.headers.get("content-type") ?? "" });
  reply.end(Buffer.from(await response.arrayBuffer()));
};
