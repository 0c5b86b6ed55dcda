/**
 * "No query, error, count, order or timing tells a caller about another's dmails, API keys, hidden topics, flagger names, private
 * favorites and votes":
 * a board gets every possible request, without and with hidden records, and must return the same bytes and do the same work, counted in SQL
 * statements and password hashes.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { makeForumPost, makeTopic } from "../support/forum.js";
import { countQuestions, type Hints, postQuestions, type Question, restQuestions } from "../support/questions.js";
import { makeStage, type Stage } from "../support/stage.js";
import { type Work, workOf } from "../support/work.js";

/** A word that nothing has but what is hidden. */
const WORD = "xylophone";
/** More than any table has rows here. */
const IDS = Array.from({ length: 60 }, (_, index) => index + 1);

let test: TestBoard;
let stage: Stage;
let alice: TestUser;
let member: TestUser;
let janitor: TestUser;
let moderator: TestUser;
beforeAll(async () => {
  test = await startBoard();
  stage = await makeStage(test);
  alice = await test.make.user();
  member = await test.make.user();
  janitor = await test.make.user("Janitor");
  moderator = await test.make.user("Moderator");
}, 60_000);
afterAll(() => test[Symbol.asyncDispose]());

/** What differs from one answer to the next, whatever is asked. */
const CHANGING = /^(date|x-request-id|x-ratelimit-.*|x-api-limit|connection|keep-alive)$/;

/** The statements that what is hidden can have to do with; of others some are spared while the board remembers tags. */
const ABOUT_HIDDEN = /\b(dmails|forum_posts|forum_topics|mod_actions|post_flags|users)\b/;

interface Observed {
  status: number;
  headers: string[];
  text: string;
  work: Work;
}

async function ask(client: Client, { path, method = "GET", body }: Question): Promise<Observed> {
  const send = () => (body ? client.json("POST", path, body) : client.send(path, { method }));
  const { result, work } = await workOf(send);
  const headers = [...result.headers].filter(([name]) => !CHANGING.test(name)).map((pair) => pair.join(": "));
  const statements = work.statements.filter((text) => ABOUT_HIDDEN.test(text));
  return { status: result.status, headers, text: result.text, work: { ...work, statements } };
}

const nameOf = ({ path, method, body }: Question): string =>
  [method ?? "", path, body ? JSON.stringify(body) : ""].join(" ").trim();

/** All answers by their questions. */
async function askAll(client: Client, questions: Question[]): Promise<Map<string, Observed>> {
  const observed = new Map<string, Observed>();
  for (const question of questions) observed.set(nameOf(question), await ask(client, question));
  return observed;
}

/** The questions whose answers differ, with the parts that do. */
const differences = (before: Map<string, Observed>, after: Map<string, Observed>): string[] =>
  [...before].flatMap(([name, observed]) => {
    const now = after.get(name);
    const parts = (["status", "text", "headers", "work"] as const).filter(
      (part) => JSON.stringify(observed[part]) !== JSON.stringify(now?.[part]),
    );
    const [part] = parts;
    return part
      ? [`${name}: ${parts.join()}: ${JSON.stringify(observed[part])} -> ${JSON.stringify(now?.[part])}`]
      : [];
  });

/** Dmails, topics and posts of the forum that are hidden from the start or were hidden later. */
async function hideThings(): Promise<{ topicId: number; postId: number }> {
  const dmail = { to_id: stage.bystander.id, title: WORD, body: `Bring the ${WORD}.` };
  expect((await alice.client.post("/dmails.json", { dmail })).status).toBe(200);
  const first = { original_post_attributes: { body: `About the ${WORD}.` }, min_level: 40 };
  const secret = await makeTopic(test, moderator, { title: WORD, ...first });
  const postId = await makeForumPost(moderator, secret.id, `Another ${WORD}.`);
  await moderator.client.delete(`/forum_posts/${postId}.json`);
  await moderator.client.post(`/forum_posts/${postId}/undelete.json`);
  await hideLater();
  return { topicId: secret.id, postId };
}

