/** Topics and posts for the tests of the forum. */
import type { TestBoard } from "./board.js";
import type { Params } from "./client.js";
import type { TestUser } from "./factory.js";

export interface Topic {
  id: number;
  /** its first post */
  postId: number;
}

/** The parameters of a new topic; these override the usual ones. */
export const topicParams = (attributes: Params = {}): Params => ({
  forum_topic: { title: "A question", original_post_attributes: { body: "What is this?" }, ...attributes },
});

/** Opens a topic. */
export async function makeTopic(test: TestBoard, by: TestUser, attributes: Params = {}): Promise<Topic> {
  const { status, text, json } = await by.client.post("/forum_topics.json", topicParams(attributes));
  if (status !== 200) throw new Error(`no topic: ${text}`);
  const { id } = json as { id: number };
  const first = await test.board.database.forumPost.findFirstOrThrow({
    where: { topicId: id },
    orderBy: { id: "asc" },
  });
  return { id, postId: first.id };
}

/** Writes a post. @returns its id */
export async function makeForumPost(by: TestUser, topicId: number, body = "An answer."): Promise<number> {
  const { status, text, json } = await by.client.post("/forum_posts.json", { forum_post: { topic_id: topicId, body } });
  if (status !== 200) throw new Error(`no post: ${text}`);
  return (json as { id: number }).id;
}

/** The row of a topic. */
export const topicRow = (test: TestBoard, id: number) =>
  test.board.database.forumTopic.findUniqueOrThrow({ where: { id } });

/** The row of a post. */
export const forumPostRow = (test: TestBoard, id: number) =>
  test.board.database.forumPost.findUniqueOrThrow({ where: { id } });
