/**
 * Builds the pages: a step of the set-up. Writes the chunks into `static/`, by page, each with a hash in its name and
 * compressed files beside it, the icons, and `manifest.json`, from which the server knows what a page needs.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import sharp from "sharp";
import { build } from "vite";

const HERE = import.meta.dirname;
const STATIC = path.join(HERE, "static");
const FRESH = path.join(HERE, `static-${process.pid}`);
/** Builds are for production, without the libraries' development code. */
process.env.NODE_ENV = "production";
/** Smaller files are sent uncompressed. */
const LEAST_BYTES = 256;

await build({
  configFile: false,
  root: HERE,
  logLevel: "warn",
  publicDir: false,
  build: {
    outDir: FRESH,
    emptyOutDir: true,
    manifest: "manifest.json",
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: path.join(HERE, "entry.tsx"),
      // the entry point and what nearly every page uses are one script, with what they use themselves: several compress badly
      output: {
        // the entry's names of all chunks can't be compressed
        chunkFileNames: "assets/[name]-[hash:6].js",
        assetFileNames: "assets/[name]-[hash:6][extname]",
        codeSplitting: { groups: [{ name: "entry", test: /web\/(entry|lib\/(title|drawn|hidden|mask))\.tsx?$/ }] },
      },
    },
  },
});

const put = (name, content) => writeFileSync(path.join(FRESH, name), content);

/** A picture in the ICO container for `/favicon.ico`. */
function icoOf(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // of one picture
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12); // bits a pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

async function icons() {
  const svg = readFileSync(path.join(HERE, "icons/mark.svg"));
  const at = (size) => sharp(svg, { density: 300 }).resize(size).png().toBuffer();
  put("icon.svg", svg);
  put("favicon.ico", icoOf(await at(32), 32));
  const sizes = [180, 192, 512];
  await Promise.all(sizes.map(async (size) => put(`icon-${size}.png`, await at(size))));
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

async function compress(file) {
  const bytes = readFileSync(file);
  if (bytes.length < LEAST_BYTES) return;
  writeFileSync(`${file}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  writeFileSync(`${file}.gz`, await zip(bytes, { level: 9 }));
}

await icons();
const texts = readdirSync(FRESH, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(js|css|svg|ico)$/.test(name),
);
await Promise.all(texts.map((name) => compress(path.join(FRESH, name))));

mkdirSync(STATIC, { recursive: true });
rmSync(STATIC, { recursive: true, force: true });
renameSync(FRESH, STATIC);
