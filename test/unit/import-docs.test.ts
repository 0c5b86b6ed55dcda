/** docs/import.md can't go stale: it has every option of the command and every kind of record, and no other. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { register } from "../../src/operations/commands/import.js";
import { KINDS } from "../../src/operations/import/source.js";

const text = readFileSync(path.resolve(import.meta.dirname, "../../docs/import.md"), "utf8");

describe("docs/import.md", () => {
  it("has exactly the options of the command", () => {
    const program = new Command();
    register(program);
    const options = program.commands[0]?.options.map(({ long }) => long).toSorted();
    const documented = [...text.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(documented.toSorted()).toEqual(options);
  });

  it("has the kinds of `--only`", () => {
    expect(/`--only KINDS` \| some of `([a-z_,]+)`/.exec(text)?.[1]?.split(",")).toEqual(KINDS);
  });

  it("shows a result in the printed format", () => {
    const [, json = ""] = /```json\n(.*)\n```/.exec(text) ?? [];
    const keys = [
      "source",
      "dryRun",
      "tags",
      "posts",
      "parents",
      "parentsMissing",
      "stopped",
      "remarkCount",
      "remarks",
    ];
    expect(Object.keys(JSON.parse(json) as object)).toEqual(keys);
  });
});
