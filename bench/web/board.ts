/** A board of 10,000 generated posts whose files are there: a few pictures, linked under the names of all. */
import { existsSync } from "node:fs";
import { chmod, link, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import sharp from "sharp";
import { openEmbedded } from "../../src/database/embedded.js";
import { migrate } from "../../src/database/migrate.js";
import { THUMBNAIL_QUALITY } from "../../src/media/sizes.js";
import { derivedOf, type DerivedFacts, keyOf, type MediaFile, type Variant } from "../../src/storage/keys.js";
import { Folder } from "../../test/support/folder.js";
import { ServerProcess } from "../../test/support/server-process.js";
import { generateBoard } from "../generate.js";
import { SETTINGS } from "../search/server.js";

/** Sides of the pictures that stand for each kind of file, in pixels. */
const SIDES: Readonly<Record<Variant, number>> = {
  preview: 180,
  "360x360": 360,
  "720x720": 720,
  sample: 850,
  original: 850,
};
/** Of those that are WebPs. */
const QUALITY: Readonly<Partial<Record<string, number>>> = {
  "360x360": THUMBNAIL_QUALITY[360],
  "720x720": THUMBNAIL_QUALITY[720],
};
/** Pictures are told apart by so many. */
const KINDS = 12;
/** ThumbHash of a picture. */
const PLACEHOLDER = "1QcSHQRnh493V4dIh4eXh1h4kJUI";

/** Files as large as those of paintings are, about a bit for each pixel: noise, blurred a little. */
async function makePictures(folder: string): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const [variant, side] of Object.entries(SIDES)) {
    for (let kind = 0; kind < KINDS; kind += 1) {
      const [width, height] = [side, Math.round(side * (0.6 + (kind % 5) * 0.15))];
      const noise = { type: "gaussian", mean: 90 + kind * 6, sigma: 60 } as const;
      const picture = sharp({ create: { width, height, channels: 3, background: "#888", noise } }).blur(
        side < 200 ? 0.75 : 1.5,
      );
      const file = path.join(folder, `${variant}-${kind}`);
      const quality = QUALITY[variant];
      await writeFile(file, await (quality ? picture.webp({ quality }) : picture.jpeg({ quality: 82 })).toBuffer());
      made.set(`${variant} ${kind}`, file);
    }
  }
  return made;
}

type File = MediaFile & DerivedFacts;

async function linkFiles(files: readonly File[], dataDir: string): Promise<void> {
  const pictures = path.join(dataDir, "pictures");
  await mkdir(pictures, { recursive: true });
  const made = await makePictures(pictures);
  const folders = new Set<string>();
  for (const [index, file] of files.entries()) {
    for (const variant of [...derivedOf(file), "original"] as const) {
      const to = path.join(dataDir, "media", keyOf(variant, file));
      const folder = path.dirname(to);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true });
      folders.add(folder);
      await link(made.get(`${variant} ${index % KINDS}`) as string, to);
    }
  }
}

async function fill(url: string, dataDir: string, posts: number): Promise<void> {
  await migrate(url);
  await generateBoard(url, { posts });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("UPDATE media_files SET placeholder = $1", [PLACEHOLDER]);
    const { rows } = await client.query<File>(`
      SELECT md5, file_ext AS "fileExt", image_width AS "imageWidth", image_height AS "imageHeight",
             has_sample AS "hasSample", placeholder FROM media_files`);
    await linkFiles(rows, dataDir);
  } finally {
    await client.end();
  }
}

export interface BenchBoard extends AsyncDisposable {
  url: string;
}

/** @param kept a folder that the board stays in for the next run, where it is filled once; by default a temporary one */
export async function openBoard(posts: number, kept?: string): Promise<BenchBoard> {
  const folder = kept === undefined ? await Folder.make() : null;
  const root = folder?.path ?? path.resolve(kept ?? "");
  await mkdir(root, { recursive: true });
  await chmod(root, 0o711); // the database's user has to enter it
  const embedded = await openEmbedded({ dataDir: root });
  const served = path.join(root, "served");
  const filled = path.join(root, `filled-${posts}`);
  if (!existsSync(filled)) await fill(embedded.url, served, posts);
  await writeFile(filled, "");
  const settings = {
    ...SETTINGS,
    DATABASE_URL: embedded.url,
    MAX_REQUESTS_PER_ADDRESS: "64",
    LIMIT_ADDRESS: "1000000000",
  };
  const server = await ServerProcess.start(served, settings);
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.end();
      await embedded.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}
