/** The data folder: created atomically, checked before use. */
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { ifCode } from "../../lib/error-code.js";
import { fsync, makeFolder } from "../../lib/files.js";
import { isRunning } from "../../lib/is-running.js";
import { type Binaries, errorIn, runProgram, type SystemUser } from "./binaries.js";
import { EmbeddedError, explain } from "./error.js";

/** Name of the superuser and the board's database. */
export const NAME = "graphbooru";
const SECRET = "graphbooru.json";

/**
 * Creates the board's data folder and its parents. As root, new folders get mode 711, whatever the umask, because the
 * database's user must be able to enter them; they can't be listed, and files have modes of their own.
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  await explain(`The data folder ${dataDir} can't be created`, async () => {
    const first = await makeFolder(dataDir);
    if (first === undefined || process.getuid?.() !== 0) return;
    for (let at = dataDir; at.startsWith(first); at = path.dirname(at)) await chmod(at, 0o711);
  });
}

const readOr = async (file: string, other: string) => readFile(file, "utf8").catch(() => other);

/**
 * Whether `folder` contains a cluster.
 * @throws EmbeddedError if it has another version, or the folder contains anything else
 */
export async function hasCluster(folder: string, binaries: Binaries): Promise<boolean> {
  const entries = await explain(`The database folder ${folder} can't be read`, () =>
    readdir(folder).catch(ifCode(["ENOENT"], null)),
  );
  if (!entries) return false;
  if (entries.length === 0) {
    await explain(`The empty database folder ${folder} can't be replaced`, () => rmdir(folder));
    return false;
  }
  const version = (await readOr(path.join(folder, "PG_VERSION"), "")).trim();
  if (version === binaries.major) return true;
  if (version === "") throw new EmbeddedError(`The folder ${folder} is not a PostgreSQL data folder.`);
  throw new EmbeddedError(
    `The database folder ${folder} was created by PostgreSQL ${version}, and this board comes with PostgreSQL ${binaries.major}; dump it with the old version and restore it, or set DATABASE_URL.`,
  );
}

/** Removes staging folders of killed processes; not those of other machines and containers, whose process ids mean nothing here. */
async function sweep(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const [, pid, host] = /^postgres\.new-(\d+)-[0-9a-f]+@(.*)$/.exec(name) ?? [];
    if (host === hostname() && Number(pid) !== process.pid && !isRunning(Number(pid))) {
      // again while the killed process' initdb writes there, which soon fails
      await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10 });
    }
  }
}

async function initialise(staging: string, binaries: Binaries, user: SystemUser | undefined, durable: boolean) {
  const password = randomBytes(24).toString("base64url");
  const passwordFile = path.join(staging, "password");
  const data = path.join(staging, "data");
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) await Promise.all([staging, data, passwordFile].map((file) => chown(file, user.uid, user.gid)));
  // the builtin provider sorts by code point and folds case by Unicode, the same on every machine
  const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8"];
  const access = ["--auth=scram-sha-256", `--username=${NAME}`, `--pwfile=${passwordFile}`, "--data-checksums"];
  const sync = durable ? [] : ["--no-sync"];
  const { code, output } = await runProgram(binaries.initdb, ["-D", data, ...locale, ...access, ...sync], user);
  if (code !== 0) throw new EmbeddedError(`PostgreSQL could not create its data folder: ${errorIn(output)}.`);
  const secret = path.join(data, SECRET);
  await writeFile(secret, JSON.stringify({ user: NAME, password }), { mode: 0o600 });
  if (durable) await fsync(secret, "r+").then(() => fsync(data));
  return data;
}

/**
 * Creates the cluster in a staging folder and renames it when it is complete, so that a killed process leaves
 * no incomplete cluster. If two processes do so concurrently, the first one wins.
 */
export async function createCluster(
  folder: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  durable: boolean,
) {
  const dataDir = path.dirname(folder);
  const name = `postgres.new-${process.pid}-${randomBytes(4).toString("hex")}@${hostname()}`;
  const staging = path.join(dataDir, name);
  await explain(`The database folder ${folder} can't be created`, async () => {
    await sweep(dataDir);
    try {
      await mkdir(staging, { mode: 0o700 });
      const cluster = await initialise(staging, binaries, user, durable);
      await rename(cluster, folder).catch(ifCode(["ENOTEMPTY", "EEXIST"], undefined));
      if (durable) await fsync(dataDir);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  });
}

/** The superuser's password, generated when the cluster was created. */
export async function readPassword(folder: string): Promise<string> {
  const file = path.join(folder, SECRET);
  return explain(`The database's password can't be read from ${file}`, async () => {
    const { password } = JSON.parse(await readFile(file, "utf8")) as { password?: unknown };
    if (typeof password !== "string") throw new Error("the file has no password");
    return password;
  });
}
