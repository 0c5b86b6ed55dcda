/**
 * Multipart bodies, for REST and GraphQL. Fields are kept; each file is streamed to its receiver as it arrives, or discarded.
 * An error ends the parsing at once: nothing more of the body is kept, and `respond.ts` discards the rest.
 */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import busboy from "busboy";
import type { Config } from "../config.js";
import { failure } from "../errors.js";
import type { ReceivedFile } from "../resources/uploads/media-ingest.js";

export type Field = readonly [name: string, value: string];

export type ReceiveFile = (stream: Readable) => Promise<ReceivedFile>;

/**
 * Called when a file begins, which waits for the result.
 * @param name of its part
 * @param fields those before it
 * @returns null to discard the file
 * @throws BoardError to refuse the file and the body
 */
export type AdmitFile = (name: string, fields: readonly Field[]) => Awaitable<ReceiveFile | null>;

type Awaitable<T> = T | Promise<T>;

export interface MultipartFile {
  name: string;
  /** null if it was not accepted, or if nothing was chosen: browsers send a part without a file name and content then */
  received: ReceivedFile | null;
}

export interface Parts {
  fields: readonly Field[];
  files: readonly MultipartFile[];
}

/** Bytes of the whole body, without an accepted file; and of a file. */
type Limits = Pick<Config, "MAX_BODY_BYTES" | "MAX_UPLOAD_BYTES">;

/** U+FFFD as sent. Decoding puts the same character in place of bytes that are not in UTF-8. */
const REPLACEMENT = Buffer.from("\ufffd");

const MAX_FIELDS = 1000;
const MAX_FILES = 1;

/**
 * @throws BoardError 424 for a body that is malformed, truncated or too large, has more than one file, a part without a name, or text that is neither
 *   in UTF-8 nor in an encoding that its part names and Node knows; errors of `admit`
 */
export function readMultipart(request: IncomingMessage, limits: Limits, admit: AdmitFile): Promise<Parts> {
  return new Promise((resolve, reject) => new Reading(request, limits, admit, resolve, reject).start());
}

class Reading {
  private readonly fields: Field[] = [];
  private readonly files: { name: string; received: Promise<ReceivedFile | null> }[] = [];
  private parser: busboy.Busboy | undefined;
  private isOver = false;
  private size = 0;
  /** bytes of the fields so far */
  private kept = 0;
  /** bytes of the body */
  private limit: number;
  /** whether U+FFFD was sent */
  private hasReplacement = false;
  /** the last bytes of the body so far, with which it may begin */
  private tail = Buffer.alloc(0);

  constructor(
    private readonly request: IncomingMessage,
    private readonly limits: Limits,
    private readonly admit: AdmitFile,
    private readonly resolve: (parts: Parts) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    this.limit = limits.MAX_BODY_BYTES;
  }

  start(): void {
    const { request } = this;
    if (request.destroyed) return this.refuse(failure("malformed_body")); // its client has disconnected
    try {
      this.parser = this.createParser();
    } catch (error) {
      return this.refuse(failure("malformed_body", {}, { cause: error }));
    }
    request.on("data", this.count);
    request.once("close", () => request.readableEnded || this.refuse(failure("malformed_body")));
    request.pipe(this.parser);
  }

  private readonly count = (chunk: Buffer): void => {
    this.size += chunk.length;
    if (this.size > this.limit) this.refuseLarge();
    if (this.hasReplacement) return;
    const bytes = Buffer.concat([this.tail, chunk]);
    this.hasReplacement = bytes.includes(REPLACEMENT);
    this.tail = bytes.subarray(1 - REPLACEMENT.length);
  };

  /**
   * Keeps a field. A file raises the limit of the body only by its own bytes.
   * @param field without a name if its part has none, and without a value if its encoding is unknown
   */
  private keep(field: readonly [name?: string, value?: string]): void {
    if (!isText(field)) return this.refuse(failure("malformed_body"));
    if (!this.hasReplacement && field.join("").includes("\ufffd")) return this.refuse(failure("malformed_body"));
    for (const text of field) this.kept += Buffer.byteLength(text);
    if (this.kept > this.limits.MAX_BODY_BYTES) this.refuseLarge();
    else this.fields.push(field);
  }

  private refuseLarge(): void {
    this.refuse(failure("body_too_large", { limit: this.limits.MAX_BODY_BYTES }));
  }

  private createParser(): busboy.Busboy {
    const { MAX_BODY_BYTES: fieldSize } = this.limits;
    const limits = { files: MAX_FILES, fields: MAX_FIELDS, fieldSize };
    const parser = busboy({ headers: this.request.headers, limits, defParamCharset: "utf8" });
    return parser
      .on("field", (name, value) => this.keep([name, value]))
      .on("file", (name, stream, { filename }) => this.begin(name, stream, filename))
      .on("filesLimit", () => this.refuse(failure("too_many_files")))
      .on("fieldsLimit", () => this.refuse(failure("too_many_parameters")))
      .on("error", (error) => this.refuse(failure("malformed_body", {}, { cause: error })))
      .once("close", () => void this.finish());
  }

  private begin(name: string | undefined, stream: Readable, filename: string | undefined): void {
    stream.on("error", () => undefined); // it may fail before its receiver listens, which would end the process
    if (name === undefined) return this.refuse(failure("malformed_body"));
    const received = this.receive(name, stream).then((file) => (filename || file?.size !== 0 ? file : null));
    received.catch((error: unknown) => this.refuse(error));
    this.files.push({ name, received });
  }

  private async receive(name: string, stream: Readable): Promise<ReceivedFile | null> {
    const receive = await this.admit(name, this.fields);
    if (this.isOver || receive === null) {
      stream.resume();
      return null;
    }
    this.limit += this.limits.MAX_UPLOAD_BYTES;
    return receive(stream);
  }

  private refuse(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.request.off("data", this.count);
    this.request.unpipe();
    this.request.pause();
    this.parser?.destroy(); // and with it the file being received
    this.reject(error);
  }

  private async finish(): Promise<void> {
    if (this.isOver) return;
    const receiving = this.files.map(async ({ name, received }) => ({ name, received: await received }));
    const files = await Promise.all(receiving).catch(() => null); // then it was refused
    if (!files || this.isOver) return;
    this.isOver = true;
    this.request.off("data", this.count);
    this.resolve({ fields: this.fields, files });
  }
}

const isText = (field: readonly [name?: string, value?: string]): field is Field =>
  field.every((text) => text !== undefined);
