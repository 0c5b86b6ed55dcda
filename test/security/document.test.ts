/** docs/security.md can't go stale: every file, name and test on it exists, and it mentions every test of this folder. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, readProjectFile } from "../support/project.js";

const document = readProjectFile("docs/security.md");

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
    const [, attack = "", stops = "", tested = ""] = line
      .split(" | ")
      .flatMap((cell, index) => (index === 0 ? ["", cell.slice(2)] : [cell]));
    const [, test = "", title = ""] = /^`(.+?)`: (.+?) \|$/.exec(tested) ?? [];
    return { attack, stops, test, title };
  });

/** `path` and the names in it that stop the attack. */
const codeOf = (stops: string): [file: string, names: string[]][] => {
  const quoted = [...stops.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? "");
  const found: [string, string[]][] = [];
  for (const text of quoted) {
    if (text.includes("/")) found.push([text, []]);
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
      expect([file, existsSync(path.join(ROOT, file))]).toEqual([file, true]);
      for (const name of names) expect([file, name, readProjectFile(file).includes(name)]).toEqual([file, name, true]);
    }
    expect([test, existsSync(path.join(ROOT, test))]).toEqual([test, true]);
    expect([title, readProjectFile(test).includes(`"${title}"`)]).toEqual([title, true]);
  });

  it("mentions every test file of this folder", () => {
    const files = readdirSync(import.meta.dirname).filter((name) => name !== path.basename(import.meta.filename));
    expect(files.filter((name) => !document.includes(`test/security/${name}`))).toEqual([]);
  });
});
