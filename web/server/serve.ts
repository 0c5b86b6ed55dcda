/**
 * Serves the pages: assets, and the pages that browsers open. A page costs what its first query costs: it is
 * counted as one request, and its document runs like those of all clients.
 */
import type { IncomingMessage } from "node:http";
import type { FormattedExecutionResult, GraphQLFormattedError } from "graphql";
import type { GraphQLContext } from "../../graphql/context.js";
import type { Config } from "../../src/config.js";
import type { BoardError } from "../../src/errors.js";
import { pageOf as pageIn, type PageName, type Place, placeOf } from "../routes.js";
import { type Asset, Assets } from "./assets.js";
import * as documents from "./__generated__/documents.js";
import { elsewhereOf } from "./elsewhere.js";
import { headOf } from "./head.js";
import { opensPage, pageOf, tidied } from "./negotiation.js";
import { noscriptOf } from "./noscript.js";
import { asksForLogin, type PageProblem, render } from "./page.js";
import { policyFor } from "./policy.js";
import { markup } from "./html.js";
import type { Document } from "../lib/document.js";
import { sentence } from "../titles.js";

type AnyDocument = Document<unknown, never>;
type Variables = Record<string, unknown>;

/** The document of each page that has one. */
const DOCUMENTS: Readonly<Partial<Record<PageName, AnyDocument>>> = {
  gallery: documents.GalleryDocument,
  post: documents.PostDocument,
  upload: documents.UploadPageDocument,
  post_versions: documents.PostVersionsDocument,
  note_versions: documents.NoteVersionsDocument,
  pool_versions: documents.PoolVersionsDocument,
  wiki_page_versions: documents.WikiPageVersionsDocument,
  artist_versions: documents.ArtistVersionsDocument,
  artist_commentary_versions: documents.ArtistCommentaryVersionsDocument,
  favorite_group_versions: documents.FavoriteGroupVersionsDocument,
};

/** Pattern of a page's path, if it is not its name. */
const ROUTES: Readonly<Partial<Record<PageName, string>>> = { gallery: "/posts", post: "/posts/:id" };

/** Every document that the pages send, by its hash. */
export const knownDocuments: ReadonlyMap<string, string> = new Map(
  Object.values<AnyDocument>(documents as unknown as Record<string, AnyDocument>).map(({ hash, text }) => [hash, text]),
);

/** What the pages need of the server. */
export interface PageServer {
  config: Config;
  /** Runs a document under the same rules as every client's. */
  execute(document: AnyDocument, variables: Variables, context: GraphQLContext): Promise<FormattedExecutionResult>;
}

/** A request that may be for a page. */
export interface PageRequest {
  request: IncomingMessage;
  /** scheme and host of the board's URLs */
  baseUrl: string;
  /** Authenticates and counts the request, and waits for its turn. @throws BoardError 403, 421, 503 */
  admit(): Promise<GraphQLContext>;
  /** Converts an error to one of the table, and logs unexpected ones. */
  refused(error: unknown): BoardError;
}

