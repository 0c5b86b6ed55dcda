/** Links between the documents lead somewhere. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/project.js";

const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );

function linksOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !target.includes(":"));
}

/** Links of a document that lead to no file or heading. */
function brokenLinks(document: string): string[] {
  return linksOf(readFileSync(path.join(ROOT, document), "utf8")).filter((link) => {
    const [file = "", anchor] = link.split("#");
    const target = path.join(ROOT, file === "" ? document : path.join(path.dirname(document), file));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
  });
}

describe("documents", () => {
  it("are found, with links", () => {
    expect(documents.length).toBeGreaterThan(15);
    expect(linksOf(readFileSync(path.join(ROOT, "README.md"), "utf8")).length).toBeGreaterThan(20);
  });

  it.each(documents)("%s has no broken links", (document) => {
    expect(brokenLinks(document)).toEqual([]);
  });
});
