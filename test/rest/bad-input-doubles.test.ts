/** Duplicates, which are refused: each refusal in both formats, with nothing changed. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { requestOf, rowOf, sendTo } from "../support/rest-rows.js";
import { faulty } from "../support/refusal-matrix.js";
import type { Input } from "../support/recipes.js";
import { exists, NOT_FOUND, type Rule, type Rules, startRules } from "../support/rules.js";
import { fresh } from "../support/stage.js";

let rules: Rules;
beforeAll(async () => {
  rules = await startRules();
}, 60_000);
afterAll(() => rules[Symbol.asyncDispose]());

/** Does it once as the Member, which succeeds. @returns the input */
async function once(name: string, input: Input): Promise<Input> {
  const [, row] = rowOf(name);
  const { path, attributes } = requestOf(row, input);
  const { status, text } = await sendTo(rules.member.client, row, `${path}.json`, { [row.resource]: attributes });
  if (status !== 200) throw new Error(`${name}: ${text}`);
  return input;
}

const post = (columns = {}): Promise<number> => rules.stage.anotherPost(columns);
const comment = (): Promise<number> => rules.stage.another("comments");

/** The same again, or with other values. */
const twice =
  (name: string, make: () => Promise<Input>, again: Input = {}) =>
  async (): Promise<Input> => ({ ...(await once(name, await make())), ...again });

const rule = (name: string, what: string, make: () => Promise<Input>, expected: Rule[3], again: Input = {}): Rule => [
  name,
  what,
  twice(name, make, again),
  expected,
];

describe("the same write a second time", () => {
  const vote = async () => ({ postId: await post(), score: "UP" });
  const commentVote = async () => ({ commentId: await comment(), score: "DOWN" });

  it.each<Rule>([
    rule("POST /favorites", "a favorite", async () => ({ postId: await post() }), exists("already exists")),
    rule("POST /posts/:post_id/votes", "the same vote", vote, exists("already voted")),
    rule("POST /posts/:post_id/votes", "the other vote", vote, exists("already voted"), { score: "DOWN" }),
    rule("POST /comments/:comment_id/votes", "the same vote", commentVote, exists("already voted")),
    rule("POST /comments/:comment_id/votes", "the other vote", commentVote, exists("already voted"), { score: "UP" }),
    rule("POST /post_flags", "a flag", async () => ({ postId: await post(), reason: "A" }), exists("already flagged"), {
      reason: "B",
    }),
    rule(
      "POST /post_appeals",
      "an appeal",
      async () => ({ postId: await post({ is_deleted: true }), reason: "A" }),
      exists("already appealed"),
      { reason: "B" },
    ),
  ])("%s is 423: %s", (...each) => rules.check(each));

  const deletion = (make: () => Promise<Input>, creation: string, input: Input) => async () => {
    const made = await make();
    await once(creation, { ...made, ...input });
    return made;
  };

  it.each<Rule>([
    rule(
      "DELETE /favorites/:post_id",
      "a favorite",
      deletion(async () => ({ postId: await post() }), "POST /favorites", {}),
      NOT_FOUND,
    ),
    rule(
      "DELETE /posts/:post_id/votes",
      "a vote",
      deletion(async () => ({ postId: await post() }), "POST /posts/:post_id/votes", { score: "UP" }),
      NOT_FOUND,
    ),
    rule(
      "DELETE /comments/:comment_id/votes",
      "a vote",
      deletion(async () => ({ commentId: await comment() }), "POST /comments/:comment_id/votes", { score: "DOWN" }),
      NOT_FOUND,
    ),
  ])("%s is 404: %s", (...each) => rules.check(each));
});

