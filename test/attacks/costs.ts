/**
 * The cost of single requests: processor time in milliseconds of the server's main thread, which runs its event loop, so that the
 * figures are the same on a busy machine. Prints those above a bound, which docs/security.md explains.
 *
 *   npx tsx test/attacks/costs.ts
 */
import { readFileSync } from "node:fs";
import { table } from "../../bench/search/report.js";
import { attackerNo, AttackedBoard } from "./board.js";
import { DOCUMENTS, PAGES } from "./kinds/documents.js";
import { VALUES } from "./kinds/headers.js";
import { ODDITIES, PARENTHESES, POSTS, SLOW } from "./kinds/searches.js";
import { graphqlArguments, restParameters } from "./parameters.js";
import { FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, PREFLIGHT, uploadBody } from "./payloads.js";
import { multipart } from "../support/multipart.js";
import { png } from "../support/pictures.js";
import { type Asked, Target } from "./target.js";

/** Milliseconds above which a request is reported. */
const BOUND = 10;
const TIMES = 5;
/** Addresses that ask by turns, so that no limit is met. */
const ADDRESSES = 2_000;

const short = (text: string): string => (text.length > 50 ? `${text.slice(0, 50)}… (${text.length})` : text);

const form = (path: string, body: string): Asked => ({ method: "POST", path, headers: FORM_TYPE, body });
const graphql = (query: string, variables: unknown = {}): Asked => ({
  method: "POST",
  path: "/graphql",
  headers: JSON_TYPE,
  body: JSON.stringify({ query, variables }),
});

const LISTINGS = `
  /posts.json?limit=100 /posts.xml?limit=100 /posts.json?limit=100&tags=order:score /explore/posts/popular.json
  /comments.json?group_by=comment&limit=1000 /comments.json?group_by=post&limit=100 /comments.xml?limit=1000
  /tags.json?limit=1000 /users.json?limit=1000 /pools.json?limit=1000 /notes.json?limit=1000 /artists.json?limit=1000
  /post_versions.json?limit=1000 /wiki_pages.json?limit=1000 /post_votes.json?limit=1000 /related_tag.json?query=a*
  /openapi.json /docs /metrics`
  .trim()
  .split(/\s+/);

const forms: [string, Asked][] = [
  ["urlencoded 1 MB of brackets", form("/posts.json", `a${"[b]".repeat(300_000)}=1`)],
  ["urlencoded 1 MB of percent signs", form("/posts.json", "%".repeat(1_000_000))],
  ["urlencoded 100,000 names", form("/posts.json", "a=1&".repeat(100_000))],
  ["urlencoded 1 MB of one text", form("/posts.json", `tags=${"a".repeat(1_000_000)}`)],
  [
    "JSON of depth 150,000",
    { ...form("/posts.json", `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`), headers: JSON_TYPE },
  ],
  [
    "JSON of 100,000 values",
    { ...form("/posts.json", JSON.stringify({ a: Array(100_000).fill(1) })), headers: JSON_TYPE },
  ],
  ["JSON of 100,000 values to GraphQL", graphql("{ viewer { id } }", { a: Array(100_000).fill(1) })],
  ["multipart of 10,000 fields", multipartOf(10_000, 1, "/uploads.json")],
  ["multipart of 10,000 fields to GraphQL", multipartOf(10_000, 1, "/graphql")],
  ["multipart of 10 MB of fields", multipartOf(10, 1_000_000, "/uploads.json")],
];

function multipartOf(count: number, bytes: number, path: string): Asked {
  const fields = Array.from({ length: count }, (_, index) => ({ name: `f${index}`, content: "a".repeat(bytes) }));
  return {
    method: "POST",
    path,
    headers: { ...MULTIPART_TYPE, ...PREFLIGHT },
    body: multipart(fields),
    signedIn: true,
  };
}

async function requests(target: Target): Promise<[string, Asked][]> {
  const searches = [...PARENTHESES, ...ODDITIES, ...SLOW];
  const long = "a".repeat(1_000_000);
  return [
    ...LISTINGS.map((path): [string, Asked] => [path, { path }]),
    ...forms,
    ...searches.map((text): [string, Asked] => [`search ${short(text)}`, graphql(POSTS, { tags: text })]),
    ...searches.map((text): [string, Asked] => [
      `REST search ${short(text)}`,
      form("/posts.json?_method=GET", `tags=${encodeURIComponent(text)}`),
    ]),
    ...[...DOCUMENTS, ...PAGES].map((query): [string, Asked] => [`GraphQL ${short(query)}`, graphql(query)]),
    ...Object.entries(VALUES).flatMap(([name, values]) =>
      values.map((value): [string, Asked] => [
        `${name}: ${short(value)}`,
        { path: "/posts", headers: { [name]: value } },
      ]),
    ),
    ...(await restParameters(target)).map(({ method, path, name }): [string, Asked] => [
      `${method} ${path} ${name} of 1 MB`,
      { ...form(`${path}?_method=${method}`, `${encodeURIComponent(name)}=${long}`), signedIn: method !== "GET" },
    ]),
    ...(await graphqlArguments(target)).map(({ query, around, isMutation }): [string, Asked] => [
      `GraphQL ${short(query)} at 100,000 elements`,
      { ...graphql(query, { v: JSON.parse(around(`[${"1,".repeat(99_999)}1]`)) as unknown }), signedIn: isMutation },
    ]),
    [
      "an upload",
      {
        method: "POST",
        path: "/uploads.json",
        headers: MULTIPART_TYPE,
        body: uploadBody(await png({ width: 3000, height: 2000 })),
        signedIn: true,
      },
    ],
  ];
}

/** Milliseconds that the process' first thread has run. */
const ran = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;

const board = await AttackedBoard.start({ LIMIT_MEMBER: "1000000000", LIMIT_ADDRESS: "1000000000" });
try {
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => `127.6.${index >> 7}.${(index & 127) + 1}`);
  const target = new Target({ attack: "", url: board.url, facts: board.facts, member: attackerNo(0), addresses });
  let turn = 0;
  const rows: (string | number)[][] = [];
  for (const [name, asked] of await requests(target)) {
    const times: number[] = [];
    let status = 0;
    for (let time = 0; time < TIMES; time += 1) {
      const before = ran(board.pid);
      ({ status } = await target.ask({ ...asked, from: turn++ % ADDRESSES }));
      times.push(ran(board.pid) - before);
    }
    const [least = 0] = times.sort((a, b) => a - b);
    const median = times[Math.floor(TIMES / 2)] ?? 0;
    if (median > BOUND) rows.push([name, String(status), least, median, times.at(-1) ?? 0]);
  }
  rows.sort((a, b) => Number(b[3]) - Number(a[3]));
  process.stdout.write(`${table(["request", "status", "least ms", "median ms", "most ms"], rows)}\n`);
} finally {
  await board[Symbol.asyncDispose]();
}
process.exit();
