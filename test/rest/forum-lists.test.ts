import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, statementsOf, type TestBoard } from "../support/board.js";
import type { Client, Params } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { makeForumPost, makeTopic, type Topic } from "../support/forum.js";

let test: TestBoard;
let ann: TestUser;
let ben: TestUser;
let janitor: TestUser;
let moderator: TestUser;
let rules: Topic;
let tags: Topic;
let bug: Topic;
let gone: Topic;
let answer: number;
beforeAll(async () => {
  test = await startBoard();
  ann = await test.make.user("Member", "Ann_Lee");
  ben = await test.make.user();
  janitor = await test.make.user("Janitor");
  moderator = await test.make.user("Moderator");
  rules = await makeTopic(test, moderator, { title: "Rules", is_sticky: "1" });
  tags = await makeTopic(test, ann, { title: "Tagging foxes", category_id: 1 });
  bug = await makeTopic(test, ben, { title: "Uploads fail", category_id: 2 });
  gone = await makeTopic(test, ben, { title: "Foxes gone" });
  await ben.client.delete(`/forum_topics/${gone.id}.json`);
  answer = await makeForumPost(ben, tags.id, "Sleeping foxes are tagged sleeping.");
  const deleted = await makeForumPost(ben, tags.id, "Never mind.");
  await ben.client.delete(`/forum_posts/${deleted}.json`);
});
afterAll(() => test[Symbol.asyncDispose]());

type Record = { id: number; title: string; body: string };
const titles = async (search: Params = {}, more: Params = {}, by: Client = test.anonymous): Promise<string[]> =>
  ((await by.get("/forum_topics.json", { search, ...more })).json as Record[]).map((each) => each.title);
const bodies = async (search: Params = {}, more: Params = {}, by: Client = test.anonymous): Promise<string[]> =>
  ((await by.get("/forum_posts.json", { search, ...more })).json as Record[]).map((each) => each.body);

describe("GET /forum_topics.json", () => {
  it("lists sticky topics first, then by the newest post; deleted ones for Janitors", async () => {
    expect(await titles()).toEqual(["Rules", "Tagging foxes", "Uploads fail"]);
    expect(await titles({}, {}, janitor.client)).toEqual(["Rules", "Tagging foxes", "Foxes gone", "Uploads fail"]);
    expect(await titles({ is_deleted: "false" }, {}, janitor.client)).toEqual(await titles());
    expect(await titles({ is_deleted: "true" })).toEqual(["Foxes gone"]);
  });

  it.each([
    ["words of the title", { title_matches: "fox tag" }, ["Tagging foxes"]],
    ["a pattern of the title", { title_matches: "*FAIL*" }, ["Uploads fail"]],
    ["the exact title", { title: "Tagging foxes" }, ["Tagging foxes"]],
    ["another title", { title: "tagging foxes" }, []],
    ["category", { category_id: 2 }, ["Uploads fail"]],
    ["several categories", { category_id: "1,2" }, ["Tagging foxes", "Uploads fail"]],
    ["creator's name", { creator_name: "ann lee" }, ["Tagging foxes"]],
    ["state", { is_sticky: "true", is_locked: "false" }, ["Rules"]],
  ])("searches by %s", async (_, search, found) => {
    expect(await titles(search)).toEqual(found);
  });

  it("424 for an unknown category", async () => {
    const { status, json } = await test.anonymous.get("/forum_topics.json", { search: { category_id: 7 } });
    expect([status, json.reason]).toEqual([424, "search[category_id] must be one of 0, 1, 2"]);
  });

  it("pages by number and by id, in XML too", async () => {
    expect(await titles({ creator_id: `${ann.id},${ben.id}` }, { limit: 1, page: 2 })).toEqual(["Uploads fail"]);
    expect(await titles({}, { page: `b${bug.id}` })).toEqual(["Tagging foxes", "Rules"]);
    expect(await titles({ id: bug.id })).toEqual(["Uploads fail"]);
    const { text } = await test.anonymous.get("/forum_topics.xml", { search: { title: "none" } });
    expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><forum-topics type="array"/>');
  });

  it("has 40 topics a page", async () => {
    const by = { creatorId: ann.id, updaterId: ann.id };
    const data = Array.from({ length: 41 }, () => ({ title: "one of many", ...by }));
    await test.board.database.forumTopic.createMany({ data });
    expect(await titles({ title: "one of many" })).toHaveLength(40);
    expect(await titles({ title: "one of many" }, { limit: 100 })).toHaveLength(41);
    await test.board.database.forumTopic.deleteMany({ where: { title: "one of many" } });
  });
});

