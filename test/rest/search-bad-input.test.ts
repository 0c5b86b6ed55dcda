import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer } from "../support/client.js";
import type { TestPost } from "../support/factory.js";
import { timedWithin } from "../support/timing.js";

const SECOND = 1000;
const TOO_DEEP = "a search can nest at most 500 groups";
const TOO_LONG = "a text to search for may have at most 32768 bytes";
const TOO_MANY = "a search may have at most 40 terms";

let test: TestBoard;
let posts: TestPost[];
beforeAll(async () => {
  test = await startBoard();
  posts = [await test.make.post("a b alphabetical_card"), await test.make.post("a"), await test.make.post("b")];
  await test.board.database.comment.create({ data: { postId: posts[0]?.id ?? 0, creatorId: 1, body: "x" } });
});
afterAll(() => test[Symbol.asyncDispose]());

/** The numbers of the found posts, the first made being 1; or the status and reason of a refusal. */
async function found(tags: string): Promise<number[] | string> {
  const { answer, milliseconds } = await timedWithin(SECOND, () => test.anonymous.get("/posts.json", { tags }));
  expect(milliseconds).toBeLessThan(SECOND);
  if (answer.status !== 200) return `${answer.status} ${String(answer.json?.reason)}`;
  const ids = posts.map((post) => post.id);
  return (answer.json as { id: number }[]).map(({ id }) => ids.indexOf(id) + 1);
}

