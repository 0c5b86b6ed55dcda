/** Gets the file of a post: from a folder, by its md5, or from the post's URL. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { BoardError } from "../../errors.js";
import type { MediaIngest, ReceivedFile } from "../../resources/uploads/media-ingest.js";
import { SourceAnswer } from "../../sources/fetch.js";
import { type Pace, readRetryAfter, SiteUnavailable } from "./pace.js";
import { reasonOf, RecordProblem } from "./importer.js";
import type { PostShape } from "./records.js";

export interface FileFetcherOptions {
  /** allowed to download from the site itself, wherever it is */
  ingest: MediaIngest;
  pace: Pace;
  /** folder of files named by their md5; null to download all */
  folder: string | null;
  base: string | null;
}

export interface NamedFile {
  md5: string;
  ext: string;
}

/** Attempts of a download in one run; the next run tries again. */
const ATTEMPTS = 3;

/** The md5 and extension of a post's file. @throws RecordProblem if the site hides it */
export function fileOf({ md5, file_ext, media_asset }: PostShape): NamedFile {
  const named = md5 ?? media_asset?.md5 ?? "";
  if (!/^[0-9a-f]{32}$/.test(named)) throw new RecordProblem("md5: missing, as the site hides the file");
  return { md5: named, ext: file_ext ?? extensionOf(media_asset?.file_ext) };
}

/** The extension, or the empty string if it is missing or invalid. */
const extensionOf = (text: string | null | undefined): string =>
  /^[a-z0-9]{1,5}$/.test(text ?? "") ? (text ?? "") : "";

/** The site did not send a file. */
export class FileUnavailable extends RecordProblem {
  constructor(
    /** of its last answer */
    readonly answer: string,
  ) {
    super(`file: ${answer}`);
  }
}

export class FileFetcher {
  constructor(private readonly options: FileFetcherOptions) {}

  /**
   * Copies the file to a temporary one, and checks its md5. The caller removes it.
   * @throws RecordProblem if it is unavailable, FileUnavailable if that may be transient
   */
  async fetch(post: PostShape, file: NamedFile): Promise<ReceivedFile> {
    return (await this.fromFolder(post, file)) ?? (await this.fromSite(post, file));
  }

  private async fromFolder({ id }: PostShape, file: NamedFile): Promise<ReceivedFile | null> {
    const { folder, ingest } = this.options;
    if (folder === null) return null;
    for (const name of pathsOf(id, file)) {
      const found = path.join(folder, name);
      if (!(await isFile(found))) continue;
      const received = await ingest.spool(createReadStream(found));
      if (received.md5 === file.md5) return received;
      await received.remove();
      throw new RecordProblem(`file: ${name} has another md5`);
    }
    return null;
  }

  private async fromSite(post: PostShape, { md5 }: NamedFile): Promise<ReceivedFile> {
    const url = this.urlOf(post);
    try {
      return await this.options.pace.run(() => this.download(url, md5), ATTEMPTS);
    } catch (error) {
      throw error instanceof SiteUnavailable ? new FileUnavailable(error.message) : error;
    }
  }

  /** @throws RecordProblem without a valid URL */
  private urlOf({ file_url, media_asset }: PostShape): string {
    const original = media_asset?.variants?.find(({ type }) => type === "original")?.url;
    const given = file_url || original;
    if (!given) throw new RecordProblem("file: not in the folder, and without a URL");
    const base = this.options.base ?? undefined;
    if (!URL.canParse(given, base)) throw new RecordProblem("file_url: is not a URL");
    return new URL(given, base).href;
  }

  private async download(url: string, md5: string): Promise<ReceivedFile> {
    const received = await this.options.ingest.download(url).catch((error: unknown) => {
      throw error instanceof BoardError ? downloadError(error) : error;
    });
    if (received.md5 === md5) return received;
    await received.remove();
    throw new SiteUnavailable("the download has another md5");
  }
}

/** The error of a download: SiteUnavailable if it is transient, otherwise RecordProblem. */
function downloadError(error: BoardError): Error {
  const { cause } = error;
  const message = reasonOf(error);
  if (!(cause instanceof SourceAnswer))
    return cause === undefined ? new RecordProblem(`file: ${message}`) : new SiteUnavailable(message);
  const isTransient = cause.status === 429 || cause.status >= 500;
  return isTransient
    ? new SiteUnavailable(message, readRetryAfter(cause.retryAfter))
    : new RecordProblem(`file: ${message}`);
}

/** Possible paths of a file in the folder: by md5, with or without folders of its first digits, or by the post's id. */
function pathsOf(id: number, { md5, ext }: NamedFile): string[] {
  if (!/^[a-z0-9]{1,5}$/.test(ext)) return [];
  const name = `${md5}.${ext}`;
  const [first, second] = [md5.slice(0, 2), md5.slice(2, 4)];
  const byMd5 = [name, `${first}/${name}`, `${first}/${second}/${name}`];
  const byId = `${String(id % 1_000).padStart(4, "0")}/${id}.${ext}`;
  return [...byMd5, byId].flatMap((each) => [each, `original/${each}`]);
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
