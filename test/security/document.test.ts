/** docs/security.md can't go stale: every file, name and test on it exists, and it mentions every test of this folder. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, readProjectFile } from "../support/project.js";

const document = readProjectFile("docs/security.md");
const files = ["src", "graphql", "rest", "web", "prisma", "test"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(tsx?|graphql|prisma|sql)$/.test(file))
    .map((file) => `${folder}/${file}`),
);

/** The files whose path ends with these folders and this name. */
const filesOf = (end: string): string[] => files.filter((file) => `/${file}`.endsWith(`/${end}`));

/** Whether such a file contains all of the texts. */
const someContains = (end: string, texts: string[]): boolean =>
  filesOf(end).some((file) => {
    const content = readProjectFile(file);
    return texts.every((text) => content.includes(text));
  });

interface Line {
  attack: string;
  stops: string;
  test: string;
  title: string;
}

/** The lines of all tables, without their heads. */
const lines: Line[] = document
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Attack "))
  .map((line) => {
    const [attack = "", stops = "", tested = ""] = line.slice(2, -2).split(" | ");
    const [, test = "", title = ""] = /^`(.+?)`: (.+)$/.exec(tested) ?? [];
    return { attack, stops, test: `${test}.test.ts`, title };
  });

/** The files that stop the attack, each with names in it. */
const codeOf = (stops: string): [file: string, names: string[]][] => {
  const found: [string, string[]][] = [];
  for (const [, text = ""] of stops.matchAll(/`([^`]+)`/g)) {
    if (filesOf(text).length > 0) found.push([text, []]);
    else found.at(-1)?.[1].push(text);
  }
  return found;
};

describe("docs/security.md", () => {
  it("lists each attack once", () => {
    expect(lines.length).toBeGreaterThan(70);
    expect(new Set(lines.map(({ attack }) => attack)).size).toBe(lines.length);
  });

  it.each(lines)("$attack", ({ stops, test, title }) => {
    expect(codeOf(stops)).not.toEqual([]);
    for (const [file, names] of codeOf(stops)) {
      expect([file, names, someContains(file, names)]).toEqual([file, names, true]);
    }
    // a long title is given by its beginning and an ellipsis
    const quoted = title.endsWith("…") ? `"${title.slice(0, -1)}` : `"${title}"`;
    expect([test, title, someContains(test, [quoted])]).toEqual([test, title, true]);
  });

  it("mentions every test file of this folder", () => {
    const mentioned = new Set(lines.flatMap(({ test }) => filesOf(test)));
    const own = files.filter((file) => path.dirname(file) === "test/security" && !file.endsWith("/document.test.ts"));
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((file) => !mentioned.has(file))).toEqual([]);
  });
});
