import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type Command, InvalidArgumentError } from "commander";
import { OperatorError } from "../../errors.js";
import { oneByOne } from "../../lib/in-batches.js";
import { Level, levelName, parseLevel } from "../../runtime/auth/levels.js";
import type { AccountAdmin } from "../../resources/accounts/account.admin.js";
import type { UserRecord } from "../../resources/users/user.records.js";
import { print, withBoard } from "./command.js";

const levels = Object.keys(Level)
  .filter((name) => name !== "Anonymous" && name !== "Restricted")
  .join(", ")
  .toLowerCase();

function level(text: string): number {
  const parsed = parseLevel(text);
  if (parsed === null) throw new InvalidArgumentError(`must be one of ${levels}, or a level's number.`);
  return parsed;
}

const summary = (user: UserRecord) => ({
  id: user.id,
  name: user.name,
  level: user.level,
  level_string: levelName(user.level),
});

const withKey = (user: UserRecord & { passwordHash: string }) => ({
  id: user.id,
  name: user.name,
  level: user.level,
  api_key: user.passwordHash,
});

/**
 * Reads a password, the first line of standard input, since arguments are visible in the shell's history and in the list of processes; on a
 * terminal with a prompt and without echo.
 * @throws OperatorError without one
 */
async function readPassword(prompt = "Password: "): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  try {
    for await (const line of lines) {
      if (line !== "") return line;
      break;
    }
    throw new OperatorError("There is no password on standard input.");
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}

/** @param given `-` for standard input */
async function create(name: string, given: string, number: number): Promise<void> {
  const password = given === "-" ? await readPassword() : given;
  await withBoard(async (board) => print(withKey(await board.users.create({ name, password, level: number }))), {
    mayCreate: true,
  });
}

const list = (): Promise<void> =>
  withBoard(async (board) => {
    const next = async (after: number) =>
      (await board.users.search({}, { first: 1000, page: `a${after}` })).rows.toReversed();
    for await (const user of oneByOne(next)) print(summary(user));
  });

const change = (work: (admin: AccountAdmin) => Promise<UserRecord>): Promise<void> =>
  withBoard(async (board) => print(summary(await work(board.accountAdmin))));

async function setPassword(name: string): Promise<void> {
  const password = await readPassword("New password: ");
  await withBoard(async (board) => print(withKey(await board.accountAdmin.setPassword(name, password))));
}

async function rotateKey(name: string, { reset }: { reset?: boolean }): Promise<void> {
  if (reset) {
    return withBoard(async (board) => {
      const { password, ...user } = await board.accountAdmin.resetPassword(name);
      print({ ...withKey(user), password });
    });
  }
  const password = await readPassword();
  await withBoard(async (board) => print(withKey(await board.accountAdmin.rotateApiKey(name, password))));
}

const recover = (name: string): Promise<void> =>
  withBoard(async (board) => {
    const { id, name: spelled, token, expiresAt } = await board.accountAdmin.makeRecovery(name);
    print({ id, name: spelled, token, expires_at: expiresAt });
  });

/** `user ...`: the commands of accounts. */
export function register(program: Command): void {
  const user = program.command("user").description("accounts");
  const named = (command: string, description: string) =>
    user.command(command).description(description).argument("<name>");
  user
    .command("create")
    .description("create an account of any level; prints id, name, level and api_key")
    .argument("<name>")
    .argument("<password>", "`-` reads it from standard input, which keeps it out of the shell history")
    .argument("<level>", levels, level)
    .action(create);
  user.command("list").description("list the accounts, one line each, oldest first").action(list);
  named("level", "change an account's level")
    .argument("<level>", levels, level)
    .action((name: string, to: number) => change((admin) => admin.setLevel(name, to)));
  named("rename", "rename an account; sessions and API key stay valid")
    .argument("<new name>")
    .action((name: string, to: string) => change((admin) => admin.rename(name, to)));
  named("password", "set a password, read from standard input; revokes all sessions and the API key").action(
    setPassword,
  );
  named("rotate-key", "replace the API key; the password is read from standard input; sessions stay valid")
    .option("--reset", "set and print a random password instead; revokes sessions, too")
    .action(rotateKey);
  named("recover", "print a token with which a new password can be set, once and within an hour").action(recover);
  named("close", "close an account permanently; its contributions stay").action((name: string) =>
    change((admin) => admin.close(name)),
  );
}
