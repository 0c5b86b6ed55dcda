/**
 * The SQL of every meta-tag and order, in a file to be read: test/unit/metatag-sql.sql. `npx vitest run
 * test/unit/metatag-sql.test.ts -u` writes it anew; a change of it is a change of what searches find.
 */
import { describe, expect, it } from "vitest";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import type { Sql } from "../../src/database/client.js";
import { leaves } from "../../src/search/posts/ast.js";
import { findMetatag, METATAGS } from "../../src/search/posts/metatags/index.js";
import type { Metatag } from "../../src/search/posts/metatags/metatag.js";
import { type Order, ORDERS } from "../../src/search/posts/orders.js";
import { parseSearch } from "../../src/search/posts/parser.js";

const viewer: Viewer = { id: 7, name: "someone", level: 20, isBanned: false, proof: "basic" };
const context = { viewer, now: new Date("2026-03-31T12:00:00.000Z") };

const parse = (text: string) => parseSearch(text, (name) => findMetatag(name)?.name, Infinity);

/** At most so many characters a line, where words allow it. */
function wrapped(text: string, width = 110): string {
  const lines: string[] = [""];
  for (const word of text.replace(/\s+/g, " ").trim().split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length >= width) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

const parameters = ({ values }: Sql): string[] => values.map((value, i) => `-- $${i + 1} = ${JSON.stringify(value)}`);

const written = (sql: Sql): string => [wrapped(sql.text), ...parameters(sql)].join("\n");

function orderText({ keys, ties, join, where }: Order): string {
  const parts = keys.map(({ expression, direction, nulls }) => {
    return `${expression.text} ${direction}${nulls ? ` NULLS ${nulls}` : ""}`;
  });
  const places = where?.(context.now);
  return [
    ...(join ? [written(join)] : []),
    ...(places ? [`WHERE ${written(places)}`] : []),
    wrapped(`ORDER BY ${[...parts, ...(ties ? [`posts.id ${ties}`] : [])].join(", ")}`),
  ].join("\n");
}

function exampleText(row: Metatag, example: string): string {
  const [term] = leaves(parse(example).query);
  if (term?.type !== "metatag") return `-- ${example}\n-- the tag "${term?.type === "tag" ? term.name : ""}"`;
  const condition = row.toSql?.(term.value, context);
  const order = row.order?.(term.value, context);
  const limit = row.limit?.(term.value);
  return [
    `-- ${example}`,
    ...(condition ? [written(condition)] : []),
    ...(order ? [orderText(order)] : []),
    ...(typeof limit === "number" ? [`LIMIT ${limit}`] : []),
  ].join("\n");
}

describe("the SQL of meta-tags", () => {
  it("equals the committed file", async () => {
    const metatags = METATAGS.map((row) => row.examples.map((example) => exampleText(row, example)).join("\n\n"));
    const orders = ORDERS.map(({ names, order }) => `-- order: ${names.join(", ")}\n${orderText(order)}`);
    const all = ["-- META-TAGS", ...metatags, "-- ORDERS", ...orders].join("\n\n");
    await expect(`${all}\n`).toMatchFileSnapshot("metatag-sql.sql");
  });

  it("covers every row with meaningful examples", () => {
    const silent = METATAGS.flatMap((row) =>
      row.examples.filter((example) => !exampleText(row, example).includes("\n")),
    );
    expect(silent).toEqual([]);
    expect(METATAGS.filter((row) => row.examples.length === 0)).toEqual([]);
  });

  it("contains no value of the search", () => {
    const texts = METATAGS.map((row) => row.toSql?.("7654321", context)?.text ?? "");
    expect(texts.filter((text) => text.includes("7654321"))).toEqual([]);
  });
});
