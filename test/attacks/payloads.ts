/** Payloads of attacks: bodies, parts of them, and slow senders. */
import { BOUNDARY, multipart, openMultipart, type Part } from "../support/multipart.js";
import type { Target, Wire } from "./target.js";

export const KB = 1000;
export const MB = 1_000_000;

export const JSON_TYPE = { "content-type": "application/json" };
export const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
export const MULTIPART_TYPE = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
/** What tells GraphQL that no page of another site has sent it. */
export const PREFLIGHT = { "apollo-require-preflight": "true" };

/** The pattern, so often. */
export const many = (count: number, of: (index: number) => string, separator = ""): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(separator);

/** Text of so many different words. */
export const words = (count: number): string => many(count, (index) => index.toString(36), " ");

/** So many bytes, in pieces. */
export async function* bytesOf(total: number, piece = 64 * 1024): AsyncGenerator<Buffer> {
  const bytes = Buffer.alloc(piece, "a");
  for (let left = total; left > 0; left -= piece) yield left < piece ? bytes.subarray(0, left) : bytes;
}

/** One after the other. */
export async function* joined(...parts: (Buffer | AsyncIterable<Buffer | string>)[]): AsyncGenerator<Buffer | string> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part;
    else yield* part;
  }
}

/** A multipart body of one file that is made while it is sent. */
export function fileBody(fields: Part[], name: string, content: AsyncIterable<Buffer | string>) {
  const head = Buffer.concat([openMultipart(fields), openMultipart([{ name, content: "", filename: "a.gif" }])]);
  return joined(head.subarray(0, -2), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
}

/** The multipart body of an upload. */
export const uploadBody = (file: Buffer): Buffer =>
  multipart([
    { name: "upload[rating]", content: "s" },
    { name: "upload[tag_string]", content: "harbour" },
    { name: "upload[file]", content: file, filename: "a.png" },
  ]);

/** Uploads a file as the member. */
export const upload = (target: Target, file: Buffer) =>
  target.ask({
    method: "POST",
    path: "/uploads.json",
    headers: MULTIPART_TYPE,
    body: uploadBody(file),
    signedIn: true,
  });

/** The head of a request, to be sent on a bare connection. */
export const head = (line: string, headers: Record<string, string | number> = {}): string =>
  [
    `${line} HTTP/1.1`,
    "Host: board",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

/** Opens so many connections, each of which does the same. @param from from how many addresses */
export const crowd = (target: Target, count: number, work: (wire: Wire, index: number) => unknown, from = 1) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const wire = await target.connect({ from: index % from });
      await work(wire, index);
    }),
  );

/** Sends a little again and again, until the other side or the clock ends it. */
export async function trickle(target: Target, wire: Wire, text: string, every: number): Promise<void> {
  while (!target.isOver && (await wire.say(text))) await target.wait(every);
}
