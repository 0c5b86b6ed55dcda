/**
 * Multipart bodies. Files are received while the body is read, since the fields that say what they are for, and who sends
 * them, may come after.
 */
import type { Readable } from "node:stream";
import busboy from "busboy";
import type { Request } from "express";
import { Upload } from "graphql-upload-minimal";
import { failure } from "../../src/errors.js";
import { type Params, parseBrackets } from "./params.js";

/** Receives a file; what it gives is what the resolver finds in the `Upload`. */
export type ReceiveFile = (stream: Readable) => Promise<object>;

const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FIELDS = 1000;
const MAX_FILES = 1;
const LIMITS = { files: MAX_FILES, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fieldNameSize: 200 };

interface Parts {
  fields: [string, string][];
  files: { name: string; received: Promise<object> }[];
}

/** @throws BoardError 424 for a body that is malformed, cut off, too large, or has more than one file */
export async function readMultipart(request: Request, maxBytes: number, receive: ReceiveFile): Promise<Params> {
  const { fields, files } = await parse(request, maxBytes, receive);
  const encode = ([name, value]: [string, string]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  const params = parseBrackets(fields.map(encode).join("&"));
  for (const { name, received } of files) place(params, name, toUpload(await received));
  return params;
}

/**
 * Reads the body to its end even after it turned out bad: a client that is still sending hears the answer only then.
 * A body far over the limit is not waited for.
 */
function parse(request: Request, maxBytes: number, receive: ReceiveFile): Promise<Parts> {
  const parts: Parts = { fields: [], files: [] };
  return new Promise((resolve, reject) => {
    let parsing: busboy.Busboy | undefined;
    let refusal: Error | null = null;
    let size = 0;
    const settle = () => (refusal ? reject(refusal) : resolve(parts));
    const refuse = (error: unknown) => {
      if (!refusal) {
        refusal = error instanceof Error ? error : failure("malformed_body");
        request.unpipe();
        parsing?.destroy(refusal); // and with it the file that is just being received
      }
      if (request.readableEnded || request.destroyed || size > 4 * maxBytes) settle();
      else request.resume();
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) refuse(failure("body_too_large", { limit: maxBytes }));
    });
    request.once("end", () => refusal && settle());
    request.once("close", () => request.complete || refuse(failure("malformed_body")));
    try {
      parsing = parser(request, parts, { receive, refuse });
      request.pipe(parsing.once("close", () => refusal || settle()));
    } catch (error) {
      refuse(failure("malformed_body", {}, { cause: error }));
    }
  });
}

interface Hooks {
  receive: ReceiveFile;
  refuse: (error: unknown) => void;
}

function parser(request: Request, parts: Parts, { receive, refuse }: Hooks): busboy.Busboy {
  const parsing = busboy({ headers: request.headers, limits: LIMITS, defParamCharset: "utf8" });
  parsing.on("field", (name, value, info) => {
    if (info.valueTruncated || info.nameTruncated) refuse(failure("body_too_large", { limit: MAX_FIELD_BYTES }));
    parts.fields.push([name, value]);
  });
  parsing.on("file", (name, stream) => {
    stream.on("error", () => undefined); // it may break off before its receiver listens, which would end the process
    const received = receive(stream);
    received.catch(refuse);
    parts.files.push({ name, received });
  });
  parsing.on("filesLimit", () => refuse(failure("too_many_parameters")));
  parsing.on("fieldsLimit", () => refuse(failure("too_many_parameters")));
  parsing.on("error", (error) => refuse(failure("malformed_body", {}, { cause: error })));
  return parsing;
}

/** Puts a file where its bracket name says: `upload[file]` into `upload`, as `file`. */
function place(params: Params, name: string, file: Upload): void {
  const [, outer = "", inner] = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(name) ?? [];
  if (inner === undefined) {
    params[outer] = file;
    return;
  }
  const existing = Object.hasOwn(params, outer) ? params[outer] : undefined;
  const target = typeof existing === "object" && existing !== null ? (existing as Params) : {};
  params[outer] = Object.assign(target, { [inner]: file });
}

/** The value that the `Upload` scalar accepts, giving what was received. */
function toUpload(received: object): Upload {
  return Object.assign(new Upload(), { promise: Promise.resolve(received) });
}
