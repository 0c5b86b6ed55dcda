/** The direction of imports: rest -> graphql -> src, and src knows neither GraphQL nor Express. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/project.js";

/** The one folder that connects the APIs and pages to the board. */
const HTTP = /^src\/http\//;
/** What REST may import of the board: types and small helpers, no rule. */
const OPEN_TO_REST =
  /^src\/(errors|config|context|lib\/.*|runtime\/auth\/levels|tagging\/(rating|categories)|runtime\/telemetry\/.*)\.ts$/;
const HTTP_PACKAGES = /^(graphql|graphql-.*|type-graphql|express|@apollo\/.*|@as-integrations\/.*)(\/|$)/;

/** What each room of src/ may import, files in src/ itself by their names. `auth` and `shared` are rooms within rooms. */
const WORDS = ["config", "errors", "lib"];
const CORE = [...WORDS, "auth", "database", "storage", "tagging", "search"];
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  lib: ["errors"],
  auth: [...WORDS, "database", "runtime"],
  storage: WORDS,
  sources: WORDS,
  text: WORDS,
  media: [...WORDS, "storage"],
  database: [...WORDS, "auth", "storage", "runtime"],
  tagging: [...WORDS, "auth", "database", "search"],
  search: [...WORDS, "auth", "database", "tagging", "shared"],
  runtime: [...WORDS, "auth", "database", "media"],
  shared: [...CORE, "runtime"],
  resources: [...CORE, "shared", "runtime", "media", "sources"],
  operations: [...CORE, "shared", "runtime", "media", "sources", "resources", "board"],
  http: [...CORE, "shared", "runtime", "resources"],
};
const ROOM_PATHS = [/^src\/runtime\/(auth)\//, /^src\/resources\/(shared)\//, /^src\/([^/.]+)/];
const roomOf = (file: string): string => ROOM_PATHS.map((each) => each.exec(file)?.[1]).find(Boolean) ?? file;

const IMPORTS =
  /^\s*(?:import|export)\s[^;'"]*?from\s+["']([^"']+)["']|^\s*import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

interface Import {
  from: string;
  /** package name, or path from the top folder with its .ts ending */
  to: string;
  isType: boolean;
}

function filesIn(folder: string): string[] {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("/__generated__/"));
}

function importsOf(from: string): Import[] {
  const text = readFileSync(path.join(ROOT, from), "utf8");
  return [...text.matchAll(IMPORTS)].map((match) => {
    const to = match[1] ?? match[2] ?? match[3] ?? "";
    const isType = /^\s*(?:import|export) type\b/.test(match[0]);
    if (!to.startsWith(".")) return { from, to, isType };
    return { from, to: path.posix.join(path.posix.dirname(from), to).replace(/\.js$/, ".ts"), isType };
  });
}

/** All that is loaded with a file, packages included; what is only a type is not. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    if (!file.endsWith(".ts") || !existsSync(path.join(ROOT, file))) continue;
    for (const { to, isType } of importsOf(file)) if (!isType) loaded.add(to);
  }
  return loaded;
}

/** Imports of a folder's files for which `wrong` holds, as "file imports what". */
const offences = (folder: string, wrong: (found: Import) => boolean): string[] =>
  filesIn(folder)
    .flatMap(importsOf)
    .filter(wrong)
    .map(({ from, to }) => `${from} imports ${to}`);

/** Files that import each other in a cycle: one path for each import that closes one. */
function cyclesIn(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  const name = (file: string) => file.replace(/\.tsx?$/, "");
  for (const { from, to, isType } of imports)
    if (!isType) targets.set(name(from), [...(targets.get(name(from)) ?? []), name(to)]);
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(" -> "));
    if (way.includes(file) || done.has(file)) return;
    for (const to of targets.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return found;
}

/** Data that the pages and their server read alike. */
const SHARED_BY_PAGES = ["histories", "preferences", "routes", "thumbnails", "titles"].map((name) => `web/${name}.ts`);

describe("imports", () => {
  it("are found", () => {
    expect(importsOf("src/config.ts").map(({ to }) => to)).toEqual([
      "node:fs",
      "node:path",
      "node:util",
      "proxy-addr",
      "zod",
      "src/database/settings.ts",
      "src/lib/integers.ts",
      "src/lib/text.ts",
    ]);
    expect(importsOf("test/support/embedded-child.ts").map(({ to }) => to)).toContain("src/database/embedded.ts");
  });

  it("of src/ are neither GraphQL nor Express, except in http/", () => {
    const wrong = ({ from, to }: Import) => !HTTP.test(from) && HTTP_PACKAGES.test(to);
    expect(offences("src", wrong)).toEqual([]);
  });

  it("of src/ are nothing from graphql/ or rest/, except in http/", () => {
    const wrong = ({ from, to }: Import) =>
      !HTTP.test(from) && /^(graphql|rest|test|bench)\//.test(to) && to.endsWith(".ts");
    expect(offences("src", wrong)).toEqual([]);
  });

  it("between folders of src/ are those of the table, except types", () => {
    const wrong = ({ from, to, isType }: Import) => {
      if (isType || !to.startsWith("src/") || !ROOMS[roomOf(from)]) return false;
      return roomOf(from) !== roomOf(to) && !ROOMS[roomOf(from)]?.includes(roomOf(to));
    };
    expect(offences("src", wrong)).toEqual([]);
    expect(filesIn("src").filter((file) => file.split("/").length > 2 && !ROOMS[roomOf(file)])).toEqual([]);
  });

  it("of the driver are the database's, and of parts that need connections of their own", () => {
    const wrong = ({ from, to, isType }: Import) => to === "pg" && !isType && !from.startsWith("src/database/");
    expect(["src", "graphql", "rest"].flatMap((folder) => offences(folder, wrong))).toEqual([
      "src/runtime/events/events.ts imports pg", // LISTEN
    ]);
  });

  it("form no cycle, types aside", () => {
    expect(cyclesIn(["src", "graphql", "rest", "web"].flatMap(filesIn).flatMap(importsOf))).toEqual([]);
    const loop = ["a", "b", "c"].map((file, index, all) => ({
      from: file,
      to: all[(index + 1) % 3] ?? "",
      isType: false,
    }));
    expect(cyclesIn(loop)).toEqual(["a -> b -> c -> a"]);
    expect(cyclesIn(loop.map((found) => ({ ...found, isType: found.from === "c" })))).toEqual([]);
  });

  it("of graphql/ are nothing from rest/", () => {
    expect(offences("graphql", ({ to }) => to.startsWith("rest/"))).toEqual([]);
  });

  it("of rest/ are constants and helpers of src/, no rules", () => {
    expect(offences("rest", ({ to }) => to.startsWith("src/") && !OPEN_TO_REST.test(to))).toEqual([]);
  });

  it("of the pages are from the pages, and packages for browsers", () => {
    const packages = /^(preact|@preact|@urql|@noble|diff|graphql-ws|thumbhash)(\/|$)/;
    const wrong = ({ to }: Import) => !packages.test(to) && !(to.startsWith("web/") && !to.startsWith("web/server/"));
    expect(["pages", "parts", "lib"].flatMap((folder) => offences(`web/${folder}`, wrong))).toEqual([]);
    expect(SHARED_BY_PAGES.flatMap(importsOf).filter(wrong)).toEqual([]);
  });

  it("of the pages' server are the pages' data and constants of src/, and no components", () => {
    const own = (file: string) =>
      file.startsWith("web/server/") || file === "web/lib/document.ts" || SHARED_BY_PAGES.includes(file);
    const board = /^(src\/(errors|config)\.ts|graphql\/context\.ts)$/;
    const wrong = ({ to, isType }: Import) =>
      /^(web|src|graphql|rest)\//.test(to) &&
      !own(to) &&
      !(board.test(to) && isType) &&
      !/^src\/lib\/(project-root|text)\.ts$/.test(to);
    expect(offences("web/server", wrong)).toEqual([]);
  });

  it("of src/ from web/ are only its server", () => {
    const wrong = ({ from, to }: Import) => to.startsWith("web/") && !(HTTP.test(from) && to.startsWith("web/server/"));
    expect([...offences("src", wrong), ...offences("graphql", wrong), ...offences("rest", wrong)]).toEqual([]);
  });

  it("of AWS' SDK are only in the S3 storage, which is loaded only with STORAGE=s3", () => {
    const wrong = ({ from, to }: Import) =>
      to.startsWith("@aws-sdk/") && !/^src\/storage\/s3(-client)?\.ts$/.test(from);
    expect(offences("src", wrong)).toEqual([]);
    const loaders = filesIn("src").filter((file) =>
      /from "[./a-z]*\/s3\.js"/.test(readFileSync(path.join(ROOT, file), "utf8")),
    );
    expect(loaders).toEqual([]); // `import()` alone
  });

  it("of servers and commands contain no parser of uploaded files: decoders are separate programs", () => {
    const looking = ["sharp", "file-type", "src/lib/file-window.ts", "src/media/media.ts"];
    expect(looking.filter((each) => loadedWith("src/media/decoder/worker.ts").has(each))).toEqual(looking);
    for (const entry of ["src/main.ts", "src/cli.ts"])
      expect(looking.filter((each) => loadedWith(entry).has(each))).toEqual([]);
  });

  it("of a decoder contain neither database, settings nor network", () => {
    const own =
      /^(src\/(media|lib|errors|storage\/keys).*|node:(fs|os|path|child_process|util).*|sharp|file-type|thumbhash|zod)$/;
    expect([...loadedWith("src/media/decoder/worker.ts")].filter((each) => !own.test(each))).toEqual([]);
  });

  it("use every package of the fixed stack; Express serves pages, files and reference", () => {
    const stack = [
      "@apollo/server",
      "graphql",
      "type-graphql",
      "@prisma/client",
      "express",
      "xml-js",
      "bcrypt",
      "dataloader",
      "graphql-upload-minimal",
    ];
    const used = new Set(
      ["src", "graphql", "rest", "web"]
        .flatMap(filesIn)
        .flatMap(importsOf)
        .map(({ to }) => to),
    );
    const isUsed = (name: string) => [...used].some((each) => each === name || each.startsWith(`${name}/`));
    expect(stack.filter((name) => !isUsed(name))).toEqual(["@prisma/client"]); // of which only generated code imports it
  });

  it("of the product are nothing from test/ or bench/", () => {
    const wrong = ({ to }: Import) => /^(test|bench)\//.test(to);
    expect([...offences("graphql", wrong), ...offences("rest", wrong), ...offences("src", wrong)]).toEqual([]);
  });
});
