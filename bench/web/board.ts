/** A board of 10,000 generated posts with files, which are links to a few pictures. */
import { existsSync } from "node:fs";
import { chmod, link, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import sharp from "sharp";
import { openEmbedded } from "../../src/database/embedded.js";
import { migrate } from "../../src/database/migrate.js";
import { PREVIEW_SIZE, THUMBNAIL_QUALITY, within } from "../../src/media/sizes.js";
import {
  derivedOf,
  type DerivedFacts,
  keyOf,
  type MediaFile,
  THUMBNAIL_SIZES,
  type Variant,
} from "../../src/storage/keys.js";
import { Folder } from "../../test/support/folder.js";
import { ServerProcess } from "../../test/support/server-process.js";
import { generateBoard } from "../generate.js";
import { SETTINGS } from "../search/server.js";

/** Aspect ratios of the pictures; each post uses those of the nearest one. */
const SHAPES = [0.6, 0.67, 0.75, 0.85, 1, 1.15, 1.33, 1.5, 1.7];
/** Number of different pictures of each shape. */
const KINDS = 3;
/** Width of pictures that are used as samples and originals, in pixels. */
const LARGE_WIDTH = 850;
/** ThumbHash of a picture. */
const PLACEHOLDER = "1QcSHQRnh493V4dIh4eXh1h4kJUI";

const VARIANTS = ["preview", "360x360", "720x720", "sample", "original"] as const;

/** The size of a thumbnail, as `src/media` would create it from a large file. */
function sizeOf(variant: Variant, shape: number) {
  const large = { width: 2 * LARGE_WIDTH, height: Math.round((2 * LARGE_WIDTH) / shape) };
  if (variant === "sample" || variant === "original") return within(large, LARGE_WIDTH * Math.max(1, 1 / shape));
  return within(large, variant === "preview" ? PREVIEW_SIZE : Number.parseInt(variant, 10));
}

/** Slightly blurred noise, which compresses like paintings and photographs: about a bit per pixel as a WebP. */
async function paint(variant: Variant, shape: number, kind: number): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 90 + kind * 24, sigma: 60 } as const;
  const size = sizeOf(variant, shape);
  const picture = sharp({ create: { ...size, channels: 3, background: "#888", noise } });
  const blurred = picture.blur(variant === "preview" ? 0.75 : 1.5);
  const side = THUMBNAIL_SIZES.find((each) => variant === `${each}x${each}`);
  return (side ? blurred.webp({ quality: THUMBNAIL_QUALITY[side] }) : blurred.jpeg({ quality: 82 })).toBuffer();
}

async function makePictures(folder: string): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const variant of VARIANTS) {
    for (const shape of SHAPES) {
      for (let kind = 0; kind < KINDS; kind += 1) {
        const name = `${variant}-${shape}-${kind}`;
        made.set(name, path.join(folder, name));
        await writeFile(path.join(folder, name), await paint(variant, shape, kind));
      }
    }
  }
  return made;
}

function nearestShape({ imageWidth, imageHeight }: DerivedFacts): number {
  const distance = (shape: number) => Math.abs(Math.log((shape * imageHeight) / imageWidth));
  return SHAPES.reduce((nearest, shape) => (distance(shape) < distance(nearest) ? shape : nearest));
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
      await link(made.get(`${variant}-${nearestShape(file)}-${index % KINDS}`) as string, to);
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

/** @param kept a folder in which the board is kept for the next run; by default a temporary one */
export async function openBoard(posts: number, kept?: string): Promise<BenchBoard> {
  const folder = kept === undefined ? await Folder.make() : null;
  const root = folder?.path ?? path.resolve(kept ?? "");
  await mkdir(root, { recursive: true });
  await chmod(root, 0o711); // the database runs as another user, who needs access
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
