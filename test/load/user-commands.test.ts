/** `board user`: accounts over their whole life, by the command line, while a server runs on the same database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text as read } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { runBoardCommand } from "../support/command.js";
import type { TestUser } from "../support/factory.js";
import { holdRow } from "../support/held-table.js";
import { signIn } from "../support/session.js";
import { digestOf } from "../support/traces.js";

let test: TestBoard;
let admin: TestUser;
beforeAll(async () => {
  test = await startBoard();
  admin = await test.make.user("Admin");
}, 120_000);
afterAll(() => test[Symbol.asyncDispose]());

const PASSWORD = "an excellent password";

const run = (args: string[], input?: string) => runBoardCommand(test.board, ["user", ...args], input);

/** What a command that succeeds prints, and what it records. */
async function done(args: string[], input?: string) {
  const { code, stdout, stderr } = await run(args, input);
  expect([code, stdout === "" ? stderr : ""]).toEqual([0, ""]);
  const audit = stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { json: JSON.parse(stdout) as Record<string, unknown>, audit, text: stdout + stderr };
}

/** What a command that is refused says, after which nothing is changed. */
async function refusal(args: string[], input?: string): Promise<string> {
  const before = await digestOf(test);
  const { code, stdout, stderr } = await run(args, input);
  expect([code, stdout]).toEqual([1, ""]);
  expect(await digestOf(test)).toEqual(before);
  return stderr.trim();
}

/** Whether the key, a session and the password of a user go on working. */
async function whatWorks(user: TestUser, session: Awaited<ReturnType<typeof signIn>>, password = user.password) {
  const { status } = await test.anonymous.post("/session.json", { name: user.name, password });
  return {
    key: (await user.client.get("/profile.json")).status === 200,
    session: (await session.client.get("/profile.json")).status === 200,
    password: status === 200,
  };
}

const modActions = async (subjectId: number) =>
  (await test.board.database.modAction.findMany({ where: { subjectId, subjectType: "User" } })).map(
    ({ creatorId, category, description }) => [creatorId, category, description],
  );

describe("board user list", () => {
  const list = (out: "pipe" | number) => {
    const env = { ...process.env, DATABASE_URL: test.board.databaseUrl, DATA_DIR: test.board.config.dataDir };
    return spawn("node", ["dist/src/cli.js", "user", "list"], { env, stdio: ["ignore", out, "pipe"] });
  };
  const outcomeOf = async (child: ReturnType<typeof list>) => {
    const [stderr, [code]] = await Promise.all([read(child.stderr as Readable), once(child, "close")]);
    return { code: code as number | null, stderr };
  };

  it("ends without an error when its output is no longer read", async () => {
    const child = list("pipe");
    child.stdout?.destroy();
    expect(await outcomeOf(child)).toEqual({ code: 0, stderr: "" });
  });

  it("says once that the disk is full", async () => {
    await test.make.user("Member");
    await using full = await open("/dev/full", "w");
    const stderr = "The disk is full; free some space and try again.\n";
    expect(await outcomeOf(list(full.fd))).toEqual({ code: 1, stderr });
  });
});

describe("board user create NAME - LEVEL", () => {
  it("reads the password from standard input", async () => {
    const { json } = await done(["create", "from_input", "-", "member"], `${PASSWORD}\n`);
    expect(json).toMatchObject({ name: "from_input", level: 20 });
    expect((await test.anonymous.post("/session.json", { name: "from_input", password: PASSWORD })).status).toBe(200);
  });

  it("is refused without a password, and for an invalid one", async () => {
    expect(await refusal(["create", "nobody", "-", "member"])).toBe("There is no password on standard input.");
    expect(await refusal(["create", "nobody", "-", "member"], "short\n")).toMatch(/password is too short/);
  });
});

describe("board user level", () => {
  it("takes effect at the next request, and is recorded", async () => {
    const user = await test.make.user();
    const { json, audit } = await done(["level", user.name, "builder"]);
    expect(json).toEqual({ id: user.id, name: user.name, level: 32, level_string: "Builder" });
    expect((await user.client.get("/profile.json")).json.level).toBe(32);
    expect(audit).toMatchObject([
      { audit: "level_changed", user: user.id, name: user.name, by: "board", from: 20, to: 32 },
    ]);
    const message = `changed the level of user #${user.id} from Member to Builder`;
    expect(await modActions(user.id)).toEqual([[null, "user_level", message]]);
  });

  it("changes nobody when the account is renamed and its name taken meanwhile", async () => {
    const [user, other] = [await test.make.user(), await test.make.user()];
    const { accountAdmin, database, databaseUrl } = test.board;
    await using held = await holdRow(databaseUrl, "tag_generation", 1); // where changes of accounts wait for each other
    const outcome = accountAdmin.setLevel(user.name, 50).catch((error: Error) => error.message);
    await expect.poll(() => held.waiting()).toBe(1);
    await held.commit(`UPDATE users SET name = 'x' || name WHERE id = ${user.id};
      UPDATE users SET name = '${user.name}' WHERE id = ${other.id}`);
    expect(await outcome).toBe("not found");
    expect(await database.user.count({ where: { id: { in: [user.id, other.id] }, level: 20 } })).toBe(2);
  });
});

