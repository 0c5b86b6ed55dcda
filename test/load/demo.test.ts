/** `npm run demo` against the built server, as a new user runs it; its pictures are the same on every machine. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { demoPosts } from "../../prisma/seed/posts.js";
import { Client } from "../support/client.js";
import { ServerProcess } from "../support/server-process.js";

const run = promisify(execFile);

/** Of all drawings, in order. Rendered files may differ with the version of the renderer; drawings may not. */
const DRAWINGS = "92166358a9dbad8822c08242933390f1";

const COUNTS = `{
  all: postCounts(tags: "") { posts }
  pending: postCounts(tags: "status:pending") { posts }
  flagged: postCounts(tags: "status:flagged") { posts }
  children: postCounts(tags: "parent:any") { posts }
  questionable: postCounts(tags: "rating:q") { posts }
  ocean: postCounts(tags: "ocean") { posts }
  sky: postCounts(tags: "sky") { posts }
  pools { nodes { name postCount } }
  users { totalCount } artists { totalCount } wikiPages { totalCount } notes { totalCount } comments { totalCount }
  forumTopics { totalCount } forumPosts { totalCount } tagAliases { totalCount } tagImplications { totalCount }
  postVersions { totalCount } tags { totalCount }
}`;

const posts = (count: number): object => ({ posts: count });
const total = (totalCount: number): object => ({ totalCount });

/** What a new board holds afterwards; the fourth user is the Admin in whose name aliases are made. */
const MADE = {
  all: posts(40),
  pending: posts(1),
  flagged: posts(1),
  children: posts(3),
  questionable: posts(3),
  ocean: posts(4),
  sky: posts(14),
  pools: {
    nodes: [
      { name: "Bathroom_floors", postCount: 3 },
      { name: "Lantern_City_in_four_lights", postCount: 4 },
    ],
  },
  users: total(4),
  artists: total(3),
  wikiPages: total(5),
  notes: total(5),
  comments: total(6),
  forumTopics: total(3),
  forumPosts: total(5),
  tagAliases: total(2),
  tagImplications: total(4),
  postVersions: total(57),
  tags: total(56),
};

/** What the board holds. */
async function countsOf(url: string): Promise<unknown> {
  const { json } = await new Client(url).graphql(COUNTS);
  expect(json.errors).toBeUndefined();
  return json.data;
}

describe("npm run demo", () => {
  it("draws the same forty pictures on every machine", () => {
    const digest = createHash("md5")
      .update(demoPosts.map(({ svg }) => svg).join("\n"))
      .digest("hex");
    expect([demoPosts.length, new Set(demoPosts.map(({ svg }) => svg)).size, digest]).toEqual([40, 40, DRAWINGS]);
  });

  it("fills a board, and changes nothing the second time", { timeout: 150_000 }, async () => {
    await using server = await ServerProcess.start();
    const demo = (): Promise<{ stdout: string }> =>
      run("npm", ["run", "-s", "demo", "--", server.url], { env: server.env });
    await demo();
    const counts = await countsOf(server.url);
    expect(counts).toEqual(MADE);
    expect((await demo()).stdout).toBe(`The demo already exists on ${server.url}; nothing was changed.\n`);
    expect(await countsOf(server.url)).toEqual(counts);
  });

  it("leaves no account of the demo's names on another board than the one that it is to fill", async () => {
    await using server = await ServerProcess.start();
    await using other = await ServerProcess.start();
    const failed = run("npm", ["run", "-s", "demo", "--", server.url], { env: other.env });
    await expect(failed).rejects.toMatchObject({ stderr: expect.stringContaining(server.url) as string });
    const { json } = await new Client(other.url).graphql("{ users { nodes { name } } }");
    expect(json.data.users.nodes).toEqual([{ name: "user_1~" }]);
  });

  it("reports in one sentence that no board answers", async () => {
    const failed = run("npm", ["run", "-s", "demo", "--", "http://127.0.0.1:1"]);
    await expect(failed).rejects.toMatchObject({
      stderr: expect.stringContaining("No board responds at http://127.0.0.1:1") as string,
    });
  });
});
