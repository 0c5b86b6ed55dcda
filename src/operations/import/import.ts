/**
 * `board import`: imports posts, tags, pools, notes and wiki pages from a Danbooru-compatible site or its dump. Each record is one
 * transaction with its ledger entry, so that an interrupted import continues where it stopped, and another run imports
 * only what has been added since.
 */
import { stat } from "node:fs/promises";
import type { Board } from "../../board.js";
import type { Progress } from "../../lib/progress.js";
import { contextAs } from "../commands/command.js";
import { MediaIngest } from "../../resources/uploads/media-ingest.js";
import { DumpSource } from "./dump.js";
import { type Importer, localFault, type Work } from "./importer.js";
import { KindRun } from "./kind-run.js";
import { ImportError, Interrupted, type Kind, KINDS, type Source } from "./source.js";
import { Ledger } from "./ledger.js";
import { simpleImporters } from "./simple-importers.js";
import { Pace } from "./pace.js";
import { linkParents } from "./parents.js";
import { FileFetcher } from "./post-file.js";
import { importPost } from "./posts.js";
import { Report } from "./report.js";
import { SiteClient } from "./site-client.js";
import { SiteSource, siteUrl } from "./site.js";

export interface ImportOptions {
  /** URL of a site, or folder of a dump */
  from: string;
  /** name of the source in the ledger; the URL or folder by default */
  source?: string | undefined;
  /** name of the account that will own the records; the first Admin by default */
  as?: string | undefined;
  /** folder of files named by their md5, tried before downloading */
  files?: string | undefined;
  /** kinds to import; all by default */
  only?: readonly Kind[] | undefined;
  /** maximum number of records of each kind to try that no earlier run has tried */
  limit?: number | undefined;
  /** maximum number of requests per second */
  rate: number;
  /** posts keep the ids of the source */
  keepIds?: boolean | undefined;
  /** only reads and reports what would be imported: nothing is written or downloaded */
  dryRun?: boolean | undefined;
  /** aborted to stop after the current record */
  signal: AbortSignal;
  onProgress?: Progress | undefined;
  /** delay before the first retry, in milliseconds */
  firstPause?: number | undefined;
}

const IMPORTERS: Record<Kind, Importer> = { ...simpleImporters, posts: importPost };

/** Time limit of a download in milliseconds: longer than for uploads, for which a user waits. */
const DOWNLOAD_MS = 300_000;

/** `stopped` in the report after a signal. */
export const INTERRUPTED = "interrupted";

/**
 * Imports what has not been imported yet.
 * @returns the report, also if the import ended early: `stopped` has the reason
 * @throws ImportError if it can't start
 */
export async function runImport(board: Board, options: ImportOptions): Promise<Report> {
  const { from } = options;
  const pace = new Pace(options);
  const without =
    options.as === undefined
      ? "There is no Admin to own the records; create one with `user create NAME PASSWORD admin`."
      : `There is no account ${options.as}.`;
  const context = await contextAs(board, options.as, "import", without);
  const { files } = options;
  const found = files === undefined ? null : await stat(files).catch(() => null);
  if (files !== undefined && !found?.isDirectory()) throw new ImportError(`${files} is not a folder.`);
  await using site = /^https?:\/\//i.test(from) ? clientOf(board, options, pace) : null;
  const source = site ? new SiteSource(site, options.source) : await DumpSource.open(from, options.source);
  const report = new Report(source.name, options.dryRun === true);
  const work = workOf(board, options, { source, pace, report, context, allowHosts: site?.options.allowHosts ?? [] });
  try {
    await importKinds(options, { work, source, report });
  } catch (error) {
    report.stopped = endOf(error);
  }
  return report;
}

/** The reason of an early end. @throws the error if it is unexpected */
function endOf(error: unknown): string {
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof ImportError) return error.message;
  const fault = localFault(error);
  if (fault === null) throw error;
  return fault;
}

async function importKinds(
  { only = KINDS, dryRun, limit, signal, onProgress }: ImportOptions,
  { work, source, report }: { work: Work; source: Source; report: Report },
): Promise<void> {
  for (const kind of KINDS.filter((each) => only.includes(each))) {
    await new KindRun(kind, IMPORTERS[kind], { work, source, report, signal, limit, onProgress }).run();
    if (kind === "posts" && !dryRun) {
      report.parents = await linkParents(work, () => signal.aborted);
      report.parentsMissing = await work.ledger.orphanCount();
    }
    if (signal.aborted) throw new Interrupted();
  }
}

/** The administrator chose the site, so its own host may have a private address, also for files. */
function clientOf({ config }: Board, options: ImportOptions, pace: Pace): SiteClient {
  const url = siteUrl(options.from);
  const { hostname, port, protocol } = new URL(url);
  const allowHosts = [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`];
  const { IMPORT_LOGIN: name, IMPORT_API_KEY: apiKey } = config;
  if (!name !== !apiKey)
    throw new ImportError("IMPORT_LOGIN and IMPORT_API_KEY belong together; one of them is missing.");
  const login = name && apiKey ? { name, apiKey } : undefined;
  return new SiteClient({ url, pace, allowHosts, login });
}

type Parts = {
  source: Source;
  pace: Pace;
  report: Report;
  context: Work["context"];
  allowHosts: readonly string[];
};

function workOf(board: Board, options: ImportOptions, { source, pace, report, context, allowHosts }: Parts): Work {
  const { database, transact, storage, decoder, limiter } = board;
  const config = {
    ...board.config,
    SOURCE_ALLOW_HOSTS: [...board.config.SOURCE_ALLOW_HOSTS, ...allowHosts],
    SOURCE_TIMEOUT_MS: Math.max(board.config.SOURCE_TIMEOUT_MS, DOWNLOAD_MS),
  };
  const ingest = new MediaIngest({ storage, decoder, limiter, database, transact, config });
  return {
    database,
    transact,
    config,
    ingest,
    ledger: new Ledger(database, source.name),
    files: new FileFetcher({ ingest, pace, folder: options.files ?? null, base: source.base }),
    context,
    origin: source.base?.replace(/\/$/, "") ?? options.source ?? "the board that it was imported from",
    keepIds: options.keepIds === true,
    dryRun: options.dryRun === true,
    remark: (kind, id, remark) => report.remark(kind, id, remark),
  };
}
