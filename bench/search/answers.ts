/**
 * Compares our whole responses over HTTP with only the query of posts in the other boards' table layout: the same
 * searches, without repeated parameters. Ours include HTTP, tag names, JSON and further pages; the query only the rows.
 */
import pg from "pg";
import type { Asker } from "../traffic/run.js";
import { Ledger, wire } from "../traffic/requests.js";
import { type DrawnTag, drawPairs, shuffled } from "./drawn.js";
import type { Effort } from "./load/driver.js";
import { median } from "./statistics.js";

const PER_PAGE = 20;
const CONNECTIONS = 16;
/** Requests of each kind: half of them sequential, half of them concurrent. */
const MOST = 4_000;
/** Number of most used tags that count as common. */
const COMMON = 300;

export interface Question {
  path: string;
  /** in the other layout */
  theirs: string;
}

export interface Drawn {
  posts: number;
  /** most used first */
  tags: readonly DrawnTag[];
  seed: number;
}

export interface AnswerFigures {
  name: string;
  /** milliseconds at one connection, and requests a second at 16 */
  ours: { p50: number; perSecond: number };
  theirs: { p50: number; perSecond: number };
}

const text = (value: string): string => pg.escapeLiteral(value);
const TAGS = "string_to_array(tag_string, ' ')";
const all = (...names: string[]): string => `${TAGS} @> ARRAY[${names.map(text).join(", ")}]`;

interface Listing {
  tags?: string;
  page?: number | string;
  condition?: string;
  order?: string;
}

const listing = ({ tags, page = 1, condition = "TRUE", order = "id DESC" }: Listing): Question => ({
  path: `/posts.json?${new URLSearchParams({ ...(tags === undefined ? {} : { tags }), page: String(page), limit: String(PER_PAGE) }).toString()}`,
  theirs:
    `SELECT * FROM other_board.posts WHERE ${condition} ORDER BY ${order} LIMIT ${PER_PAGE}` +
    (typeof page === "number" && page > 1 ? ` OFFSET ${(page - 1) * PER_PAGE}` : ""),
});

const commonOf = ({ tags }: Drawn, count: number): string[] => tags.slice(0, count).map(({ name }) => name);
const rareOf = ({ tags }: Drawn): string[] =>
  tags
    .slice(COMMON)
    .filter(({ count }) => count >= 10 && count < 1000)
    .map(({ name }) => name);
const upTo = (count: number, from = 1): number[] =>
  Array.from({ length: count - from + 1 }, (_, index) => from + index);
const pairsOf = (names: readonly string[]): [string, string][] =>
  names.flatMap((one) => names.filter((other) => other !== one).map((other): [string, string] => [one, other]));
const ordered = (names: readonly string[]) => pairsOf(names).filter(([one, other]) => one < other);

export const DEEP_PAGE = "deep page of a common tag";
const DEEP = { from: 450, to: 500 };

/** The kinds with their requests, some of them random. */
export const ANSWERS: readonly [name: string, questions: (drawn: Drawn) => Question[]][] = [
  ["newest", () => upTo(1000).map((page) => listing({ page }))],
  [
    "common",
    (drawn) =>
      commonOf(drawn, COMMON).flatMap((tags) => upTo(5).map((page) => listing({ tags, page, condition: all(tags) }))),
  ],
  ["rare", (drawn) => rareOf(drawn).map((tags) => listing({ tags, condition: all(tags) }))],
  [
    "two common",
    (drawn) => ordered(commonOf(drawn, 50)).map(([a, b]) => listing({ tags: `${a} ${b}`, condition: all(a, b) })),
  ],
  [
    "common and rare",
    (drawn) => {
      const common = commonOf(drawn, 50);
      return rareOf(drawn).map((rare, index) => {
        const other = common[index % common.length] ?? "";
        return listing({ tags: `${other} ${rare}`, condition: all(other, rare) });
      });
    },
  ],
  [
    "common minus common",
    (drawn) =>
      pairsOf(commonOf(drawn, 50)).map(([a, b]) =>
        listing({ tags: `${a} -${b}`, condition: `${all(a)} AND NOT ${all(b)}` }),
      ),
  ],
  [
    "common, order:score",
    (drawn) =>
      commonOf(drawn, COMMON).flatMap((tag) =>
        upTo(5).map((page) =>
          listing({ tags: `${tag} order:score`, page, condition: all(tag), order: "score DESC, id DESC" }),
        ),
      ),
  ],
  [
    DEEP_PAGE,
    ({ tags }) =>
      tags
        .filter(({ count }) => count >= DEEP.to * PER_PAGE)
        .slice(0, COMMON)
        .flatMap(({ name }) =>
          upTo(DEEP.to, DEEP.from).map((page) => listing({ tags: name, page, condition: all(name) })),
        ),
  ],
  [
    "page by id",
    ({ posts, seed }) =>
      shuffled(upTo(Math.min(posts, 20_000)), seed)
        .map((place) => Math.ceil((place * posts) / Math.min(posts, 20_000)))
        .map((id) => listing({ page: `b${id}`, condition: `id < ${id}` })),
  ],
  [
    "count of two tags",
    ({ tags, seed }) =>
      drawPairs(tags.slice(0, COMMON), MOST, seed + 7).map(([a, b]) => ({
        path: `/counts/posts.json?${new URLSearchParams({ tags: `${a} ${b}` }).toString()}`,
        theirs: `SELECT count(*) FROM other_board.posts WHERE ${all(a, b)}`,
      })),
  ],
];

