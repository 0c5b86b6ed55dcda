/**
 * The system user of the server. PostgreSQL refuses to run as root, so for a board started by root it is
 * the owner of the existing data folder, or the system user `postgres`, which is created if necessary.
 */
import { stat } from "node:fs/promises";
import path from "node:path";
import { runProgram, type SystemUser } from "./binaries.js";
import { EmbeddedError } from "./error.js";

const NAME = "postgres";

/** Commands that create a system user: of most distributions, then of BusyBox. */
const CREATE: [string, string[]][] = [
  [
    "useradd",
    ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/bin/false", NAME],
  ],
  ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", NAME]],
];

async function idOf(flag: "-u" | "-g"): Promise<number | undefined> {
  const { code, output } = await runProgram("id", [flag, NAME]);
  return code === 0 ? Number(output.trim()) : undefined;
}

async function lookUp(): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all([idOf("-u"), idOf("-g")]);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

async function systemUser(): Promise<SystemUser> {
  const existing = await lookUp();
  if (existing) return existing;
  for (const [command, args] of CREATE) {
    await runProgram(command, args);
    const created = await lookUp();
    if (created) return created;
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and the system user "${NAME}" could not be created for it; create it, or start the board as an ordinary user.`,
  );
}

/** The name of a user for a message; the uid if it has none. */
async function nameOf(uid: number): Promise<string> {
  const { code, output } = await runProgram("id", ["-nu", String(uid)]);
  return code === 0 ? `"${output.trim()}"` : `number ${uid}`;
}

/**
 * The user of the server whose data is, or will be, in `folder`; undefined for this process's own.
 * @throws EmbeddedError if the folder belongs to another user
 */
export async function serverUser(folder: string): Promise<SystemUser | undefined> {
  const me = process.getuid?.();
  if (me === undefined) return undefined; // Windows
  const owner = await stat(folder).catch(() => undefined);
  if (me !== 0) {
    if (!owner || owner.uid === me) return undefined;
    const [ownerName, ownName] = await Promise.all([nameOf(owner.uid), nameOf(me)]);
    throw new EmbeddedError(
      `The database folder ${folder} belongs to user ${ownerName}, and the board runs as user ${ownName}.`,
    );
  }
  if (!owner) return systemUser();
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  throw new EmbeddedError(
    `The database folder ${folder} belongs to root, and PostgreSQL does not run as root; give it to the database user with "chown -R ${NAME} ${folder}".`,
  );
}

const ancestors = (folder: string): string[] => {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...ancestors(parent), folder];
};

/**
 * Checks that the server's user can enter these folders, by running a shell as that user.
 * @throws EmbeddedError that names the first inaccessible folder
 */
export async function checkEntry(user: SystemUser | undefined, folders: string[]): Promise<void> {
  if (!user) return;
  const all = [...new Set(folders.flatMap(ancestors))];
  const script = 'for f do test -x "$f" || { printf %s "$f"; exit 3; }; done';
  const { code, output } = await runProgram("/bin/sh", ["-c", script, "sh", ...all], user);
  if (code === 0) return;
  const name = await nameOf(user.uid);
  if (code !== 3)
    throw new EmbeddedError(`The board can't run programs as the database user ${name}: ${output.trim()}.`);
  throw new EmbeddedError(
    `The database user ${name} can't enter the folder ${output}; allow it with "chmod o+x ${output}", or choose another folder.`,
  );
}
