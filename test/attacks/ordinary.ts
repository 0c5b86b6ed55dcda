/**
 * The process of the ordinary users: a visitor, with a new address and connection after every ten requests, and a member.
 * Each sends a request every 20 ms, whether or not the last response has arrived, and time is measured from the moment a request
 * was due, so that a server that stops responding is measured for the whole time.
 */
import { Agent, request } from "node:http";
import type { Facts, Login } from "./attack.js";

export interface OrdinaryOrder {
  url: string;
  facts: Facts;
  members: Login[];
  /** the visitor's; by turns, for each has its hourly limit */
  addresses: string[];
  /** the member's */
  address: string;
}

/** One request. */
export interface Sample {
  who: "visitor" | "member";
  /** when it was due, by `Date.now()` */
  at: number;
  /** from when it was due to the end of the answer */
  milliseconds: number;
  /** what went wrong; nothing when it was answered with 200 */
  fault?: string;
}

const EVERY_MS = 20;
const PATIENCE_MS = 20_000;
const GALLERY =
  "query($tags: String) { posts(tags: $tags, first: 20) { nodes { id rating tagString previewFileUrl } } }";

interface Question {
  path: string;
  body?: string;
}

function questionsOf({ post, tags }: Facts): Question[] {
  const [first = "", second = ""] = tags;
  const gallery = (of: string): Question => ({
    path: "/graphql",
    body: JSON.stringify({ query: GALLERY, variables: { tags: of } }),
  });
  return [
    { path: "/posts.json?limit=20" },
    { path: `/posts/${post}.json` },
    gallery(first),
    { path: `/posts.json?limit=20&tags=${encodeURIComponent(`${first} -${second}`)}` },
    { path: "/tags.json?limit=20&search[order]=count" },
    { path: `/comments.json?group_by=comment&limit=20` },
    gallery(second),
    { path: "/posts.json?limit=20&page=2" },
  ];
}

const [order] = [JSON.parse(process.argv[2] ?? "{}") as OrdinaryOrder];
const { hostname, port } = new URL(order.url);
const questions = questionsOf(order.facts);
/** Connections are kept; of one address there are no more than browsers open. */
const agent = new Agent({ keepAlive: true, maxSockets: 6 });
/** Requests of one visitor, and of one member: each has an hourly limit, of which a gallery takes several. */
const PER_PARTY = { visitor: 10, member: 100 };
let samples: Sample[] = [];
let underWay: Promise<void>[] = [];
let turn = 0;

const partyOf = <T>(who: Sample["who"], parties: readonly T[]): T =>
  parties[Math.floor(turn / PER_PARTY[who]) % parties.length] as T;

function ask(who: Sample["who"], due: number, { path, body }: Question): Promise<string | undefined> {
  const { name, apiKey } = partyOf("member", order.members);
  const authorization = `Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;
  const headers = {
    ...(who === "member" ? { authorization } : {}),
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  const localAddress = who === "member" ? order.address : partyOf("visitor", order.addresses);
  return new Promise((resolve) => {
    const method = body === undefined ? "GET" : "POST";
    const asking = request({ host: hostname, port, path, method, headers, agent, localAddress });
    const timer = setTimeout(() => asking.destroy(new Error("no answer")), due + PATIENCE_MS - Date.now());
    asking.once("close", () => clearTimeout(timer));
    asking.once("error", (error: NodeJS.ErrnoException) => {
      // a kept connection may just have been closed, and a browser asks again then
      if (asking.reusedSocket && error.code === "ECONNRESET") resolve(ask(who, due, { path, body }));
      else resolve(error.code ?? error.message);
    });
    asking.once("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += text.length < 200 ? chunk.toString() : ""));
      response.once("error", (error: Error) => resolve(error.message));
      response.once("end", () => {
        const isFine = response.statusCode === 200 && !text.startsWith('{"errors"');
        resolve(isFine ? undefined : `${response.statusCode} ${text.slice(0, 200)}`);
      });
    });
    asking.end(body);
  });
}

async function sample(who: Sample["who"], at: number, question: Question): Promise<void> {
  const fault = await ask(who, at, question);
  samples.push({ who, at, milliseconds: Date.now() - at, ...(fault === undefined ? {} : { fault }) });
}

/** Asks everything that has become due. */
function keepAsking(start: number): NodeJS.Timeout {
  let asked = 0;
  return setInterval(() => {
    for (; start + asked * EVERY_MS <= Date.now(); asked += 1) {
      const due = start + asked * EVERY_MS;
      const question = questions[asked % questions.length] as Question;
      turn += 1;
      underWay.push(sample("visitor", due, question), sample("member", due, question));
    }
  }, 2);
}

let timer: NodeJS.Timeout | undefined;

async function answer(message: "start" | "stop"): Promise<void> {
  if (message === "start") {
    [samples, underWay] = [[], []];
    timer = keepAsking(Date.now());
    return;
  }
  clearInterval(timer);
  await Promise.all(underWay);
  process.send?.(samples);
}

process.on("message", (message: "start" | "stop") => void answer(message));
process.once("disconnect", () => process.exit());
