/**
 * Completes package-lock.json with entries of optional dependencies that the current registry lacks.
 *
 * Tools with native binaries name one optional package per platform. Where a registry mirror lacks some of them, npm writes a
 * lock file without their entries, and `npm ci` of npm 11 then refuses it ("Missing: ... from lock file"). The entry
 * says version and platform only, so that npm installs it nowhere else.
 *
 * node scripts/complete-lock.mjs          completes the file
 * node scripts/complete-lock.mjs --check  checks whether it is complete (exit code 1 if not)
 */
import { readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("../package-lock.json", import.meta.url);
const SYSTEMS = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
  "windows",
];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"];

/** The key in the lock file of the package that `name` resolves to from the package at `from`, as in Node. */
function locate(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const key = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (packages[key]) return key;
    if (!at) return undefined;
  }
}

/** The platform in the name of a package: `@oxlint/binding-linux-x64-musl`. */
function platform(name) {
  const words = name.split(/[/-]/);
  const system = SYSTEMS.find((word) => words.includes(word));
  const processor = PROCESSORS.find((word) => words.includes(word));
  if (!system || !processor) throw new Error(`${name} does not say its platform; complete package-lock.json by hand`);
  const libc = words.at(-1).startsWith("musl") ? ["musl"] : words.at(-1).startsWith("gnu") ? ["glibc"] : undefined;
  return { os: [system === "windows" ? "win32" : system], cpu: [processor], libc };
}

/** The entry in npm's order of keys, so that `npm install` does not change it. */
function entryOf(name, range, dev) {
  const { os, cpu, libc } = platform(name);
  return { version: range.replace(/^[^\d]*/, ""), cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, os };
}

function missing(packages) {
  return Object.entries(packages).flatMap(([from, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !locate(packages, from, name))
      .map(([name, range]) => [`node_modules/${name}`, entryOf(name, range, dev)]),
  );
}

const lock = JSON.parse(readFileSync(FILE, "utf8"));
const entries = missing(lock.packages);
if (process.argv.includes("--check")) {
  if (entries.length)
    console.error(`package-lock.json lacks ${entries.length} optional packages: node scripts/complete-lock.mjs`);
  process.exitCode = entries.length ? 1 : 0;
} else if (entries.length) {
  const byKey = ([a], [b]) => (a < b ? -1 : 1);
  lock.packages = Object.fromEntries([...Object.entries(lock.packages), ...entries].sort(byKey));
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  console.error(`package-lock.json: ${entries.length} optional packages added`);
}
