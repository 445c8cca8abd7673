// Resolves names, and sends requests to the address that was checked. One file for Node, Bun and Deno: their
// `node:http` and `node:https` connect to an address while the certificate and the Host header keep the name. Their
// `fetch` does not offer this uniformly.
import { lookup as resolveName } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type Readable, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { FetchAt } from "../../../kit.ts";

/** Resolves a name by the machine's own resolver, hosts file included. */
export async function lookup(host: string): Promise<readonly string[]> {
  const found = await resolveName(host, { all: true });
  return found.map(({ address }) => address);
}

/**
 * Sends one request to one of `addresses`, IPv4 first. Redirects are returned like any other answer. The next address
 * is tried only if no connection was made, so nothing is sent twice.
 */
export const fetchAt: FetchAt = async (url, init, addresses) => {
  const ordered = [...addresses].sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
  let failure: unknown = new TypeError(`No address was found for ${url.hostname}`);
  for (const address of ordered) {
    init.signal?.throwIfAborted();
    try {
      return await requestAt(address, url, init);
    } catch (error) {
      failure = error;
      if (!NOT_CONNECTED.has((error as { readonly code?: string } | null)?.code ?? "")) break;
    }
  }
  throw failure;
};

const NOT_CONNECTED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"]);
const NO_BODY = new Set([204, 205, 304]);
/** Decoders of the requested encodings, and of those that servers send unasked. */
const DECODERS = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

function requestAt(
  address: string,
  url: URL,
  { method, headers, body, signal }: Parameters<FetchAt>[1],
): Promise<Response> {
  const secure = url.protocol === "https:";
  const isName = !url.hostname.startsWith("[") && !/^[0-9.]+$/u.test(url.hostname);
  const options = {
    host: address,
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method,
    headers: { "accept-encoding": "gzip, br", ...Object.fromEntries(new Headers(headers)), host: url.host },
    // A fresh connection: a pooled one could belong to another name on the same address.
    agent: false,
    ...(secure && isName && { servername: url.hostname.replace(/\.$/u, "") }),
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)(options, (message) => {
      try {
        resolve(responseOf(message, request, method));
      } catch (error) {
        request.destroy();
        reject(error);
      }
    });
    request.on("error", reject);
    request.end(body ?? undefined);
  });
}

function responseOf(message: IncomingMessage, request: ClientRequest, method: string): Response {
  // A connection that breaks before the body is read fails at the read.
  message.on("error", () => {});
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2)
    headers.append(message.rawHeaders[index] as string, message.rawHeaders[index + 1] as string);
  // Node sets both for a response.
  const status = message.statusCode as number;
  const statusText = message.statusMessage as string;
  if (method === "HEAD" || NO_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, statusText, headers });
  }
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  const plain = decoded(message, encoding);
  if (plain !== message) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  return new Response(webStream(plain, request), { status, statusText, headers });
}

function decoded(message: IncomingMessage, encoding: string): Readable {
  const decoder = DECODERS.get(encoding);
  if (decoder !== undefined) return pipeline(message, decoder(), () => {});
  if (encoding === "identity" || encoding === "") return message;
  throw new TypeError(`The server answered with the content encoding ${encoding}, which was not requested`);
}

/** Reads on demand: a body that unpacks to gigabytes is never unpacked ahead. */
function webStream(stream: Readable, request: ClientRequest): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array>;
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      },
      cancel() {
        stream.destroy();
        request.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
