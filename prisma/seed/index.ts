/**
 * `npm run demo [-- URL]`: fills a running board with a small set of pictures and records, like any
 * other client. Needs the board's own folder or DATABASE_URL too, because accounts and aliases are made by the `board` command.
 */
import { randomBytes } from "node:crypto";
import { boardCommand, DemoClient, DemoError } from "./board.js";
import { annotate, approve, connect, type Demo, describeTags, discuss, judge, upload, type UserName } from "./fill.js";
import { aliases, implications, LAST_TOPIC } from "./texts.js";

const LEVELS = { lumen: "contributor", wren: "member", halden: "moderator" } as const;

interface Account {
  name: string;
  level: number;
  api_key: string;
}

/** Whether all, some or nothing of the demo is there. */
async function progress(visitor: DemoClient): Promise<"complete" | "begun" | "none"> {
  const { user, forumTopics } = await visitor.graphql<{ user: object | null; forumTopics: { nodes: object[] } }>(
    `query($topics: ForumTopicSearch) { user(name: "lumen") { id } forumTopics(search: $topics) { nodes { id } } }`,
    { topics: { title: LAST_TOPIC } },
  );
  if (!user) return "none";
  return forumTopics.nodes.length > 0 ? "complete" : "begun";
}

/** Made up and shown to nobody: a known one would be a way into the board. Hexadecimal, because one that begins with a dash is an option. */
const password = (): string => randomBytes(18).toString("hex");

/** An account that the board at the URL has too; closed again if it is another board's, so that a later demo finds its name free. */
async function createUser(url: string, name: string, level: string): Promise<DemoClient> {
  const [account] = await boardCommand<Account>("user", "create", name, password(), level);
  const client = new DemoClient(url, { name, apiKey: account?.api_key ?? "" });
  await client.rest("GET", "/profile.json").catch(async () => {
    await boardCommand("user", "close", name);
    throw new DemoError(`The board at ${url} has another DATA_DIR or DATABASE_URL; set the same for the demo.`);
  });
  console.log(`  ${name}, ${level}: ${name}:${account?.api_key}`);
  return client;
}

async function signUp(url: string): Promise<Demo["as"]> {
  const clients: Partial<Demo["as"]> = {};
  for (const [name, level] of Object.entries(LEVELS)) clients[name as UserName] = await createUser(url, name, level);
  return clients as Demo["as"];
}

/** Aliases are made in the name of the first Admin, whom a new board lacks. */
async function relateTags(): Promise<void> {
  const users = await boardCommand<Account>("user", "list");
  if (!users.some(({ level }) => level >= 50)) {
    await boardCommand("user", "create", "keeper", password(), "admin");
  }
  for (const pair of aliases) await boardCommand("alias", "create", ...pair);
  for (const pair of implications) await boardCommand("implication", "create", ...pair);
}

async function fill(url: string): Promise<void> {
  console.log("Accounts, by name and API key:");
  const as = await signUp(url);
  const ids = await upload(as);
  const demo: Demo = { as, post: (index) => ids[index] ?? 0 };
  console.log(`${ids.length} posts created; creating their pools, notes, comments and wiki pages.`);
  for (const step of [approve, describeTags, annotate, connect, judge, relateTags, discuss]) await step(demo);
}

async function main(url: string): Promise<void> {
  const state = await progress(new DemoClient(url));
  if (state === "complete") return console.log(`The demo already exists on ${url}; nothing was changed.`);
  if (state === "begun") throw new DemoError(`The demo on ${url} is incomplete. Use a new board (another DATA_DIR).`);
  await fill(url);
  console.log(`Done: open ${url}/ in a browser, or ${url}/graphql for the API.`);
}

main((process.argv[2] ?? "http://127.0.0.1:3000").replace(/\/+$/, "")).catch((error: unknown) => {
  console.error(error instanceof DemoError ? error.message : error);
  process.exitCode = 1;
});