describe("board user password", () => {
  it("sets the password from standard input; sessions, key and old password end", async () => {
    const user = await test.make.user();
    const session = await signIn(test.anonymous, user);
    expect(await whatWorks(user, session)).toEqual({ key: true, session: true, password: true });
    const { json, audit, text } = await done(["password", user.name], `${PASSWORD}\n`);
    expect(await whatWorks(user, session)).toEqual({ key: false, session: false, password: false });
    const renewed = test.anonymous.as({ name: user.name, apiKey: json.api_key as string });
    expect((await renewed.get("/profile.json")).status).toBe(200);
    expect((await test.anonymous.post("/session.json", { name: user.name, password: PASSWORD })).status).toBe(200);
    expect(audit).toMatchObject([{ audit: "password_changed", user: user.id, by: "board" }]);
    expect(text).not.toContain(PASSWORD);
  });

  it("is refused for a common password, and for an unknown account", async () => {
    expect(await refusal(["password", admin.name], "password1\n")).toBe("password is one of the most common passwords");
    expect(await refusal(["password", "nobody"], `${PASSWORD}\n`)).toBe("not found");
  });
});

describe("board user rotate-key", () => {
  it("replaces the key, with the password on standard input; sessions and password stay valid", async () => {
    const user = await test.make.user();
    const session = await signIn(test.anonymous, user);
    const { json, audit } = await done(["rotate-key", user.name], `${user.password}\n`);
    expect(await whatWorks(user, session)).toMatchObject({ key: false, password: true });
    const renewed = test.anonymous.as({ name: user.name, apiKey: json.api_key as string });
    expect((await renewed.get("/profile.json")).status).toBe(200);
    expect(audit).toMatchObject([{ audit: "api_key_rotated", user: user.id, by: "board" }]);
  });

  it("is refused for a wrong password", async () => {
    expect(await refusal(["rotate-key", admin.name], "guess\n")).toBe("authentication failed");
  });

  it("--reset sets a random password, which is printed", async () => {
    const user = await test.make.user();
    const session = await signIn(test.anonymous, user);
    const { json } = await done(["rotate-key", user.name, "--reset"]);
    expect(json.password).toMatch(/^[\w-]{24}$/);
    expect(await whatWorks(user, session)).toEqual({ key: false, session: false, password: false });
    const answer = await test.anonymous.post("/session.json", { name: user.name, password: json.password as string });
    expect(answer.status).toBe(200);
  });
});

describe("board user rename", () => {
  it("changes the name; key and password stay valid", async () => {
    const user = await test.make.user();
    const { json, audit } = await done(["rename", user.name, "Somebody_Else"]);
    expect(json).toMatchObject({ id: user.id, name: "Somebody_Else" });
    const { status } = await test.anonymous.as({ name: "somebody_else", apiKey: user.apiKey }).get("/profile.json");
    expect([status, (await user.client.get("/profile.json")).status]).toEqual([200, 403]);
    expect(audit).toMatchObject([{ audit: "account_renamed", user: user.id, name: user.name, to: "Somebody_Else" }]);
    expect(await modActions(user.id)).toEqual([[null, "user_rename", `renamed user #${user.id}`]]);
  });

  it("is shown in versions, comments and posts from then on", async () => {
    const user = await test.make.user("Contributor");
    const post = await test.make.post("sea", {}, user);
    await user.client.post("/comments.json", { comment: { post_id: post.id, body: "A ship." } });
    await done(["rename", user.name, "renamed_writer"]);
    const { json } = await test.anonymous.get("/comments.json", { group_by: "comment", search: { post_id: post.id } });
    expect(json[0].creator_name).toBe("renamed_writer");
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.uploader_name).toBe("renamed_writer");
    expect((await test.anonymous.get("/posts.json?tags=user:renamed_writer")).json).toHaveLength(1);
  });

  it("is refused for an invalid name, and for one that is taken in any case", async () => {
    const { name } = await test.make.user();
    expect(await refusal(["rename", admin.name, "a b"])).toBe("name is invalid");
    expect(await refusal(["rename", admin.name, name.toUpperCase()])).toBe("name is already taken");
  });
});

describe("board user close", () => {
  it("ends key, sessions and password, frees the name, and keeps what was written", async () => {
    const user = await test.make.user("Contributor");
    const post = await test.make.post("sea", {}, user);
    const session = await signIn(test.anonymous, user);
    const { json, audit } = await done(["close", user.name]);
    expect(json).toMatchObject({ id: user.id, name: `user_${user.id}~` });
    expect(await whatWorks(user, session)).toEqual({ key: false, session: false, password: false });
    expect((await test.anonymous.get(`/posts/${post.id}.json`)).json.uploader_name).toBe(`user_${user.id}~`);
    expect(audit).toMatchObject([{ audit: "account_closed", user: user.id, name: user.name, by: "board" }]);
    expect(await modActions(user.id)).toEqual([[null, "user_close", `closed the account user #${user.id}`]]);
  });

  it("leaves no name of the account in the staff log", async () => {
    const [user, moderator] = [await test.make.user(), await test.make.user("Moderator")];
    await moderator.client.graphql("mutation($input: BanUserInput!) { banUser(input: $input) { user { id } } }", {
      input: { userId: user.id, reason: "spam", duration: 3 },
    });
    await done(["rename", user.name, "Somebody_New"]);
    await done(["close", "Somebody_New"]);
    const log = await test.anonymous.get("/mod_actions.json", {
      search: { subject_id: user.id, subject_type: "User" },
    });
    expect(log.json.map(({ description }: { description: string }) => description)).toEqual([
      `closed the account user #${user.id}`,
      `renamed user #${user.id}`,
      `banned user #${user.id} for 3 days: spam`,
    ]);
  });

  it("is refused for the last Admin, and for a closed account", async () => {
    expect(await refusal(["close", admin.name])).toBe("the account of the last Admin can't be closed");
    const gone = await test.make.user();
    await done(["close", gone.name]);
    expect(await refusal(["close", `user_${gone.id}~`])).toBe("not found");
  });
});