const times = (count: number, word: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => word(i)).join(" ");
const nested = (depth: number, sign = ""): string => `${`${sign}(`.repeat(depth)}a${")".repeat(depth)}`;

const ALL = [3, 2, 1];
const A = [2, 1];

/** What users write by mistake or on purpose, and what they find. */
const SEARCHES: readonly (readonly [name: string, tags: string, result: number[] | string])[] = [
  ["40 terms", times(40, (i) => (i % 2 ? "a" : `-t${i}`)), A],
  ["41 terms", times(41, () => "a"), `424 ${TOO_MANY}`],
  ["4,000 terms", times(4000, () => "a"), `424 ${TOO_MANY}`],
  ["4,000 alternatives", times(4000, () => "~a"), `424 ${TOO_MANY}`],
  ["4,000 signs", "-".repeat(4000), []],
  ["500 parentheses", nested(500), A],
  ["501 parentheses", nested(501), `424 ${TOO_DEEP}`],
  ["20,000 parentheses", "(".repeat(20_000), `424 ${TOO_DEEP}`],
  ["499 groups and a word that opens 5,000", `${"(".repeat(499)}a${"(".repeat(5000)}${")".repeat(5000)}`, []],
  ["4,000 terms in a group", `(${times(4000, () => "a")}) b`, `424 ${TOO_MANY}`],
  ["32,769 bytes", "a".repeat(32_769), `424 ${TOO_LONG}`],
  ["101 wildcards in a word", "a*".repeat(101), "424 a text to search for may have at most 100 asterisks"],
  ["a wildcard of 4,097 bytes", `${"a".repeat(4096)}*`, "424 a text to search for may have at most 4096 bytes"],
  ["500 negated parentheses", nested(500, "-"), A],
  ["499 negated parentheses", nested(499, "-"), [3]],
  ["500 parentheses that never close", "(".repeat(500), []],
  ["500 parentheses that close nothing", `a ${")".repeat(500)}`, []],
  ["*", "*", ALL],
  ["a*b*c*d*", "a*b*c*d*", [1]],
  ["a thousand *", "*".repeat(1000), ALL],
  ["a*a*a* ... that matches nothing", `${"a*".repeat(60)}z`, []],
  ["-*", "-*", []],
  ["-* or a", "-* or a", A],
  ["40 wildcards", times(40, () => "*a*"), A],
  ["40 negated wildcards", times(40, (i) => `-*t${i}*`), ALL],
  ["only negations", "-a -unknown", [3]],
  ["only negations of everything", "-a -b", []],
  ["a contradiction", "a -a", []],
  ["contradictory orders", "order:score order:id order:id_desc order:id", [1, 2, 3]],
  ["contradictory orders, one unknown", "order:id order:nonsense", ALL],
  ["contradictory limits", "limit:3 limit:1", [3]],
  ["two pools in order", "ordpool:1 ordpool:2", []],
  ["a negated order", "-order:id", []],
  ["an order among alternatives", "a or order:id", []],
  ["a huge id", `id:${"9".repeat(3000)}`, []],
  ["less than a huge id", `id:<${"9".repeat(3000)}`, ALL],
  ["a huge negative number", `score:>-${"9".repeat(400)}`, ALL],
  ["a huge size", "filesize:99999999999999999999g", []],
  ["a huge fraction", `mpixels:>0.${"0".repeat(2000)}1`, ALL],
  ["a ratio by zero", "ratio:1:0", []],
  ["a huge limit", "limit:99999999999", ALL],
  ["a huge age", `age:<${"9".repeat(400)}y`, ALL],
  ["a thousand ranges", `id:${times(1000, (i) => `${i}..`).replaceAll(" ", ",")}`, []],
  ["a thousand ids", `id:${times(1000, (i) => `${i}000000`).replaceAll(" ", ",")}`, []],
  ["the year 0", "date:0000-01-01", []],
  ["before the year 0", "date:<0000-01-01", []],
  ["the year 99999", "date:99999-01-01", []],
  ["before the year 99999", "date:<99999-01-01", []],
  ["the year 9999", "date:<9999-12-31", ALL],
  ["the 30th of February", "date:2026-02-30", []],
  ["a quote that never closes", 'source:"a', []],
  ["a single quote that never closes", "source:'a b c", []],
  ["a quote with nothing in it", 'source:""', []],
  ["a quote full of backslashes", `source:"${"\\".repeat(3001)}"`, []],
  ["every blank of Unicode", `a${BLANKS()}b`, [1]],
  ["nothing but blanks", BLANKS(), ALL],
  ["an alien blank that is none", "a\u200bb", []],
  ["unknown users, pools, words", "-user:nobody -pool:nothing -rating:x -status:y", ALL],
  ["an unknown user", "user:nobody", []],
  ["NUL", "a\0", []],
  ["half of a letter", "a\ud800", []],
  ["prototypes", "is:constructor or has:__proto__ or order:toString", []],
  ["SQL", "source:'); DROP TABLE posts; --", []],
  ["LIKE", "source:%", []],
  ["and or", "and or", []],
];

/** White_Space of Unicode. */
function BLANKS(): string {
  const codes = [9, 10, 11, 12, 13, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000];
  const quads = Array.from({ length: 11 }, (_, i) => 0x2000 + i);
  return String.fromCodePoint(...codes, ...quads);
}

describe("GET /posts.json with tags that are", () => {
  it.each(SEARCHES)("%s: accepted or refused within a second", async (_, tags, result) =>
    expect(await found(tags)).toEqual(result),
  );
});

describe.each<[string, (tags: string) => Promise<Answer>]>([
  ["GET /counts/posts.json", (tags) => test.anonymous.get("/counts/posts.json", { tags })],
  ["GET /posts.json?page=2", (tags) => test.anonymous.get("/posts.json", { tags, page: 2 })],
  ["GET /posts.json?raw=1", (tags) => test.anonymous.get("/posts.json", { tags, raw: 1 })],
  ["GET /related_tag.json", (tags) => test.anonymous.get("/related_tag.json", { query: tags })],
  ["GET /autocomplete.json", (tags) => test.anonymous.get("/autocomplete.json", { search: { query: tags } })],
  ["GET /comments.json", (tags) => test.anonymous.get("/comments.json", { search: { post_tags_match: tags } })],
])("%s with any of these", (_, ask) => {
  it.each(SEARCHES)("%s: 200 or 424 with a message, within a second", async (_name, tags) => {
    const { answer, milliseconds } = await timedWithin(SECOND, () => ask(tags));
    expect(milliseconds).toBeLessThan(SECOND);
    if (answer.status === 200) return;
    expect(answer.status).toBe(424);
    expect(answer.json).toMatchObject({ success: false, reason: expect.stringMatching(/\w+ \w+/) });
  });
});
