/** The files that `web/build.mjs` writes, read once with their compressed forms, and which page needs which. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../src/lib/project-root.js";
import { historyOf } from "../histories.js";
import type { PageName } from "../routes.js";

/** Made by `web/build.mjs`, a step of the set-up, which copies them into the build. */
const STATIC = path.join(projectRoot(), "dist/web/static");

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
};
const ENCODINGS = { br: ".br", gzip: ".gz" } as const;

export interface Asset {
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
  /** its compressed forms */
  encoded: { br?: Buffer; gzip?: Buffer };
}

/** A chunk in Vite's manifest. */
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

/** The files that a page loads initially. */
export interface PageFiles {
  entry: string;
  modules: string[];
  styles: string[];
  font: string | null;
}

/** The entry point. */
function programOf(page: PageName): string {
  const history = historyOf(page)?.replaceAll("_", "-");
  return history ? `pages/versions/${history}.tsx` : `pages/${page}/${page}.tsx`;
}

export class Assets {
  private readonly files: ReadonlyMap<string, Asset>;
  private readonly manifest: Readonly<Record<string, Chunk>>;

  constructor() {
    const names = readdirSync(STATIC, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
    const read = (name: string) => readFileSync(path.join(STATIC, name));
    const sent = names.filter((name) => TYPES[path.extname(name)] !== undefined);
    const encoded = (name: string) =>
      Object.fromEntries(
        Object.entries(ENCODINGS).flatMap(([encoding, ending]) =>
          names.includes(name + ending) ? [[encoding, read(name + ending)]] : [],
        ),
      );
    this.files = new Map(
      sent.map((name) => [`/${name}`, { headers: headersOf(name), bytes: read(name), encoded: encoded(name) }]),
    );
    this.manifest = JSON.parse(read("manifest.json").toString()) as Record<string, Chunk>;
  }

  /** The files of a page: the entry's, its own, and those that both import. */
  of(page: PageName | null): PageFiles {
    const entry = this.manifest["entry.tsx"] as Chunk;
    const own = page === null ? undefined : this.manifest[programOf(page)];
    const chunks = new Set<Chunk>();
    const add = (chunk: Chunk | undefined): void => {
      if (!chunk || chunks.has(chunk)) return;
      chunks.add(chunk);
      for (const name of chunk.imports ?? []) add(this.manifest[name]);
    };
    add(entry);
    add(own);
    const styles = [...chunks].flatMap(({ css = [] }) => css);
    const font = [...this.files.keys()].find(
      (name) => name.includes("instrument-sans-basic") && name.endsWith(".woff2"),
    );
    return {
      entry: `/${entry.file}`,
      modules: [...chunks].map(({ file }) => `/${file}`).filter((file) => file !== `/${entry.file}`),
      styles: [...new Set(styles)].map((file) => `/${file}`),
      font: font ?? null,
    };
  }

  /** The file of a path. */
  at(requestPath: string): Asset | undefined {
    return this.files.get(requestPath);
  }
}

/** Files with a hash in the name are cached forever, others for a day. */
const headersOf = (name: string): Asset["headers"] => ({
  "Content-Type": TYPES[path.extname(name)] as string,
  "Cache-Control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "public, max-age=86400",
});
