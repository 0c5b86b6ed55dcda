/**
 * None of our regular expressions takes long on any text. Every literal of the source, found in its syntax tree, is checked by
 * recheck, which finds texts on which it takes exponential or polynomial time.
 */
import { check } from "recheck";
import { describe, expect, it } from "vitest";
import { pixivId } from "../../src/resources/posts/post.edit.js";
import { normalizeArtistUrl, urlsToFind } from "../../src/resources/artists/artist-urls.js";
import { readProjectFile } from "../support/project.js";
import { nodesOf, pageFiles, sourceFiles, type SyntaxNode } from "../support/sources.js";

interface Pattern {
  name: string;
  pattern: string;
  flags: string;
}

const regexOf = (node: SyntaxNode): { pattern: string; flags: string } | undefined =>
  node.type === "Literal" ? (node.regex as { pattern: string; flags: string } | undefined) : undefined;

const patterns: Pattern[] = [...sourceFiles, ...pageFiles].flatMap((file) =>
  nodesOf(file).flatMap((node) => {
    const { pattern, flags } = regexOf(node) ?? {};
    return pattern === undefined || flags === undefined ? [] : [{ name: `${file}: ${pattern}`, pattern, flags }];
  }),
);

/** Where patterns are put together; there, only out of a UUID of our own and words that are in the source. */
const COMPOSED = ["graphql/posts/joined-posts.ts", "src/tagging/tag-actions.ts"];

/** Its searches end after so many steps, not after a time: on a busy machine it would report what it had no time to finish. */
const COUNTED = { timeout: 120_000, incubationTimeout: null, attackTimeout: null };

describe("every regular expression of the source", () => {
  it("is found", () => {
    expect(patterns.length).toBeGreaterThan(150);
    expect(patterns.map(({ name }) => name)).toContain("src/runtime/auth/credentials.ts: ^\\s*basic(?:\\s+(.*))?$");
  });

  it("takes linear time on any text", { timeout: 360_000 }, async () => {
    const slow = [];
    for (const { name, pattern, flags } of patterns) {
      const found = await check(pattern, flags, COUNTED);
      if (found.status !== "safe") slow.push([name, found.status === "vulnerable" ? found.attack.string : found.error]);
    }
    expect(slow).toEqual([]);
  });

  it("is a literal, except those built from our own words", () => {
    const composing = sourceFiles
      .filter((file) => readProjectFile(file).includes("RegExp")) // parsing the others would find none
      .filter((file) =>
        nodesOf(file).some(({ type, callee }) => /^(New|Call)Expression$/.test(type) && isRegExp(callee)),
      );
    expect(composing).toEqual(COMPOSED);
  });

  it("is our own in the database too, with at most 20 letters of a user: `/ab`", () => {
    // operators and functions of PostgreSQL that take regular expressions
    const matches = /\s!?~\*?\s+['$]|regexp_|SIMILAR TO/;
    expect(sourceFiles.filter((file) => matches.test(readProjectFile(file)))).toEqual(["src/search/posts/tags.ts"]);
    expect(readProjectFile("src/search/posts/tags.ts")).toContain("const ABBREVIATION = /^\\/[a-z0-9]{1,20}$/;");
  });
});

const isRegExp = (callee: unknown): boolean => (callee as SyntaxNode | undefined)?.name === "RegExp";

describe("texts that used to take long", () => {
  // each took seconds to years; the test's own time is the limit
  it("the source of a post, with a long row of underscores", () => {
    expect(pixivId(`https://i.pximg.net/img/1${"_a".repeat(590)}`)).toBeNull();
    expect(pixivId("https://i.pximg.net/img-original/img/2020/12345_p0_master.jpg")).toBe(12_345);
  });

  it("an artist's URL, with a long row of slashes or folders", () => {
    const slashes = "/".repeat(60_000);
    expect(normalizeArtistUrl(`http://a.example${slashes}b`)).toBe(`http://a.example${slashes}b/`);
    expect(urlsToFind(`http://a.example${"/a".repeat(30_000)}`)).toHaveLength(21);
  });
});
