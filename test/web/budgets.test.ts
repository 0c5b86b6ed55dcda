/** The compressed bytes that a browser loads, and their budgets. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Assets } from "../../web/server/assets.js";
import { type PageName, routes } from "../../web/routes.js";
import { startBoard, type TestBoard } from "../support/board.js";

const KB = 1000;
/** of the first gallery that somebody opens, and of each page after it */
const FIRST = { html: 14 * KB, js: 45 * KB, css: 9 * KB, font: 24 * KB };
const FURTHER = 15 * KB;
const ALL_JS = 180 * KB;

const STATIC = path.join(import.meta.dirname, "../../web/static");
const assets = new Assets();
/** Bytes of a file as it is sent. */
const sizeOf = (file: string): number => {
  const asset = assets.at(file);
  return asset?.encoded.br?.length ?? asset?.bytes.length ?? Number.NaN;
};
const sum = (files: Iterable<string>): number => [...files].reduce((total, file) => total + sizeOf(file), 0);
const filesOf = (page: PageName | null) => {
  const { entry, modules, styles, font } = assets.of(page);
  return { scripts: new Set([entry, ...modules]), styles: new Set(styles), font };
};

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
  const uploader = await test.make.user("Contributor");
  const tags = Array.from({ length: 30 }, (_, index) => `some_usual_tag_${index}`);
  for (let index = 0; index < 40; index += 1)
    await test.make.post([...tags.slice(index % 7), `general_tag_${index}`, "artist:mira_b"].join(" "), {}, uploader);
});
afterAll(() => test[Symbol.asyncDispose]());

describe("the first gallery", () => {
  const { scripts, styles, font } = filesOf("gallery");

  it("keeps its HTML, including the response in it, within the budget", async () => {
    const { text } = await test.anonymous.with({ accept: "text/html" }).get("/");
    expect(text).toContain("general_tag_39");
    expect(brotliCompressSync(text).length).toBeLessThanOrEqual(FIRST.html);
  });

  it("keeps scripts, styles and font within their budgets", () => {
    expect(sum(scripts)).toBeLessThanOrEqual(FIRST.js);
    expect(sum(styles)).toBeLessThanOrEqual(FIRST.css);
    expect(sizeOf(font ?? "")).toBeLessThanOrEqual(FIRST.font);
  });

  it("compresses every script and style of a kilobyte or more", () => {
    for (const file of [...scripts, ...styles])
      expect([file, assets.at(file)?.encoded.br !== undefined || sizeOf(file) < 1024]).toEqual([file, true]);
  });
});

describe("a further page", () => {
  const first = filesOf("gallery");
  const pages = [...new Set(routes.map(({ page }) => page))].filter((page) => page !== "gallery");

  it.each(pages)("%s adds no more than the budget to the gallery", (page) => {
    const { scripts, styles } = filesOf(page);
    const added = [...scripts, ...styles].filter((file) => !first.scripts.has(file) && !first.styles.has(file));
    expect(added.length).toBeGreaterThan(0);
    expect(sum(added)).toBeLessThanOrEqual(FURTHER);
  });
});

describe("all pages together", () => {
  const scripts = readdirSync(STATIC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));

  it("keep all scripts within the budget", () => {
    expect(sum(scripts.map((name) => `/${name}`))).toBeLessThanOrEqual(ALL_JS);
  });

  it("contain no development code of libraries", () => {
    for (const name of scripts) expect(readFileSync(path.join(STATIC, name), "utf8")).not.toContain("urql/issues");
  });
});
