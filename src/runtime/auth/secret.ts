/** The key that signs cookies: from the configuration, or generated at the first start and stored in DATA_DIR (mode 600). */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Config, ConfigError } from "../../config.js";
import { ifCode } from "../../lib/error-code.js";
import { makeFolder } from "../../lib/files.js";

const fileOf = (config: Config): string => path.join(config.dataDir, "secret");

/** Reads or creates the secret. Two processes that start together get the same one. @throws as `readSecret` */
export async function loadSecret(config: Config): Promise<string> {
  const existing = config.SECRET || (await readSecret(config));
  if (existing) return existing;
  const file = fileOf(config);
  const draft = await writeDraft(config, randomBytes(32).toString("hex"));
  await link(draft, file).catch(ifCode(["EEXIST"], undefined));
  await unlink(draft);
  return (await readFile(file, "utf8")).trim();
}

/**
 * The key stored in DATA_DIR; null if the configuration has one, or none exists yet.
 * @throws ConfigError for an empty file, with which everybody could sign; Error for one that can't be read
 */
export async function readSecret(config: Config): Promise<string | null> {
  if (config.SECRET) return null;
  const found = await readFile(fileOf(config), "utf8").catch(ifCode(["ENOENT"], null));
  const secret = found?.trim() ?? null;
  if (secret !== "") return secret;
  throw new ConfigError([`DATA_DIR: the file ${fileOf(config)} is empty; remove it, and a new secret is made`]);
}

/** Replaces the key in DATA_DIR; running processes keep theirs. Does nothing if the configuration has one. */
export async function saveSecret(config: Config, secret: string): Promise<void> {
  if (config.SECRET) return;
  await rename(await writeDraft(config, secret), fileOf(config));
}

/** Writes a file beside that of the secret, to the disk: after a power cut, the secret's must not be empty. @returns its path */
async function writeDraft(config: Config, secret: string): Promise<string> {
  const draft = `${fileOf(config)}.${randomUUID()}`; // process ids of containers are often the same
  await makeFolder(config.dataDir);
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flush: true });
  return draft;
}

/** The token that our own pages send with writes: proof that the sender could read our responses. */
export const csrfToken = (secret: string, passwordHash: string): string =>
  createHmac("sha256", secret).update(`csrf\0${passwordHash}`).digest("base64url");
