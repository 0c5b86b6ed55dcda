/** docs/front-end.md can't go stale: every test that it names exists, and it names every test file that uses Chromium. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readProjectFile } from "../support/project.js";

const document = readProjectFile("docs/front-end.md");
const readTest = (name: string): string => readProjectFile(`test/web/${name}`);
const lines = [...document.matchAll(/^\| (.+) \| `([\w-]+)`: (.+?) \|$/gm)].map(([, what, file, title]) => ({
  what,
  file: `${file}.test.ts`,
  title: title ?? "",
}));

describe("docs/front-end.md", () => {
  it.each(lines)("$what", ({ file, title }) => {
    expect([file, existsSync(path.join(import.meta.dirname, file))]).toEqual([file, true]);
    // a long title is given by its beginning and an ellipsis
    const quoted = title.endsWith("…") ? `"${title.slice(0, -1)}` : `"${title}"`;
    expect([title, readTest(file).includes(quoted)]).toEqual([title, true]);
  });

  it("names every test file that uses Chromium", () => {
    const [own, example] = [path.basename(import.meta.filename), "front-end.test.ts"];
    const files = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith(".test.ts") && name !== own && name !== example)
      .filter((name) => readTest(name).includes("openBrowser()"));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((name) => !lines.some(({ file }) => file === name))).toEqual([]);
  });
});
