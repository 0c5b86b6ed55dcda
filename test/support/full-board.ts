/** A board with records of every kind, with histories, counters and states, all made through the APIs. */
import type { TestBoard } from "./board.js";
import type { Answer, Params } from "./client.js";
import type { TestUser } from "./factory.js";
import { makeForumPost, makeTopic } from "./forum.js";
import { approve } from "./jobs.js";
import { jpeg } from "./pictures.js";

async function ok(answer: Promise<Answer>): Promise<{ id: number }> {
  const { status, text, json } = await answer;
  if (status !== 200) throw new Error(text);
  return json as { id: number };
}

export type FullBoard = Awaited<ReturnType<typeof fillBoard>>;

/** Fills the board. @returns numbers of records that tests look at */
export async function fillBoard(test: TestBoard) {
  const owner = await test.make.user("Admin");
  const member = await test.make.user("Member");
  const posts = await makePosts(test, owner);
  const { parent, child } = posts;
  const comments = await discuss(owner, member, parent);
  const texts = await describe(owner, parent, child);
  const topic = await makeTopic(test, owner);
  await makeForumPost(member, topic.id);
  await ok(member.client.post("/dmails.json", { dmail: { to_name: owner.name, title: "Ahoy", body: "Tab\there\\." } }));
  await judge(test, owner, member, posts);
  const alias = await relate(test, owner, "Alias", "boat", "ship");
  const implication = await relate(test, owner, "Implication", "ship", "vessel");
  return { owner, member, ...posts, ...comments, ...texts, topic: topic.id, alias, implication };
}

async function makePosts(test: TestBoard, owner: TestUser) {
  const large = new Blob([new Uint8Array(await jpeg({ width: 900, height: 90, seed: 77_001 }))]);
  const { id: parent } = await test.make.post("ship sea", { file: large }, owner);
  const { id: child } = await test.make.post(`boat sea parent:${parent}`, {}, owner);
  const { id: deleted } = await test.make.post("boat rain", {}, owner);
  const { id: single } = await test.make.post("rain art:a_painter", {}, owner);
  const { id: gone } = await test.make.post(`ship parent:${parent}`, {}, owner);
  await ok(owner.client.put(`/posts/${child}.json`, { post: { tag_string: "boat sea sun", source: "a\nb" } }));
  await test.board.postModeration.delete("board", deleted, "A boat.");
  await ok(owner.client.post("/favorites.json", { post_id: gone }));
  const expunged = await owner.client.graphql(`mutation { expungePost(input: { id: ${gone} }) { postId } }`);
  if (expunged.json.errors) throw new Error(expunged.text);
  return { parent, child, deleted, single };
}

async function discuss(owner: TestUser, member: TestUser, post_id: number) {
  const write = (body: string, attributes: Params = {}) =>
    ok(member.client.post("/comments.json", { comment: { post_id, body, ...attributes } }));
  const { id: comment } = await write("A fine ship.");
  const { id: deletedComment } = await write("No.");
  await write("Not to be bumped.", { do_not_bump_post: true });
  await ok(member.client.delete(`/comments/${deletedComment}.json`));
  await ok(owner.client.post(`/comments/${comment}/votes.json`, { score: "down" }));
  return { comment };
}

async function describe(owner: TestUser, post_id: number, second: number) {
  const { client } = owner;
  const box = { post_id, x: 1, y: 1, width: 9, height: 9 };
  const { id: note } = await ok(client.post("/notes.json", { note: { ...box, body: "a sail" } }));
  await ok(client.put(`/notes/${note}.json`, { note: { body: "two sails" } }));
  const { id: removed } = await ok(client.post("/notes.json", { note: { ...box, post_id: second, body: "a mast" } }));
  await ok(client.delete(`/notes/${removed}.json`));
  const { id: pool } = await ok(client.post("/pools.json", { pool: { name: "fleet", description: "Ships." } }));
  await ok(client.put(`/pools/${pool}.json`, { pool: { post_ids: [post_id, second, post_id] } }));
  const urls = { url_string: "https://example.com/a https://example.com/b" };
  const { id: artist } = await ok(client.post("/artists.json", { artist: { name: "a_painter", ...urls } }));
  await ok(client.put(`/artists/${artist}.json`, { artist: { url_string: "-https://example.com/b" } }));
  const { id: wiki } = await ok(client.post("/wiki_pages.json", { wiki_page: { title: "ship", body: "It swims." } }));
  await ok(client.put(`/wiki_pages/${wiki}.json`, { wiki_page: { body: "It sails.", other_names: "fune" } }));
  const commentary = { artist_commentary: { post_id, original_title: "Fune" } };
  const { id: commentaryId } = await ok(client.post("/artist_commentaries/create_or_update.json", commentary));
  return { note, pool, artist, wiki, commentary: commentaryId };
}

async function judge(
  test: TestBoard,
  owner: TestUser,
  member: TestUser,
  posts: { parent: number; child: number; deleted: number },
): Promise<void> {
  await ok(owner.client.post(`/posts/${posts.parent}/votes.json`, { score: "up" }));
  await ok(member.client.post("/favorites.json", { post_id: posts.parent }));
  await ok(member.client.post("/post_flags.json", { post_flag: { post_id: posts.child, reason: "A boat." } }));
  await ok(member.client.post("/post_appeals.json", { post_appeal: { post_id: posts.deleted, reason: "A ship." } }));
  const banned = await test.make.user();
  const input = { userId: banned.id, reason: "Piracy.", duration: 3 };
  const ban = "mutation($input: BanUserInput!) { banUser(input: $input) { ban { id } } }";
  const answer = await owner.client.graphql(ban, { input });
  if (answer.json.errors) throw new Error(answer.text);
}

/** Approved, and applied as a worker would. */
async function relate(test: TestBoard, admin: TestUser, kind: "Alias" | "Implication", from: string, to: string) {
  const id = await approve(admin, kind, from, to);
  await test.board.tagRelationApplier.apply(kind === "Alias" ? "alias" : "implication", id);
  return id;
}
