/** Reads records from a dump: a folder of JSON files, with one record per line or one array, optionally compressed with gzip. */
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { jsonOf } from "../../lib/json.js";
import { type Batch, ImportError, type Kind, KINDS, type Source } from "./source.js";
import { MAX_RECORD, recordTexts } from "./text.js";

/** Records of a batch, unless they are long: together they have not much more characters than one may have. */
const BATCH = 200;

/** Represents a record that isn't JSON; reported as one without an id. */
const INVALID = null;

export class DumpSource implements Source {
  readonly isSeekable = false;
  readonly base = null;

  private constructor(
    private readonly folder: string,
    private readonly files: readonly string[],
    readonly name: string,
  ) {}

  /**
   * @param name of the source in the ledger; the folder by default
   * @throws ImportError if the folder can't be read, or has no file of a dump
   */
  static async open(folder: string, name = path.resolve(folder)): Promise<DumpSource> {
    const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      throw new ImportError(`The folder ${folder} can't be read (${error.code}).`);
    });
    if (!files.some((file) => KINDS.some((kind) => isOfKind(file, kind))))
      throw new ImportError(`The folder ${folder} has no file of a dump, such as posts.json or tags.jsonl.gz.`);
    return new DumpSource(path.resolve(folder), files.toSorted(), name);
  }

  async *batches(kind: Kind): AsyncIterable<Batch> {
    const files = this.files.filter((file) => isOfKind(file, kind)).map((file) => path.join(this.folder, file));
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    let before = 0;
    for (const [index, file] of files.entries()) {
      for await (const { records, read } of readBatches(file)) yield { records, done: before + read, total };
      before += sizes[index] ?? 0;
    }
  }

  /** Not supported: all records are read each time. */
  byIds(): Promise<unknown[]> {
    return Promise.resolve([]);
  }
}

/** `posts.json`, `posts.jsonl.gz`, `posts-2026-01.ndjson`, `posts000000000012.json` */
const isOfKind = (file: string, kind: Kind): boolean =>
  file.startsWith(kind) && /^[-_\d]*\.(?:json|jsonl|ndjson)(?:\.gz)?$/.test(file.slice(kind.length));

/** @throws ImportError if the file can't be read to its end, after the records before the error */
async function* readBatches(file: string): AsyncIterable<{ records: unknown[]; read: number }> {
  const bytes = createReadStream(file);
  let [records, characters]: [unknown[], number] = [[], 0];
  try {
    const decompressed = file.endsWith(".gz") ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
    for await (const text of recordTexts(decompressed.setEncoding("utf8"))) {
      records.push(text === null ? INVALID : (jsonOf(text) ?? INVALID));
      characters += text?.length ?? 0;
      if (records.length < BATCH && characters < MAX_RECORD) continue;
      yield { records, read: bytes.bytesRead };
      [records, characters] = [[], 0];
    }
  } catch (error) {
    if (records.length > 0) yield { records, read: bytes.bytesRead };
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ImportError(`${file} can't be read to its end (${code ?? message}).`, { cause: error });
  } finally {
    bytes.destroy();
  }
  if (records.length > 0) yield { records, read: bytes.bytesRead };
}