export interface Answering {
  asker: Asker;
  /** of the server */
  url: string;
  /** of the database with the other board's table */
  databaseUrl: string;
  effort: Effort;
  drawn: Drawn;
  say: (line: string) => void;
}

/** @throws LoadError for a response that is not successful; RepeatedError */
export async function measureAnswers(answering: Answering): Promise<AnswerFigures[]> {
  const { drawn, say } = answering;
  const ledger = new Ledger();
  await using theirs = await Sessions.open(answering.databaseUrl);
  const figures: AnswerFigures[] = [];
  for (const [index, [name, questions]] of ANSWERS.entries()) {
    const asked = shuffled(questions(drawn), drawn.seed + index).slice(0, MOST);
    ledger.enter(asked.map(({ path }) => path));
    if (asked.length < 2) continue; // a small board has no far pages
    say(`a whole answer: ${name}`);
    const halves = [asked.slice(0, asked.length / 2), asked.slice(asked.length / 2)] as const;
    figures.push({ name, ours: await oursOf(halves, answering), theirs: await theirs.ask(halves, answering.effort) });
  }
  return figures;
}

type Halves = readonly [oneByOne: readonly Question[], atOnce: readonly Question[]];

async function oursOf([oneByOne, atOnce]: Halves, { asker, url, effort }: Answering): Promise<AnswerFigures["ours"]> {
  const ask = (questions: readonly Question[], connections: number) => {
    const requests = questions.map(({ path }) => wire({ path }));
    const warmUp = effort.warmUp === 0 ? 0 : Math.floor(requests.length / 10);
    return asker.ask({ url, connections, requests, warmUp, seconds: Math.max(effort.seconds, 0.05) });
  };
  const alone = await ask(oneByOne, 1);
  const crowded = await ask(atOnce, CONNECTIONS);
  return { p50: median(alone.durations), perSecond: crowded.durations.length / crowded.seconds };
}

/** Database sessions that don't parse the values of rows. */
class Sessions implements AsyncDisposable {
  private constructor(private readonly clients: readonly pg.Client[]) {}

  static async open(connectionString: string): Promise<Sessions> {
    const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;
    const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString, types }));
    await Promise.all(clients.map((client) => client.connect()));
    return new Sessions(clients);
  }

  async ask([oneByOne, atOnce]: Halves, { seconds }: Effort): Promise<AnswerFigures["theirs"]> {
    const alone = await this.run(oneByOne, 1, seconds);
    const crowded = await this.run(atOnce, CONNECTIONS, seconds);
    return { p50: median(alone.durations), perSecond: crowded.durations.length / crowded.seconds };
  }

  /** Runs each once until the time is over; at least one. */
  private async run(questions: readonly Question[], connections: number, seconds: number) {
    const durations: number[] = [];
    const left = questions.values();
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / 1000;
    const work = async (client: pg.Client) => {
      do {
        const next = left.next();
        if (next.done) return;
        const started = performance.now();
        await client.query({ text: next.value.theirs, rowMode: "array" });
        durations.push(performance.now() - started);
      } while (elapsed() < seconds);
    };
    await Promise.all(this.clients.slice(0, connections).map(work));
    return { durations, seconds: elapsed() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
  }
}
