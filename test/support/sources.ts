/** Our own source as a syntax tree, for tests that search it for forbidden code. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { parseAst } from "vite";
import { ROOT, readProjectFile } from "./project.js";

const FOLDERS = ["src", "rest", "graphql"];

/** A node of the tree as ESTree has it, with whatever its type has. */
export interface SyntaxNode {
  type: string;
  [part: string]: unknown;
}

const filesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .filter((name) => name.endsWith(".ts") && !name.includes("/__generated__/"));

/** Paths of all files that are written by hand, from the top folder. */
export const sourceFiles: readonly string[] = FOLDERS.flatMap((folder) => filesIn(folder, true)).sort();

/** Those of the pages that run in the server, too. */
export const pageFiles: readonly string[] = [...filesIn("web/server", true), ...filesIn("web", false)].sort();

/** Every node of a file's tree, each before those in it. */
export function nodesOf(file: string): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  collect(parseAst(readProjectFile(file), { lang: "ts" }), nodes);
  return nodes;
}

function collect(part: unknown, nodes: SyntaxNode[]): void {
  if (typeof part !== "object" || part === null) return;
  if ("type" in part && typeof part.type === "string") nodes.push(part as SyntaxNode);
  for (const below of Object.values(part)) collect(below, nodes);
}
