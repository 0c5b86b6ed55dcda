/** The clients of a soak: readers, writers and uploaders, each on its own connection, sending the next request after a response. */
import { Client as Connection, FormData } from "undici";
import { jpeg } from "../../test/support/pictures.js";
import { authorization, type Writer } from "../search/writes.js";

/** One request and its outcome. */
export interface Sample {
  /** the request, as `GET /posts` */
  name: string;
  /** 0 without a response */
  status: number;
  /** reason of an error */
  reason: string;
  milliseconds: number;
}

export type Note = (sample: Sample) => void;

interface Answer {
  status: number;
  json: Record<string, unknown> | Record<string, unknown>[] | null;
}

const reasonOf = (json: Answer["json"]): string => {
  const reason = Array.isArray(json) ? undefined : json?.reason;
  return typeof reason === "string" ? reason : "";
};

type Body = Record<string, string> | FormData;

/** One client on one connection. */
export class Soaker implements AsyncDisposable {
  private readonly connection: Connection;

  constructor(
    url: string,
    private readonly who: Writer | null,
    private readonly note: Note,
  ) {
    this.connection = new Connection(url, { pipelining: 1, bodyTimeout: 60_000, headersTimeout: 60_000 });
  }

  /** @param name the kind of request, by which samples are grouped */
  async ask(name: string, path: string, body?: Body): Promise<Answer> {
    const began = performance.now();
    try {
      const { status, json } = await this.send(name.split(" ")[0] ?? "GET", path, body);
      const reason = status < 400 ? "" : reasonOf(json);
      this.note({ name, status, reason, milliseconds: performance.now() - began });
      return { status, json };
    } catch (error) {
      this.note({ name, status: 0, reason: String(error), milliseconds: performance.now() - began });
      return { status: 0, json: null };
    }
  }

  private async send(method: string, path: string, body?: Body): Promise<Answer> {
    const headers: Record<string, string> = { "apollo-require-preflight": "1" };
    if (this.who) headers.authorization = authorization(this.who);
    if (body && !(body instanceof FormData)) headers["content-type"] = "application/x-www-form-urlencoded";
    const answer = await this.connection.request({
      method,
      path,
      headers,
      body: body instanceof FormData ? body : body ? new URLSearchParams(body).toString() : null,
    });
    const isJson = String(answer.headers["content-type"]).includes("json");
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, json: isJson ? (JSON.parse(bytes.toString()) as Answer["json"]) : null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.destroy();
  }
}

/** The posts that clients read and write, with their files. */
export interface Known {
  posts: { id: number; file: string }[];
}

const WORDS = Array.from({ length: 200 }, (_, index) => `word_${index}`);
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const some = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(" ");

type Work = (soaker: Soaker, known: Known) => Promise<unknown>;

const READS: Work[] = [
  (soaker) => soaker.ask("GET /posts", "/posts.json?limit=20"),
  (soaker) => soaker.ask("GET /posts?tags", `/posts.json?limit=20&tags=${pick(WORDS)}`),
  (soaker) => soaker.ask("GET /posts?tags", `/posts.json?limit=20&tags=${pick(WORDS)}+-${pick(WORDS)}+order:score`),
  (soaker, { posts }) => soaker.ask("GET /posts/:id", `/posts/${pick(posts).id}.json`),
  (soaker, { posts }) => soaker.ask("GET /data", pick(posts).file),
  (soaker) => soaker.ask("GET /tags", `/tags.json?search[name_matches]=word_1*`),
  (soaker) => soaker.ask("GET /comments", "/comments.json?group_by=comment"),
  (soaker, { posts }) => soaker.ask("GET /post_versions", `/post_versions.json?search[post_id]=${pick(posts).id}`),
  (soaker) => soaker.ask("GET /notes", "/notes.json"),
  (soaker) =>
    soaker.ask("GET /graphql", `/graphql?query=${encodeURIComponent("{posts(first:10){nodes{id tagString}}}")}`),
];

const WRITES: Work[] = [
  (soaker, { posts }) =>
    soaker.ask("PUT /posts/:id", `/posts/${pick(posts).id}.json`, { "post[tag_string]": some(12) }),
  (soaker, { posts }) =>
    soaker.ask("POST /comments", "/comments.json", {
      "comment[post_id]": String(pick(posts).id),
      "comment[body]": some(8),
    }),
  (soaker, { posts }) =>
    soaker.ask("POST /posts/:id/votes", `/posts/${pick(posts).id}/votes.json`, { score: pick(["up", "down"]) }),
  (soaker, { posts }) => soaker.ask("DELETE /posts/:id/votes", `/posts/${pick(posts).id}/votes.json`),
  (soaker, { posts }) => soaker.ask("POST /favorites", "/favorites.json", { post_id: String(pick(posts).id) }),
  (soaker, { posts }) => soaker.ask("DELETE /favorites/:id", `/favorites/${pick(posts).id}.json`),
  (soaker, { posts }) =>
    soaker.ask("POST /notes", "/notes.json", {
      "note[post_id]": String(pick(posts).id),
      "note[x]": "1",
      "note[y]": "1",
      "note[width]": "20",
      "note[height]": "20",
      "note[body]": some(4),
    }),
];

let serial = 0;

/** Uploads a new picture as a post for all clients, and one in ten again, for a 423. @returns the status */
export const upload = async (soaker: Soaker, known: Known): Promise<number> => {
  serial += 1;
  const seed = serial % 10 === 0 ? serial - 1 : serial;
  const content = await jpeg({ width: 400, height: 300, seed });
  const form = new FormData();
  form.append("upload[file]", new Blob([new Uint8Array(content)]), "picture.jpg");
  form.append("upload[rating]", "s");
  form.append("upload[tag_string]", some(12));
  const { status, json } = await soaker.ask("POST /uploads", "/uploads.json", form);
  if (status !== 200) return status;
  const { post_id: id, md5 } = json as { post_id: number; md5: string };
  known.posts.push({ id, file: `/data/original/${md5.slice(0, 2)}/${md5.slice(2, 4)}/${md5}.jpg` });
  return status;
};

export const read: Work = (soaker, known) => pick(READS)(soaker, known);
export const write: Work = (soaker, known) => pick(WRITES)(soaker, known);
