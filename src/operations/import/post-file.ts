/** The file of a post: out of a folder by its md5, or downloaded from where the post says that it is. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { BoardError } from "../../errors.js";
import type { MediaIntake, Spooled } from "../../resources/uploads/media-intake.js";
import { SourceAnswer } from "../../sources/fetch.js";
import { type Pace, readRetryAfter, SiteTrouble } from "./pace.js";
import { reasonOf, RecordProblem } from "./importer.js";
import type { PostShape } from "./records.js";
import { ImportError } from "./source.js";

/** Where files are looked for. */
export interface FileFetcherOptions {
  /** allowed to download from the site itself, wherever it is */
  intake: MediaIntake;
  pace: Pace;
  /** folder of files that are named by their md5; null: all are downloaded */
  folder: string | null;
  /** base of addresses without a host; null where there is none */
  base: string | null;
}

/** A file with the md5 that its post names. */
export interface NamedFile {
  md5: string;
  ext: string;
}

/** A download is tried so often: the rest of a site's trouble is waited for at the next run. */
const ATTEMPTS = 3;

/** After so many posts in a row whose files a troubled site did not give, it is left alone. */
const TROUBLES_IN_A_ROW = 10;

/** Answers that may be others a minute later. */
const isTrouble = (status: number): boolean => status === 429 || status >= 500;

/**
 * md5 and extension of a post's file.
 * @throws RecordProblem where the site hides it
 */
export function fileOf({ md5, file_ext, media_asset }: PostShape): NamedFile {
  const named = md5 ?? media_asset?.md5 ?? "";
  if (!/^[0-9a-f]{32}$/.test(named)) throw new RecordProblem("md5: not given, so that the file is not for us");
  return { md5: named, ext: file_ext ?? extensionOf(media_asset?.file_ext) };
}

/** One that is none is as good as absent. */
const extensionOf = (text: string | null | undefined): string =>
  /^[a-z0-9]{1,5}$/.test(text ?? "") ? (text ?? "") : "";

/** Gets the files of posts, one after the other. */
export class FileFetcher {
  private troubles = 0;

  constructor(private readonly options: FileFetcherOptions) {}

  /**
   * Gets the file into a temporary place; its md5 is the one that the post names. The caller removes it.
   * @throws RecordProblem when it can't be had
   * @throws ImportError when the site gives no files at all any more
   */
  async fetch(post: PostShape, file: NamedFile): Promise<Spooled> {
    return (await this.fromFolder(post, file)) ?? (await this.fromSite(post, file));
  }

  private async fromFolder({ id }: PostShape, file: NamedFile): Promise<Spooled | null> {
    const { folder, intake } = this.options;
    if (folder === null) return null;
    for (const name of placesOf(id, file)) {
      const place = path.join(folder, name);
      if (!(await isFile(place))) continue;
      const spooled = await intake.spool(createReadStream(place));
      if (spooled.md5 === file.md5) return spooled;
      await spooled.remove();
      throw new RecordProblem(`file: ${name} has another md5`);
    }
    return null;
  }

  private async fromSite(post: PostShape, { md5 }: NamedFile): Promise<Spooled> {
    const url = this.urlOf(post);
    try {
      const spooled = await this.options.pace.ask(() => this.download(url, md5), ATTEMPTS);
      this.troubles = 0;
      return spooled;
    } catch (error) {
      this.troubles = error instanceof SiteTrouble ? this.troubles + 1 : 0;
      if (!(error instanceof SiteTrouble)) throw error;
      if (this.troubles >= TROUBLES_IN_A_ROW)
        throw new ImportError(
          `${this.troubles} files in a row could not be had; the last: ${error.message}. Try again later.`,
        );
      throw new RecordProblem(`file: ${error.message}`);
    }
  }

  /** @throws RecordProblem without an address */
  private urlOf({ file_url, media_asset }: PostShape): string {
    const original = media_asset?.variants?.find(({ type }) => type === "original")?.url;
    const given = file_url || original;
    if (!given) throw new RecordProblem("file: neither in the folder nor with an address");
    const base = this.options.base ?? undefined;
    if (!URL.canParse(given, base)) throw new RecordProblem("file_url: is no address");
    return new URL(given, base).href;
  }

  private async download(url: string, md5: string): Promise<Spooled> {
    const spooled = await this.options.intake.download(url).catch((error: unknown) => {
      throw error instanceof BoardError ? troubleOf(error) : error;
    });
    if (spooled.md5 === md5) return spooled;
    await spooled.remove();
    throw new SiteTrouble("the download has another md5");
  }
}

/** What went wrong with a download: trouble that may pass, or a refusal that stays. */
function troubleOf(error: BoardError): Error {
  const { cause } = error;
  const message = reasonOf(error);
  if (!(cause instanceof SourceAnswer))
    return cause === undefined ? new RecordProblem(`file: ${message}`) : new SiteTrouble(message);
  if (!isTrouble(cause.status)) return new RecordProblem(`file: ${message}`);
  return new SiteTrouble(message, readRetryAfter(cause.retryAfter));
}

/** Where the files of a dump lie: all together, by the first digits of the md5, as sites have them, or by the post's number. */
function placesOf(id: number, { md5, ext }: NamedFile): string[] {
  if (!/^[a-z0-9]{1,5}$/.test(ext)) return [];
  const name = `${md5}.${ext}`;
  const [first, second] = [md5.slice(0, 2), md5.slice(2, 4)];
  const byMd5 = [name, `${first}/${name}`, `${first}/${second}/${name}`];
  const byId = `${String(id % 1_000).padStart(4, "0")}/${id}.${ext}`;
  return [...byMd5, byId].flatMap((place) => [place, `original/${place}`]);
}

const isFile = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isFile(),
    () => false,
  );