describe("a taken name", () => {
  const TAKEN = faulty(423, "name", "is already taken");
  const TITLE_TAKEN = faulty(423, "title", "is already taken");
  const pool = async () => ({ name: fresh("fleet"), description: "Ships." });
  const page = async () => ({ title: fresh("ship"), body: "!" });
  /** In another spelling of the same name. */
  const respelled = (name: string, field: string, make: () => Promise<Input>) => async (): Promise<Input> => {
    const input = await once(name, await make());
    return {
      ...input,
      [field]: (input[field] as string).toUpperCase().replace("_", " "),
    };
  };

  it.each<Rule>([
    rule("POST /artists", "an artist", async () => ({ name: fresh("by") }), TAKEN),
    ["POST /artists", "in capitals", respelled("POST /artists", "name", async () => ({ name: fresh("by") })), TAKEN],
    rule("POST /pools", "a pool", pool, TAKEN),
    ["POST /pools", "a pool in capitals", respelled("POST /pools", "name", pool), TAKEN],
    rule("POST /wiki_pages", "a wiki page", page, TITLE_TAKEN),
    ["POST /wiki_pages", "in capitals", respelled("POST /wiki_pages", "title", page), TITLE_TAKEN],
    rule("POST /users", "a user", async () => ({ name: fresh("sailor"), password: "a good one" }), TAKEN),
    [
      "POST /users",
      "a user in capitals",
      async () => ({ name: rules.member.name.toUpperCase(), password: "a good one" }),
      TAKEN,
    ],
  ])("%s is 423: %s", (...each) => rules.check(each));

  const taken = faulty(420, "name", "is already taken");
  const artist = (): Promise<number> => rules.own("artists", { name: fresh("by") });
  const nameOf = async (table: "artist" | "pool") => {
    const [name, id] = [fresh("taken"), table === "artist" ? "artists" : "pools"] as const;
    await rules.own(id, { name });
    return name;
  };
  const titled = async () => {
    const title = fresh("taken");
    await rules.own("wiki_pages", { title });
    return title;
  };
  const fleet = (): Promise<number> => rules.own("pools", { name: fresh("fleet") });
  const ship = (): Promise<number> => rules.own("wiki_pages", { title: fresh("ship") });

  it.each<Rule>([
    ["PUT /artists/:id", "an artist", async () => ({ id: await artist(), name: await nameOf("artist") }), taken],
    [
      "PUT /artists/:id/revert",
      "an artist",
      async () => {
        const id = await artist();
        const state = { artist_id: id, name: await nameOf("artist") };
        return { id, versionId: await rules.stage.version("artist_versions", state) };
      },
      taken,
    ],
    ["PUT /pools/:id", "a pool", async () => ({ id: await fleet(), name: await nameOf("pool") }), taken],
    [
      "PUT /pools/:id/revert",
      "a pool",
      async () => {
        const id = await fleet();
        const state = { pool_id: id, name: await nameOf("pool") };
        return { id, versionId: await rules.stage.version("pool_versions", state) };
      },
      taken,
    ],
    [
      "PUT /wiki_pages/:id",
      "a wiki page",
      async () => ({ id: await ship(), title: await titled() }),
      faulty(420, "title", "is already taken"),
    ],
    [
      "PUT /wiki_pages/:id/revert",
      "a wiki page",
      async () => {
        const id = await ship();
        const state = { wiki_page_id: id, title: await titled() };
        return { id, versionId: await rules.stage.version("wiki_page_versions", state) };
      },
      faulty(420, "title", "is already taken"),
    ],
  ])("%s is 420: %s", (...each) => rules.check(each));
});

describe("a duplicate file", () => {
  it("POST /uploads is 423, and names the post", async () => {
    const upload = { file: await rules.test.make.picture(), rating: "s", tagString: "sea" };
    const { json } = await rules.member.client.post("/uploads.json", {
      upload: { file: upload.file, rating: "s", tag_string: "sea" },
    });
    const { post_id } = json as { post_id: number };
    const expected = { ...exists("duplicate"), extra: { post_id, location: `/posts/${post_id}` } };
    // the upload that failed is a row of its own
    await rules.check(
      ["POST /uploads", "the same file", async () => upload, expected],
      ["member", "admin"],
      ["uploads"],
    );
  });
});
