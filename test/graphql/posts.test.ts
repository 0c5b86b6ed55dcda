/** Posts through POST /graphql: their fields, and searches. Pictures of tests are small, hence `lowres`. */
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";
import type { TestPost, TestUser } from "../support/factory.js";
import { jpeg } from "../support/pictures.js";

let test: TestBoard;
let member: TestUser;
beforeAll(async () => {
  test = await startBoard();
  member = await test.make.user();
});
afterAll(() => test[Symbol.asyncDispose]());

describe("post", () => {
  const POST = `query($id: Int!) { post(id: $id) {
    uploader { id name } uploaderName approver { name }
    parent { id hasChildren children { id } } children { id parent { id } } childIds hasVisibleChildren
    tags { name category postCount } tagString tagStringArtist tagStringCharacter
    tagCount tagCountArtist rating score fileExt fileSize md5
    fileUrl largeFileUrl previewFileUrl
    mediaFile { md5 imageWidth imageHeight variants { type width height url fileExt } }
    viewerCan { update vote lock }
  } }`;
  let parent: TestPost;
  let post: TestPost;
  let child: TestPost;
  beforeAll(async () => {
    parent = await test.make.post("family");
    post = await test.make.post("family apple artist:alma character:anna", { parent_id: parent.id });
    child = await test.make.post("family", { parent_id: post.id });
    const { id: approverId } = await test.make.user("Janitor", "jane");
    await test.board.database.post.update({ where: { id: post.id }, data: { approverId } });
  });

  it("has its fields and related records", async () => {
    const { json } = await test.anonymous.graphql(POST, { id: post.id });
    const { fileSize } = await test.board.database.post.findUniqueOrThrow({ where: { id: post.id } });
    const folder = `${test.url}/data`;
    const original = `${folder}/original/${post.md5.slice(0, 2)}/${post.md5.slice(2, 4)}/${post.md5}.jpg`;
    const { fileUrl, largeFileUrl, previewFileUrl, mediaFile, ...rest } = json.data.post;
    expect(rest).toEqual({
      uploader: { id: post.uploader.id, name: post.uploader.name },
      uploaderName: post.uploader.name,
      approver: { name: "jane" },
      parent: { id: parent.id, hasChildren: true, children: [{ id: post.id }] },
      children: [{ id: child.id, parent: { id: post.id } }],
      childIds: [child.id],
      hasVisibleChildren: true,
      tags: [
        { name: "alma", category: "ARTIST", postCount: 1 },
        { name: "anna", category: "CHARACTER", postCount: 1 },
        { name: "apple", category: "GENERAL", postCount: 1 },
        { name: "family", category: "GENERAL", postCount: 3 },
        { name: "lowres", category: "GENERAL", postCount: 3 },
      ],
      tagString: "alma anna apple family lowres",
      tagStringArtist: "alma",
      tagStringCharacter: "anna",
      tagCount: 5,
      tagCountArtist: 1,
      rating: "SAFE",
      score: 0,
      fileExt: "jpg",
      fileSize,
      md5: post.md5,
      viewerCan: { update: false, vote: false, lock: false },
    });
    expect([fileUrl, largeFileUrl]).toEqual([original, original]);
    expect(mediaFile).toEqual({
      md5: post.md5,
      imageWidth: 64,
      imageHeight: 48,
      variants: [
        { type: "preview", width: 64, height: 48, url: previewFileUrl, fileExt: "jpg" },
        { type: "original", width: 64, height: 48, url: original, fileExt: "jpg" },
      ],
    });
    expect((await fetch(previewFileUrl as string)).headers.get("content-type")).toBe("image/jpeg");
  });

  it("has thumbnails in several sizes, none larger than the file, and a placeholder", async () => {
    const file = new Blob([new Uint8Array(await jpeg({ width: 640, height: 400, seed: 64_000 }))]);
    const { id, md5 } = await test.make.post("family", { file });
    const document = `query($id: Int!) { post(id: $id) { thumbnail { url srcSet width height placeholder } } }`;
    const { json } = await test.anonymous.graphql(document, { id });
    const at = (name: string) =>
      `${test.url}/data/${name.replace("*", `${md5.slice(0, 2)}/${md5.slice(2, 4)}/${md5}`)}`;
    const url = at("preview/*.jpg");
    expect(json.data.post.thumbnail).toEqual({
      url,
      srcSet: `${url} 180w, ${at("360x360/*.webp")} 360w, ${at("720x720/*.webp")} 640w`,
      width: 180,
      height: 113,
      placeholder: expect.stringMatching(/^[A-Za-z0-9+/]{20,36}=*$/),
    });
    for (const [each, type, width] of [
      [url, "image/jpeg", 180],
      [at("360x360/*.webp"), "image/webp", 360],
      [at("720x720/*.webp"), "image/webp", 640],
    ] as const) {
      const answer = await fetch(each);
      const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([answer.status, answer.headers.get("content-type"), picture.width]).toEqual([200, type, width]);
    }
  });

  it("has the viewer's rights", async () => {
    const can = async (user: TestUser) =>
      (
        await user.client.graphql(`query($id: Int!) { post(id: $id) { viewerCan { update vote lock } } }`, {
          id: post.id,
        })
      ).json.data.post.viewerCan;
    expect(await can(member)).toEqual({ update: true, vote: true, lock: false });
    expect(await can(await test.make.user("Platinum"))).toEqual({ update: true, vote: true, lock: false });
    expect(await can(await test.make.user("Builder"))).toEqual({ update: true, vote: true, lock: true });
    expect(await can(await test.make.user("Restricted"))).toEqual({ update: false, vote: false, lock: false });
  });

  it("is null for an unknown id", async () => {
    const { status, json } = await test.anonymous.graphql(POST, { id: 2_147_483_647 });
    expect([status, json.data, json.errors]).toEqual([200, { post: null }, undefined]);
  });

  it("hides only the file of a banned post from everybody below Gold", async () => {
    const banned = await test.make.post("banned_one");
    await test.board.database.post.update({ where: { id: banned.id }, data: { isBanned: true } });
    const document = `query($id: Int!) { post(id: $id) {
      tagString md5 fileUrl largeFileUrl previewFileUrl thumbnail { url } mediaFile { md5 } viewerCan { update } } }`;
    const seen = async (client: Client) => (await client.graphql(document, { id: banned.id })).json.data.post;
    const urls = { fileUrl: null, largeFileUrl: null, previewFileUrl: null };
    const hidden = { md5: null, ...urls, thumbnail: null, mediaFile: null };
    expect(await seen(member.client)).toEqual({
      tagString: "banned_one lowres",
      ...hidden,
      viewerCan: { update: false },
    });
    expect(await seen((await test.make.user("Gold")).client)).toMatchObject({
      md5: banned.md5,
      mediaFile: { md5: banned.md5 },
      viewerCan: { update: true },
    });
  });
});