/** The response to a request for a page, or for another text. */
export interface PageAnswer {
  /** pattern of the path, for logs and metrics; absent for unknown paths */
  route?: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Opened {
  place: Place | null;
  shell: documents.ShellQuery | null;
  data: unknown;
  problem: PageProblem | null;
}

/** Standard HTTP statuses for those of the REST interface, which browsers and search engines don't know. */
const STATUSES: Readonly<Record<number, number>> = { 420: 400, 421: 429, 422: 409, 423: 409, 424: 400 };
const TITLES: Readonly<Record<number, string>> = {
  400: "Invalid search",
  403: "Access denied",
  404: "Not found",
  429: "Too many requests",
  503: "The board is busy",
};

function problemWith(status: number, reason: string, code: string, retryAfter?: number): PageProblem {
  const shown = STATUSES[status] ?? status;
  const title = TITLES[shown] ?? "Something went wrong";
  return { status: shown, title, message: sentence(reason), code, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

const ofBoard = ({ status, reason, code, retryAfter }: BoardError): PageProblem =>
  problemWith(status, reason, code, retryAfter);

function ofAnswer({ extensions, message }: GraphQLFormattedError): PageProblem {
  const { status, code, retryAfter } = (extensions ?? {}) as Partial<Record<"status" | "retryAfter", number>> & {
    code?: string;
  };
  return problemWith(status ?? 500, message, code ?? "INTERNAL", retryAfter);
}

/** Whether the page's record does not exist. */
const isMissing = (data: unknown): boolean =>
  typeof data === "object" && data !== null && Object.values(data).every((value) => value === null);

const NOT_FOUND = problemWith(404, "there is nothing at this address", "NOT_FOUND");

/** Whether there is a page at a URL, or a record with a page. */
const isPage = (url: string): boolean => placeOf(url) !== null || elsewhereOf(url.replace(/\?.*/s, "")) !== undefined;

/** Redirects a browser. */
const sendTo = (url: string): PageAnswer => ({
  status: 302,
  headers: { Location: url, "Cache-Control": "private, no-cache" },
  body: "",
});

/** The problem of a page whose number is over the last one that the board shows; null for others. */
function problemOfNumber({ query }: Place, url: string, last: number): PageProblem | null {
  const page = pageIn(query);
  if (!(Number(page) > last)) return null;
  const [path, search] = url.split(/\?(.*)/s);
  const further = new URLSearchParams(search);
  further.set("page", String(last));
  return {
    status: 400,
    title: `There is no page ${page}`,
    message: `Pages have numbers up to ${last}. Lists from the newest to the oldest go on below page ${last}, others end there.`,
    code: "INVALID_PARAMETERS",
    link: { url: `${path}?${further.toString()}`, name: `Page ${last}` },
  };
}

const MANIFEST = "/site.webmanifest";

export class Pages {
  private readonly assets = new Assets();
  private readonly policy: string;

  constructor(private readonly server: PageServer) {
    this.policy = policyFor(server.config);
  }

  /** The file at a path, if any. */
  asset(path: string): Asset | undefined {
    return this.assets.at(path);
  }

  /** The page for a request; null if the request is not for a page. */
  async answer(path: string, asked: PageRequest): Promise<PageAnswer | null> {
    if (path === MANIFEST)
      return { status: 200, headers: { "Content-Type": "application/manifest+json" }, body: this.manifest() };
    const place = pageOf(asked.request);
    if (place) {
      const problem = problemOfNumber(place, asked.request.url ?? "", this.server.config.MAX_PAGE);
      const opened = await this.open(asked, place, problem ? undefined : DOCUMENTS[place.page], place.variables);
      return {
        ...this.render(asked, { ...opened, problem: opened.problem ?? problem }),
        route: ROUTES[place.page] ?? `/${place.page}`,
      };
    }
    if (!opensPage(asked.request)) return null;
    const tidy = tidied(asked.request);
    if (tidy !== null && isPage(tidy)) return sendTo(tidy);
    const record = elsewhereOf(path);
    if (!record) return null;
    const opened = await this.open(asked, null, record.document, { id: record.id });
    const answer = opened.problem ? this.render(asked, opened) : sendTo(record.url(opened.data));
    return { ...answer, route: record.route };
  }

  /** For paths that nothing else serves: a page for browsers; other clients get the REST error. */
  missing(asked: PageRequest): PageAnswer | null {
    if (!opensPage(asked.request)) return null;
    return this.render(asked, { place: null, shell: null, data: null, problem: NOT_FOUND });
  }

  /** The web app manifest. */
  private manifest(): string {
    const { BOARD_NAME: name } = this.server.config;
    const icons = [192, 512].map((size) => ({
      src: `/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: "image/png",
    }));
    const colours = { background_color: "#f7f6f3", theme_color: "#f7f6f3" };
    return JSON.stringify({ name, short_name: name, start_url: "/", display: "standalone", ...colours, icons });
  }

  /** The response of a document, with what every page needs. */
  private async open(asked: PageRequest, place: Place | null, document: AnyDocument | undefined, variables: Variables) {
    return this.run(asked, place, document, variables).catch((error: unknown): Opened => ({
      place,
      shell: null,
      data: null,
      problem: ofBoard(asked.refused(error)),
    }));
  }

  private async run(
    asked: PageRequest,
    place: Place | null,
    document: AnyDocument | undefined,
    variables: Variables,
  ): Promise<Opened> {
    const context = await asked.admit();
    const run = (each: AnyDocument, given: Variables) => this.server.execute(each, given, context);
    const nothing: FormattedExecutionResult = { data: null };
    const [shell, answer] = await Promise.all([
      run(documents.ShellDocument, {}),
      document ? run(document, variables) : nothing,
    ]);
    const shown = (shell.data ?? null) as documents.ShellQuery | null;
    const [error] = answer.errors ?? [];
    const hasAnswer = answer.data !== null && answer.data !== undefined;
    if (error && (!hasAnswer || isMissing(answer.data)))
      return { place, shell: shown, data: null, problem: ofAnswer(error) };
    if (isMissing(answer.data) && document) return { place, shell: shown, data: answer.data, problem: NOT_FOUND };
    return { place, shell: shown, data: answer.data ?? null, problem: null };
  }

  private render({ request, baseUrl }: PageRequest, { place, shell, data, problem }: Opened): PageAnswer {
    const head = problem || !place ? { title: problem?.title ?? "" } : headOf(place, data);
    const { query } = place ?? {};
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": this.policy,
      // what the back button shows of a viewer must not outlive the session
      "Cache-Control": shell?.viewer ? "private, no-store" : "private, no-cache",
      "Referrer-Policy": "strict-origin-when-cross-origin",
      ...(problem?.retryAfter === undefined ? {} : { "Retry-After": String(problem.retryAfter) }),
    };
    const body = render({
      head,
      files: this.assets.of(place?.page ?? null),
      base: baseUrl,
      board: this.server.config.BOARD_NAME,
      cookie: request.headers.cookie ?? "",
      search: query?.get("tags") ?? query?.get("q") ?? "",
      shell,
      data,
      problem: problem && { ...problem, asksForLogin: problem.status === 403 && asksForLogin(shell) },
      noscript: place && !problem ? noscriptOf(place, data) : markup``,
    });
    return { status: problem?.status ?? 200, headers, body };
  }
}
