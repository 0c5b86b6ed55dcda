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

async function signUp(url: string): Promise<Demo["as"]> {
  const clients: Partial<Demo["as"]> = {};
  for (const [name, level] of Object.entries(LEVELS)) {
    const [account] = await boardCommand<Account>("user", "create", name, password(), level);
    console.log(`  ${name}, ${level}: ${name}:${account?.api_key}`);
    clients[name as UserName] = new DemoClient(url, { name, apiKey: account?.api_key ?? "" });
  }
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
  await as.lumen.rest("GET", "/profile.json").catch(() => {
    throw new DemoError(
      `The board at ${url} is not the one of the \`board\` command; set its DATA_DIR or DATABASE_URL.`,
    );
  });
  const ids = await upload(as);
  const demo: Demo = { as, post: (index) => ids[index] ?? 0 };
  console.log(`${ids.length} posts are there; now what belongs to them.`);
  for (const step of [approve, describeTags, annotate, connect, judge, relateTags, discuss]) await step(demo);
}

async function main(url: string): Promise<void> {
  const state = await progress(new DemoClient(url));
  if (state === "complete") return console.log(`The demo is already on ${url}, and nothing was changed.`);
  if (state === "begun")
    throw new DemoError(`A demo was begun on ${url} and not finished; it needs a new board (another DATA_DIR).`);
  await fill(url);
  console.log(`Done: open ${url}/ in a browser, or ${url}/graphql for the API.`);
}

main((process.argv[2] ?? "http://127.0.0.1:3000").replace(/\/+$/, "")).catch((error: unknown) => {
  console.error(error instanceof DemoError ? error.message : error);
  process.exitCode = 1;
});
