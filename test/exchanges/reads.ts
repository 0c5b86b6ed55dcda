/** Every read: every row in both formats and by HEAD, every search, every count, every page. */
import type { ResourceRow } from "../../rest/adapter/row.js";
import { fieldOf, isRead, rows } from "../support/rest-rows.js";
import { countQuestions, type Hints, postQuestions, type Question, restQuestions } from "../support/questions.js";
import type { RecordingClient } from "./recorder.js";
import type { Cast } from "./stage.js";

/** Of the searches every so many is asked by those who are not visitors; of everything else the half. */
const SAMPLE = 20;

const ask = (client: RecordingClient, { path, method = "GET", body }: Question) =>
  body ? client.json("POST", path, body) : client.send(path, { method });

export async function recordReads(cast: Cast): Promise<void> {
  const { stage, visitor, member, browser, moderator, admin } = cast;
  const records: Record<string, number> = stage.records;
  const idOf = ({ path, plural }: ResourceRow): number => records[path.includes(":post_id") ? "posts" : plural] ?? 1;
  const hints: Hints = { words: ["sea"], names: [stage.owner.name], ids: [1, 2, 3] };
  const asked = [...restQuestions(hints, idOf), ...postQuestions(hints), ...countQuestions(hints)];
  const isSearch = ({ path }: Question) => path.includes("search%5B") && !path.includes("autocomplete");
  for (const [index, question] of asked.entries())
    if (!isSearch(question) || index % 2 === 0) await ask(visitor, question);
  for (const [shift, client] of [member, browser, moderator, admin].entries()) {
    for (const [index, question] of asked.entries())
      if (isSearch(question) ? index % SAMPLE === shift : index % 2 === shift % 2) await ask(client, question);
  }
  for (const path of posts(stage.records.posts)) for (const client of [visitor, member]) await client.get(path);
  for (const path of lists()) await visitor.get(path);
}

/** Posts as clients ask for them all day. */
const posts = (id: number): string[] => [
  ...["limit=2", "limit=2&page=2", "limit=2&page=b4", "limit=2&page=a2", "limit=0", "limit=1000", "limit=-1"].map(
    (query) => `/posts.json?${query}`,
  ),
  ...["sea", "-sea", "sea ship", "~sea ~ship", "s*", "id:1..3", "order:id", "nothing_like_it", "", "  "].flatMap(
    (tags) => ["json", "xml"].map((format) => `/posts.${format}?tags=${encodeURIComponent(tags)}`),
  ),
  "/posts.json?raw=1&tags=sea",
  "/posts.json?md5=d41d8cd98f00b204e9800998ecf8427e",
  "/posts.json?only=id,md5",
  "/posts.xml?only=id,tag_string",
  "/posts.json?only=",
  "/posts.json?only=nonsense",
  "/posts.json?tags=sea&tags=ship",
  "/posts.json?tags[]=sea&limit=1",
  "/posts.json?search[nonsense]=1&search[other]=2",
  `/posts.json?tags=${"a+".repeat(60)}`,
  "/posts.json?page=100000",
  "/posts.json?page=x",
  "/posts.json?limit=abc",
  `/posts/${id}.json?only=id`,
  `/posts/${id}.xml`,
  "/posts/99999.json",
  "/posts/99999.xml",
];

/** The second page of each list, and one by id. */
const lists = (): string[] =>
  rows
    .filter((named) => isRead(named) && !named[1].path.includes(":") && fieldOf(named[1]) !== "randomPost")
    .flatMap(([, { path }]) => [`${path}.json?limit=1&page=2`, `${path}.xml?page=b3&limit=2`, `${path}.json?limit=x`]);