describe("GET /forum_posts.json", () => {
  it("lists newest first; deleted ones for Janitors", async () => {
    const all = [
      "Sleeping foxes are tagged sleeping.",
      "What is this?",
      "What is this?",
      "What is this?",
      "What is this?",
    ];
    expect(await bodies()).toEqual(all);
    expect(await bodies({}, { limit: 2 }, janitor.client)).toEqual(["Never mind.", all[0]]);
    expect(await bodies({ is_deleted: "1" })).toEqual([""]);
  });

  it("searches by text, creator, topic, and the topic's title and category", async () => {
    const found = ["Sleeping foxes are tagged sleeping."];
    expect(await bodies({ body_matches: "sleep fox" })).toEqual(found);
    expect(await bodies({ body_matches: "*ARE tag*" })).toEqual(found);
    expect(await bodies({ topic_id: tags.id, creator_id: ben.id })).toEqual(found);
    expect(await bodies({ topic_id: tags.id, creator_name: "ann LEE" })).toEqual(["What is this?"]);
    expect(await bodies({ topic_title_matches: "tag" })).toEqual([...found, "What is this?"]);
    expect(await bodies({ topic_category_id: 1 })).toEqual([...found, "What is this?"]);
    expect(await bodies({ topic_category_id: 2 })).toEqual(["What is this?"]);
    expect(await bodies({ id: `${answer}` })).toEqual(found);
    expect(await bodies({ creator_name: "nobody" })).toEqual([]);
  });

  it("pages by id, in XML too", async () => {
    expect(await bodies({ topic_id: tags.id }, { page: `b${answer}` })).toEqual(["What is this?"]);
    const { text } = await test.anonymous.get("/forum_posts.xml", {
      search: { id: answer },
      only: "id,topic_id,is_deleted",
    });
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><forum-posts type="array"><forum-post><id type="integer">${answer}</id><topic-id type="integer">${tags.id}</topic-id><is-deleted type="boolean">false</is-deleted></forum-post></forum-posts>`,
    );
  });
});

describe("the forum in GraphQL", () => {
  it("returns topics with their posts and posts with their topic, in few statements", async () => {
    const { json, headers } = await test.anonymous.graphql(
      `{ forumTopics(search: { id: [${rules.id}, ${tags.id}] }) {
           totalCount
           nodes { title categoryId creator { name } posts(first: 2) { body topic { title } creator { id } } viewerCan { reply } }
         } }`,
    );
    const first = { body: "What is this?" };
    expect(json.data.forumTopics).toEqual({
      totalCount: 2,
      nodes: [
        {
          title: "Rules",
          categoryId: "GENERAL",
          creator: { name: moderator.name },
          posts: [{ ...first, topic: { title: "Rules" }, creator: { id: moderator.id } }],
          viewerCan: { reply: false },
        },
        {
          title: "Tagging foxes",
          categoryId: "TAGS",
          creator: { name: "Ann_Lee" },
          posts: [
            { ...first, topic: { title: "Tagging foxes" }, creator: { id: ann.id } },
            {
              body: "Sleeping foxes are tagged sleeping.",
              topic: { title: "Tagging foxes" },
              creator: { id: ben.id },
            },
          ],
          viewerCan: { reply: false },
        },
      ],
    });
    // The page, its count, who opened them, their posts, their topics, who wrote them.
    expect(await statementsOf(test, headers.get("x-request-id"))).toBe(6);
  });

  it("returns what the viewer may do", async () => {
    const query = `{ forumPost(id: ${answer}) { viewerCan { update delete undelete } topic { viewerCan { reply update moderate } } } }`;
    const can = async ({ client }: TestUser) => (await client.graphql(query)).json.data.forumPost as unknown;
    expect(await can(ben)).toEqual({
      viewerCan: { update: true, delete: true, undelete: false },
      topic: { viewerCan: { reply: true, update: false, moderate: false } },
    });
    expect(await can(moderator)).toEqual({
      viewerCan: { update: true, delete: true, undelete: true },
      topic: { viewerCan: { reply: true, update: true, moderate: true } },
    });
  });

  it("has the same rules for writes", async () => {
    const create = `mutation ($input: CreateForumTopicInput!) {
      createForumTopic(input: $input) { forumTopic { title categoryId posts { body } } } }`;
    const input = { title: "By GraphQL", categoryId: "TAGS", originalPostAttributes: { body: "Hello." } };
    const made = await ann.client.graphql(create, { input });
    expect(made.json.data.createForumTopic.forumTopic).toEqual({
      title: "By GraphQL",
      categoryId: "TAGS",
      posts: [{ body: "Hello." }],
    });
    const sticky = await ann.client.graphql(create, { input: { ...input, isSticky: true } });
    expect(sticky.json.errors[0].extensions).toMatchObject({ status: 403, reason: "access denied" });
  });
});
