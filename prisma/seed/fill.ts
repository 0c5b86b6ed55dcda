/** Fills a board, one kind of record after the other. */
import sharp from "sharp";
import type { DemoClient } from "./board.js";
import { type DemoPost, demoPosts } from "./posts.js";
import * as texts from "./texts.js";

/** The users of the demo. */
export type UserName = "lumen" | "wren" | "halden";

/** What the steps share: a client for each user, and the posts' numbers on the board. */
export interface Demo {
  as: Record<UserName, DemoClient>;
  /** the number of the post at this place of the list */
  post: (index: number) => number;
}

const encode = (post: DemoPost): Promise<Buffer> => {
  const drawn = sharp(Buffer.from(post.svg)).flatten();
  return { png: drawn.png(), jpg: drawn.jpeg({ quality: 92 }), webp: drawn.webp({ quality: 92 }) }[
    post.format
  ].toBuffer();
};

/** One after the other, so that their numbers are in the list's order. @returns the posts' numbers */
export async function upload(as: Demo["as"]): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, post] of demoPosts.entries()) {
    const { post_id } = await as[post.uploader].rest<{ post_id: number }>("POST", "/uploads.json", {
      "upload[file]": new File([new Uint8Array(await encode(post))], `demo-${index}.${post.format}`),
      "upload[tag_string]": post.tags,
      "upload[rating]": post.rating,
      "upload[source]": post.source,
    });
    ids.push(post_id);
  }
  return ids;
}

const APPROVE = "mutation($input: ApprovePostInput!) { approvePost(input: $input) { post { isPending } } }";

/** What a member uploads waits; all but the last are approved. */
export async function approve({ as, post }: Demo): Promise<void> {
  const waiting = demoPosts.flatMap(({ uploader }, index) => (uploader === "wren" ? [index] : []));
  for (const index of waiting.slice(0, -1)) await as.halden.graphql(APPROVE, { input: { id: post(index) } });
}

/** Artists and wiki pages. */
export async function describeTags({ as }: Demo): Promise<void> {
  for (const { name, others, urls } of texts.artists) {
    await as.lumen.rest("POST", "/artists.json", {
      "artist[name]": name,
      "artist[other_names_comma]": others,
      "artist[url_string]": urls,
    });
  }
  for (const { title, body } of texts.wikiPages)
    await as.lumen.rest("POST", "/wiki_pages.json", { "wiki_page[title]": title, "wiki_page[body]": body });
}

const NOTE = "mutation($input: CreateNoteInput!) { createNote(input: $input) { note { id } } }";
const SIZE = "query($id: Int!) { post(id: $id) { imageWidth imageHeight } }";

/** Comments by REST, notes by GraphQL. */
export async function annotate({ as, post }: Demo): Promise<void> {
  for (const { by, post: index, body } of texts.comments)
    await as[by].rest("POST", "/comments.json", { "comment[post_id]": post(index), "comment[body]": body });
  for (const { by, post: index, box, body } of texts.notes) {
    const { post: size } = await as[by].graphql<{ post: { imageWidth: number; imageHeight: number } }>(SIZE, {
      id: post(index),
    });
    const [x, y, width, height] = box.map((part, at) =>
      Math.round(part * (at % 2 ? size.imageHeight : size.imageWidth)),
    );
    await as[by].graphql(NOTE, { input: { postId: post(index), x, y, width, height, body } });
  }
}

const POOL = "mutation($input: CreatePoolInput!) { createPool(input: $input) { pool { id } } }";

/** Parents and pools. */
export async function connect({ as, post }: Demo): Promise<void> {
  for (const [child, parent] of texts.families)
    await as.lumen.rest("PUT", `/posts/${post(child)}.json`, { "post[parent_id]": post(parent) });
  for (const { name, category, posts, text } of texts.pools) {
    const input = { name, category: category.toUpperCase(), description: text, postIds: posts.map(post) };
    await as.lumen.graphql(POOL, { input });
  }
}

/** Favorites, votes and the one flag. */
export async function judge({ as, post }: Demo): Promise<void> {
  for (const name of ["lumen", "wren", "halden"] as const) {
    for (const index of texts.favorites[name]) await as[name].rest("POST", "/favorites.json", { post_id: post(index) });
    for (const index of texts.votes[name])
      await as[name].rest("POST", `/posts/${post(index)}/votes.json`, { score: "up" });
  }
  const { by, post: index, reason } = texts.flagged;
  await as[by].rest("POST", "/post_flags.json", { "post_flag[post_id]": post(index), "post_flag[reason]": reason });
}

/** The last step: its last topic says that all is there. */
export async function discuss({ as }: Demo): Promise<void> {
  for (const { by, title, body, replies } of texts.topics) {
    const { id } = await as[by].rest("POST", "/forum_topics.json", {
      "forum_topic[title]": title,
      "forum_topic[original_post_attributes][body]": body,
    });
    for (const reply of replies)
      await as.lumen.rest("POST", "/forum_posts.json", { "forum_post[topic_id]": id, "forum_post[body]": reply });
  }
}