/** A topic that everybody saw, in which the staff did this and that, and which is hidden by now. */
async function hideLater(): Promise<void> {
  const topic = await makeTopic(test, alice, { title: `Public ${WORD}` });
  const postId = await makeForumPost(alice, topic.id, `A ${WORD}?`);
  const { client } = janitor;
  await client.put(`/forum_posts/${postId}.json`, { forum_post: { body: `The ${WORD}!` } });
  await client.put(`/forum_topics/${topic.id}.json`, { forum_topic: { title: `One ${WORD}` } });
  await client.delete(`/forum_topics/${topic.id}.json`);
  await client.post(`/forum_topics/${topic.id}/undelete.json`);
  const hidden = await moderator.client.put(`/forum_topics/${topic.id}.json`, { forum_topic: { min_level: 40 } });
  expect(hidden.status).toBe(200);
}

/** Another flagger, key, address for mail and so on; in SQL, which leaves the times of the rows as they are. */
async function changeSecrets(): Promise<void> {
  const { database } = test.board;
  await database.execute(sql`UPDATE post_flags SET creator_id = ${alice.id}`);
  await database.execute(sql`
    UPDATE users SET email = 'xylophone@example.com', last_logged_in_at = now(), last_ip = '192.0.2.1', blacklisted_tags = 'sea',
           password_hash = (SELECT password_hash FROM users WHERE id = ${janitor.id})
     WHERE id = ${alice.id}`);
  await changePrivateLists();
  await database.execute(sql`UPDATE tag_aliases SET forum_topic_id = (SELECT max(id) FROM forum_topics)`);
  await database.execute(sql`UPDATE tag_implications SET forum_topic_id = (SELECT max(id) FROM forum_topics)`);
}

/** A private favorite, favorite group and votes, of which the post's own numbers know nothing. */
async function changePrivateLists(): Promise<void> {
  const { database } = test.board;
  const { posts: post, comments: comment } = stage.records;
  await database.execute(sql`INSERT INTO favorites (user_id, post_id) VALUES (${alice.id}, ${post})`);
  await database.execute(sql`UPDATE users SET favorite_count = 1 WHERE id = ${alice.id}`);
  await database.execute(sql`
    INSERT INTO favorite_groups (creator_id, name, post_ids, post_count) VALUES (${alice.id}, ${WORD}, ARRAY[${post}::int], 1)`);
  await database.execute(sql`INSERT INTO post_votes (user_id, post_id, score) VALUES (${alice.id}, ${post}, 1)`);
  await database.execute(
    sql`INSERT INTO comment_votes (user_id, comment_id, score) VALUES (${alice.id}, ${comment}, 1)`,
  );
  await database.execute(sql`UPDATE uploads SET tag_string = tag_string || ' fav:me upvote:me'`);
}

describe("all responses are the same as without", () => {
  let questions: Question[];
  let viewers: Client[];
  let without: Map<string, Observed>[];
  /** By the viewers. */
  async function askedByAll(): Promise<Map<string, Observed>[]> {
    const observed = [];
    for (const client of viewers) observed.push(await askAll(client, questions));
    return observed;
  }

  beforeAll(async () => {
    const names = [alice.name, moderator.name];
    await test.board.database.user.update({ where: { id: alice.id }, data: { enablePrivateFavorites: true } });
    const hints: Hints = { words: [WORD], names, ids: IDS };
    const records: Record<string, number> = stage.records;
    // the versions and tags that the stage came with are the first ones
    const idOf = ({ path, plural }: ResourceRow): number => records[path.includes(":post_id") ? "posts" : plural] ?? 1;
    questions = [...restQuestions(hints, idOf), ...postQuestions(hints), ...countQuestions(hints)];
    viewers = [test.anonymous, member.client];
    without = await askedByAll();
  }, 120_000);

  it("are the same twice when nothing happened", async () => {
    expect(questions.length).toBeGreaterThan(500);
    const some = questions.filter((_, index) => index % 20 === 0);
    expect(
      differences(
        without[0] as Map<string, Observed>,
        new Map([...(without[0] ?? []), ...(await askAll(test.anonymous, some))]),
      ),
    ).toEqual([]);
  });

  it("others' dmails, hidden topics, other flaggers, other keys, private favorites and votes", async () => {
    await hideThings();
    await changeSecrets();
    const now = await askedByAll();
    expect(now.map((observed, index) => differences(without[index] as Map<string, Observed>, observed))).toEqual([
      [],
      [],
    ]);
  }, 120_000);
});
