import { type Command, InvalidArgumentError } from "commander";
import { Level, levelName, parseLevel } from "../auth/levels.js";
import type { UserRecord } from "../services/user.service.js";
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

const create = (name: string, password: string, number: number): Promise<void> =>
  withBoard(async (board) => {
    const made = await board.users.create({ name, password, level: number });
    print({ id: made.id, name: made.name, level: made.level, api_key: made.passwordHash });
  });

const list = (): Promise<void> =>
  withBoard(async (board) => {
    for (let after = 0; ;) {
      const { rows } = await board.users.search({}, { first: 1000, page: `a${after}` });
      for (const row of rows.toReversed()) print(summary(row));
      after = rows[0]?.id ?? after;
      if (rows.length < 1000) return;
    }
  });

const setLevel = (name: string, number: number): Promise<void> =>
  withBoard(async (board) => print(summary(await board.users.setLevel(name, number))));

/** `user create`, `user list`, `user level`. */
export function userCommands(program: Command): void {
  const user = program.command("user").description("accounts");
  user
    .command("create")
    .description("create an account of any level; prints id, name, level and api_key")
    .argument("<name>")
    .argument("<password>")
    .argument("<level>", levels, level)
    .action(create);
  user.command("list").description("list the accounts, one line each, oldest first").action(list);
  user
    .command("level")
    .description("change an account's level")
    .argument("<name>")
    .argument("<level>", levels, level)
    .action(setLevel);
}