describe("posts", () => {
  it("are searched as in GET /posts.json", async () => {
    await test.make.post("searched red");
    await test.make.post("searched blue", { rating: "e" });
    const search = async (tags: string) =>
      (await test.anonymous.graphql(`query($tags: String) { posts(tags: $tags) { nodes { tagString } } }`, { tags }))
        .json.data.posts.nodes;
    expect(await search("searched -red")).toEqual([{ tagString: "blue lowres searched" }]);
    expect(await search("searched rating:s")).toEqual([{ tagString: "lowres red searched" }]);
  });

  it("are found by the MD5 of their file", async () => {
    const { id, md5 } = await test.make.post();
    const document = `query($md5: String) { posts(md5: $md5) { nodes { id } totalCount } }`;
    const { json } = await test.anonymous.graphql(document, { md5: md5.toUpperCase() });
    expect(json.data.posts).toEqual({ nodes: [{ id }], totalCount: 1 });
  });

  it("are refused for more terms than TAGS_PER_SEARCH", async () => {
    const tags = Array.from({ length: 41 }, (_, index) => `t${index}`).join(" ");
    const { json } = await test.anonymous.graphql(`query($tags: String) { posts(tags: $tags) { nodes { id } } }`, {
      tags,
    });
    const reason = "a search may have at most 40 terms";
    expect(json.errors[0].extensions).toEqual({ code: "INVALID_PARAMETERS", status: 424, reason });
  });

  it("take TAGS_PER_SEARCH terms of the viewer, whatever else a field adds to them", async () => {
    await using board = await startBoard({ TAGS_PER_SEARCH: "1" });
    const [first, second] = [await board.make.post("one"), await board.make.post("one")];
    const { json: pool } = await (
      await board.make.user()
    ).client.post("/pools.json", {
      pool: { name: "both", description: "of two posts", category: "series", post_ids: `${first.id} ${second.id}` },
    });
    const { json } = await board.anonymous.graphql(`{
      randomPost(tags: "one") { tagString } popularPosts { nodes { id } } relatedTags(query: "one") { postCount }
      post(id: ${first.id}) { postsAfter(tags: "ordpool:${pool.id}") { id } } }`);
    expect(json.errors).toBeUndefined();
    expect(json.data).toEqual({
      randomPost: { tagString: "lowres one" },
      popularPosts: { nodes: [{ id: second.id }, { id: first.id }] },
      relatedTags: { postCount: 2 },
      post: { postsAfter: [{ id: second.id }] },
    });
  });
});
