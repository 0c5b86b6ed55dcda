/** docs/graphql.md: every example is run in order against a new board, and its response equals the one on the page. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Client } from "../support/client.js";

const run = promisify(execFile);

interface Block {
  language: string;
  text: string;
}

interface Example {
  heading: string;
  block: Block;
  variables: string;
  /** the JSON that the page shows */
  shown: string;
}

const page = readFileSync("docs/graphql.md", "utf8");

/** Each block to run, with the variables and the answer that follow it. */
function examples(): Example[] {
  const found: Example[] = [];
  let heading = "";
  for (const [, title, info, text = ""] of page.matchAll(/^## (.+)$|^```(.+)\n([\s\S]*?)^```$/gm)) {
    const last = found.at(-1);
    if (title !== undefined) heading = title;
    else if (info === "graphql" || info === "sh")
      found.push({ heading, block: { language: info, text }, variables: "{}", shown: "" });
    else if (info === "json variables" && last) last.variables = text;
    else if (info === "json" && last) last.shown = text;
  }
  return found;
}

/** Words that stand for a value of an earlier answer. */
const PLACEHOLDERS = ["CURSOR", "TOKEN"];

let test: TestBoard;
let mira: Client;
let key: string;
const values = new Map<string, string>();

beforeAll(async () => {
  test = await startBoard();
  const made = await test.board.users.create({ name: "mira", password: "a password", level: 33 });
  key = `mira:${made.passwordHash}`;
  mira = test.anonymous.as({ name: "mira", apiKey: made.passwordHash });
});
afterAll(() => test[Symbol.asyncDispose]());

const filled = (text: string): string =>
  [...values].reduce((rest, [name, value]) => rest.replaceAll(name, value), text);

/** The shown answer in which `"..."` is whatever the board answered; placeholders are learnt on the way. */
function expected(shown: unknown, actual: unknown): unknown {
  if (shown === "...") return actual ?? shown;
  if (typeof shown === "string" && PLACEHOLDERS.includes(shown)) {
    values.set(shown, String(actual));
    return actual ?? shown;
  }
  if (typeof shown !== "object" || shown === null) return shown;
  const inside = (at: string): unknown => (actual as Record<string, unknown> | null | undefined)?.[at];
  if (Array.isArray(shown)) return shown.map((item, index) => expected(item, inside(String(index))));
  return Object.fromEntries(Object.entries(shown).map(([at, item]) => [at, expected(item, inside(at))]));
}

async function answerTo({ block, variables }: Example): Promise<Record<string, unknown>> {
  if (block.language === "graphql") {
    return (await mira.graphql(block.text, JSON.parse(filled(variables)) as Record<string, unknown>)).json as Record<
      string,
      unknown
    >;
  }
  const script = filled(block.text)
    .replaceAll("http://127.0.0.1:3000", test.url)
    .replaceAll("cookies.txt", `${test.folder}/cookies.txt`);
  const { stdout } = await run("bash", ["-c", script], { env: { ...process.env, key } });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("docs/graphql.md", () => {
  it("has examples, each with its response", () => {
    expect(examples().length).toBeGreaterThan(9);
    expect(examples().filter(({ shown }) => shown === "")).toEqual([]);
  });

  it.each(examples().map((example, index) => ({ name: `${example.heading}, example ${index + 1}`, example })))(
    "$name",
    async ({ example }) => {
      const { extensions, ...answer } = await answerTo(example);
      const shown = JSON.parse(example.shown) as Record<string, unknown>;
      const actual = "extensions" in shown ? { ...answer, extensions } : answer; // the cost is on every answer
      expect(actual).toEqual(expected(shown, actual));
    },
  );
});
