/** Clients that write, and record what was acknowledged: what is missing afterwards was lost. */
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Answer, Client } from "./client.js";
import { jpeg } from "./pictures.js";

/** Number of responses by status; 0 is no response. */
export type Tally = Record<number, number>;

export class Ledger {
  readonly statuses: Tally = {};
  /** md5s of uploads that were answered with 200 */
  readonly uploads = new Set<string>();
  readonly comments = new Set<string>();
  /** post -> number of the last edit that was answered with 200 */
  readonly edits = new Map<number, number>();
  private serial = 0;

  /** @param client of somebody whose uploads need no approval */
  constructor(private readonly client: Client) {}

  /** A ledger whose files and texts differ from those of others: its numbers begin at the given one. */
  static numbered(client: Client, serial: number): Ledger {
    return Object.assign(new Ledger(client), { serial });
  }

  /** The same, at a server that was started anew. */
  at(client: Client): Ledger {
    const { statuses, uploads, comments, edits, serial } = this;
    return Object.assign(new Ledger(client), { statuses, uploads, comments, edits, serial });
  }

  private async noted(asking: Promise<Answer>): Promise<Answer | null> {
    const answer = await asking.catch(() => null);
    const status = answer?.status ?? 0;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    return answer;
  }

  async read(): Promise<void> {
    await this.noted(this.client.get("/posts.json", { limit: 5 }));
  }

  /** @returns the post's id, 0 if it was not created */
  async upload(tags: string): Promise<number> {
    const content = await jpeg({ seed: (this.serial += 1) + 100_000 });
    const file = new Blob([new Uint8Array(content)]);
    const answer = await this.noted(
      this.client.post("/uploads.json", { upload: { file, rating: "s", tag_string: tags } }),
    );
    if (answer?.status !== 200) return 0;
    this.uploads.add(createHash("md5").update(content).digest("hex"));
    return Number(answer.json.post_id);
  }

  /** The next edit of a post that nobody else edits; it replaces the previous one. */
  async edit(post: number): Promise<void> {
    const number = (this.serial += 1);
    const answer = await this.noted(
      this.client.put(`/posts/${post}.json`, { post: { tag_string: `edited edit_${number}` } }),
    );
    if (answer?.status === 200) this.edits.set(post, number);
  }

  async comment(post: number): Promise<void> {
    const body = `comment ${(this.serial += 1)}`;
    const answer = await this.noted(this.client.post("/comments.json", { comment: { post_id: post, body } }));
    if (answer?.status === 200) this.comments.add(body);
  }

  /** Everything acknowledged with 200 that is missing; empty if all is well. */
  async lost(database: pg.Client): Promise<string[]> {
    const column = async (sql: string) => new Set((await database.query<{ v: string }>(sql)).rows.map(({ v }) => v));
    const md5s = await column("SELECT md5 AS v FROM posts");
    const bodies = await column("SELECT body AS v FROM comments");
    // an edit that was answered is in the post's history even when a later one, which was not, is there as well
    const edits = await column(
      `SELECT v.post_id || ':' || t.name AS v FROM post_versions v JOIN tags t ON t.id = ANY(v.tag_ids)
        WHERE t.name LIKE 'edit\\_%'`,
    );
    return [
      ...[...this.uploads].filter((md5) => !md5s.has(md5)),
      ...[...this.comments].filter((body) => !bodies.has(body)),
      ...[...this.edits].map(([post, number]) => `${post}:edit_${number}`).filter((edit) => !edits.has(edit)),
    ];
  }
}

/** Runs it repeatedly, in so many concurrent loops, until aborted. @returns settles when all loops have ended */
export function again(threads: number, signal: AbortSignal, work: (thread: number) => Promise<unknown>) {
  const thread = async (_: unknown, index: number) => {
    while (!signal.aborted) await work(index);
  };
  return Promise.all(Array.from({ length: threads }, thread));
}
