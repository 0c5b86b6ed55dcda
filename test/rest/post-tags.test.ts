import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/database/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { type PostEdits, postEdits } from "../support/post-edits.js";

let test: TestBoard;
let posts: PostEdits;
let builder: TestUser;
beforeAll(async () => {
  test = await startBoard({ JOBS: "true" });
  posts = await postEdits(test);
  builder = await test.make.user("Builder");
});
afterAll(() => test[Symbol.asyncDispose]());
afterEach(() => posts.expectTrueCounts());

const words = (count: number, before = ""): string =>
  Array.from({ length: count }, (_, i) => `${before}${i}`).join(" ");

describe("PUT /posts/{id}.json with post[tag_string]", () => {
  it.each([
    ["Blue_Sky  TREE", "blue_sky tree"],
    ["tree\u3000sky\ttree\nsky", "sky tree"],
    ["ÄPFEL 桜", "äpfel 桜"],
    ["a,b%c*d ~dash", "abcd dash"],
    ["", "tagme"],
    ["-", "tagme"],
    ["and_more or_less :d ;) ^_^", ":d ;) ^_^ and_more or_less"],
    ["foo:bar", "foo:bar"],
  ])("%j gives %j", async (typed, tags) => {
    expect(await posts.tagsAfter("old", typed)).toBe(tags);
  });

  it("reads 250,000 characters", async () => {
    expect(await posts.tagsAfter("old", "x ".repeat(125_000))).toBe("x");
  });

  it("removes negated and omitted tags", async () => {
    expect(await posts.tagsAfter("a b c", "a b -b d")).toBe("a d");
    expect(await posts.tagsAfter("a", "a b -b")).toBe("a");
    expect(await posts.tagsAfter("a b c", "-a -b -c")).toBe("tagme");
    expect(await posts.tagsAfter("a tagme", "a b")).toBe("a b");
  });

  it.each([
    ["order:score", 'tag_string has "order:score", which begins with the meta-tag order'],
    ["x".repeat(171), `tag_string has "${"x".repeat(50)}…", which is too long (at most 170 characters)`],
    ["and", 'tag_string has "and", which is a reserved word'],
    ["OR", 'tag_string has "or", which is a reserved word'],
    ["nul\0inside", 'tag_string has "nul\uFFFDinside", which is invalid'],
    ["(foo)", 'tag_string has "(foo)", which begins with a parenthesis'],
    ["artist:(foo)", 'tag_string has "(foo)", which begins with a parenthesis'],
    [")foo", 'tag_string has ")foo", which begins with a parenthesis'],
    ["\\(foo)", 'tag_string has "\\(foo)", which begins with a parenthesis'],
    ["char:art:foo", 'tag_string has "art:foo", which begins with the meta-tag art'],
  ])("420 for %j", async (name, reason) => {
    const { id } = await posts.plain("tree");
    const { json } = await posts.expectRefusal(id, { tag_string: `tree brand_new_${id} ${name}` }, 420, reason);
    expect(Object.keys(json.errors)).toEqual(["tag_string"]);
  });

  it.each([
    ["of more than 250,000 characters", "x ".repeat(125_001), "tag_string is too long (at most 250000 characters)"],
    ["with 1,251 tags", words(1_251), "tag_string has more than 1250 tags"],
    ["that takes away 1,251 tags", words(1_251, "-"), "tag_string has more than 1250 tags"],
    ["with 101 pools", words(101, "pool:"), 'tag_string has "pool:100", which begins with the meta-tag pool'],
    [
      "with 101 children",
      words(101, "child:99999"),
      'tag_string has "child:99999100", which begins with the meta-tag child',
    ],
  ])("420 for one %s", async (_, tag_string, reason) => {
    const { id } = await posts.plain("tree");
    await posts.expectRefusal(id, { tag_string }, 420, reason);
  });

  it("keeps an existing tag that begins with a parenthesis, and removes it on request", async () => {
    const { id } = await posts.plain("tree");
    const tag = await test.board.database.tag.create({ data: { name: "(foo)", postCount: 1 } });
    await test.board.database.execute(
      sql`UPDATE posts SET tag_ids = tag_ids || ${tag.id}::int, tag_count = 2, tag_count_general = 2 WHERE id = ${id}`,
    );
    const found = async (tags: string) =>
      ((await test.anonymous.get("/posts.json", { tags })).json as { id: number }[]).map((post) => post.id);
    expect([await found("\\(foo)"), await found("tree -\\(foo) id:" + id), await found("(foo)")]).toEqual([
      [id],
      [],
      [],
    ]);
    expect((await posts.edit(id, { tag_string: "(foo) tree oak" })).json.tag_string).toBe("(foo) oak tree");
    expect((await posts.edit(id, { tag_string: "tree oak" })).json.tag_string).toBe("oak tree");
  });

  it("keeps automatic tags correct, whatever is sent", async () => {
    const { id } = await test.make.post("tree", { file: await test.make.picture(1600, 100) });
    const all = "highres long_image tree wide_image";
    expect((await posts.show(id)).tag_string).toBe(all);
    expect((await posts.edit(id, { tag_string: "tree lowres absurdres video -highres" })).json.tag_string).toBe(all);
    expect((await posts.edit(id, { tag_string: "" })).json.tag_string).toBe("highres long_image tagme wide_image");
  });

  it("creates new tags in the prefixes' categories, and counts them", async () => {
    const { id } = await posts.plain("old");
    const tags = "artist:e_alma copy:e_saga char:e_anna meta:e_scan gen:e_tree ch:e_otto art:e_bert co:e_epic";
    const { json } = await posts.edit(id, { tag_string: tags });
    expect(json).toMatchObject({
      tag_string_artist: "e_alma e_bert",
      tag_string_copyright: "e_epic e_saga",
      tag_string_character: "e_anna e_otto",
      tag_string_meta: "e_scan",
      tag_string_general: "e_tree",
      tag_count: 8,
      tag_count_artist: 2,
      tag_count_copyright: 2,
      tag_count_character: 2,
      tag_count_meta: 1,
      tag_count_general: 1,
    });
  });

  it("changes the category of a tag on few posts, and updates counts on all of them", async () => {
    const [first, second] = [await posts.plain("e_ambiguous e_other"), await posts.plain("e_ambiguous")];
    const { json } = await posts.edit(first.id, { tag_string: "e_other artist:e_ambiguous" });
    expect(json).toMatchObject({ tag_string_artist: "e_ambiguous", tag_count_artist: 1, tag_count_general: 1 });
    await expect.poll(() => posts.show(second.id)).toMatchObject({ tag_count_artist: 1, tag_count_general: 0 });
    expect((await posts.versions(first.id)).length).toBe(1);
  });

  it("changes the category of a tag on more than 50 posts only for Builders, of a locked one for nobody", async () => {
    const { id } = await posts.plain("e_popular e_locked");
    const { tag } = test.board.database;
    await tag.update({ where: { name: "e_locked" }, data: { isLocked: true } });
    await tag.update({ where: { name: "e_popular" }, data: { postCount: 51 } });
    const typed = "artist:e_popular artist:e_locked";
    expect((await posts.edit(id, { tag_string: typed })).json.tag_string_artist).toBe("");
    expect((await posts.edit(id, { tag_string: typed }, builder)).json.tag_string_artist).toBe("e_popular");
    await tag.update({ where: { name: "e_popular" }, data: { postCount: 1 } });
  });

  it("applies aliases, to negations too, once they are active", async () => {
    const alias = (antecedentName: string, consequentName: string, status: string) =>
      test.board.database.tagAlias.create({ data: { antecedentName, consequentName, status, creatorId: builder.id } });
    await alias("e_colour", "e_color", "active");
    await alias("e_grey", "e_gray", "processing");
    await alias("e_wish", "e_other_wish", "pending");
    expect(await posts.tagsAfter("old", "e_colour e_grey e_wish")).toBe("e_color e_gray e_wish");
    expect(await posts.tagsAfter("e_color a", "e_color a -e_colour")).toBe("a");
    expect(await posts.tagsAfter("e_color a", "a e_colour b", { old_tag_string: "a e_colour" })).toBe("a b e_color");
    const { id } = await alias("tagme", "e_untagged", "active");
    expect(await posts.tagsAfter("old", "")).toBe("e_untagged");
    await test.board.database.tagAlias.delete({ where: { id } });
  });

  it("removes and keeps a tag whose alias has not reached the post yet, by either name", async () => {
    const antecedentName = "e_shade";
    const { id: creatorId } = builder;
    const made = await Promise.all([1, 2, 3].map(() => posts.plain("e_shade a")));
    const data = { antecedentName, consequentName: "e_shadow", status: "processing", creatorId };
    await test.board.database.tagAlias.create({ data });
    const edited = async (post: { id: number } | undefined, tag_string: string, old_tag_string: string) =>
      (await posts.edit(post?.id ?? 0, { tag_string, old_tag_string })).json.tag_string;
    expect(await edited(made[0], "a", "e_shade a")).toBe("a");
    expect(await edited(made[1], "-e_shade", "")).toBe("a");
    expect(await edited(made[2], "e_shade a b", "e_shade a")).toBe("a b e_shadow");
  });

  it("adds implied tags, through chains, but not of pending implications", async () => {
    const implies = (antecedentName: string, consequentName: string, status = "active") =>
      test.board.database.tagImplication.create({
        data: { antecedentName, consequentName, status, creatorId: builder.id },
      });
    await implies("e_kitten", "e_cat");
    await implies("e_cat", "e_animal", "processing");
    await implies("e_animal", "e_thing", "pending");
    expect(await posts.tagsAfter("old", "e_kitten")).toBe("e_animal e_cat e_kitten");
    expect(await posts.tagsAfter("e_kitten", "e_kitten -e_cat")).toBe("e_animal e_cat e_kitten");
    expect(await posts.tagsAfter("e_kitten", "tree -e_kitten -e_cat -e_animal")).toBe("tree");
  });

  it("420 for more tags than a post may have", async () => {
    const { id } = await posts.plain("tree");
    const many = Array.from({ length: 1251 }, (_, index) => `many_${index}`).join(" ");
    await posts.expectRefusal(id, { tag_string: many }, 420, "tag_string has more than 1250 tags");
  });

  it("merges with others' edits if the client sends old_tag_string", async () => {
    const { id } = await posts.plain("a b c d");
    const merged = await posts.edit(id, { tag_string: "a b e", old_tag_string: "a b c" });
    expect(merged.json.tag_string).toBe("a b d e");
    const negated = await posts.edit(id, { tag_string: "a b e -d", old_tag_string: "a b e" });
    expect(negated.json.tag_string).toBe("a b e");
    const unchanged = await posts.edit(id, { tag_string: "x y", old_tag_string: "x y" });
    expect(unchanged.json.tag_string).toBe("a b e");
  });
});
