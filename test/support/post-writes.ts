/** Writes of every kind that changes a post's response: through the APIs of two servers, by their jobs, and in plain SQL. */
import type pg from "pg";
import { tasks } from "../../src/operations/tasks.js";
import type { TestBoard } from "./board.js";
import type { Answer, Client, Params } from "./client.js";
import { approve } from "./jobs.js";

/** Numbers that a seed brings forth, the same each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface WriteStage {
  /** the servers that write */
  boards: readonly TestBoard[];
  sql: pg.Pool;
  admin: { name: string; client: Client };
  /** whose posts they are, and who is renamed */
  uploader: number;
  posts: number[];
  pools: number[];
  artist: number;
  random: () => number;
}

const TAGS = ["sea", "sky", "boat", "harbour", "night", "fog", "crane", "buoy"];

/** Draws, and what is done with them. */
export class PostWrites {
  private serial = 0;

  constructor(private readonly stage: WriteStage) {}

  private one<T>(list: readonly T[]): T {
    return list[Math.floor(this.stage.random() * list.length)] as T;
  }

  private get post(): number {
    return this.one(this.stage.posts);
  }

  private get some(): number[] {
    return this.stage.posts.filter(() => this.stage.random() < 0.3);
  }

  private get board(): TestBoard {
    return this.one(this.stage.boards);
  }

  /** The administrator, at one of the servers. */
  private get client(): Client {
    const { client } = this.stage.admin;
    return Object.assign(Object.create(client) as Client, { url: this.board.url });
  }

  private readonly edit = (post: Params) => this.client.put(`/posts/${this.post}.json`, { post });

  private readonly moderate = (mutation: string, more: Params = {}) => {
    const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    return this.client.graphql(`mutation($input: ${type}!) { ${mutation}(input: $input) { post { id tagString } } }`, {
      input: { id: this.post, ...more },
    });
  };

  private readonly query = (text: string, values: unknown[] = []) => this.stage.sql.query(text, values);

  /** In one transaction, which comes to nothing. */
  private async rolledBack(text: string, values: unknown[]): Promise<void> {
    const client = await this.stage.sql.connect();
    const ignore = (): void => undefined;
    client.on("error", ignore); // when the database is killed
    let isOver = false;
    try {
      await client.query("BEGIN");
      await client.query(text, values);
      await client.query("ROLLBACK");
      isOver = true;
    } finally {
      client.off("error", ignore);
      client.release(!isOver); // a connection that is still in the transaction is closed
    }
  }

  readonly kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    tags: () => this.edit({ tag_string: TAGS.filter(() => this.stage.random() < 0.4).join(" ") || "sea" }),
    "a category by its prefix": () =>
      this.edit({ tag_string: `sea ${this.one(["artist", "meta", "char"])}:${this.one(TAGS)}` }),
    rating: () => this.edit({ rating: this.one(["s", "q", "e"]) }),
    source: () => this.edit({ source: `source ${(this.serial += 1)} <&" ${this.one(["", "é", "雨"])}` }),
    parent: () => this.edit({ parent_id: this.one([this.post, ""]) }),
    "a child by its meta-tag": () => this.edit({ tag_string: `sea child:${this.post}` }),
    "pools by meta-tags": () =>
      this.edit({ tag_string: `sky ${this.one(["", "-"])}pool:${this.one(this.stage.pools)}` }),
    "going back to a version": async () => {
      const { client, post } = this;
      const versions = (await client.get("/post_versions.json", { search: { post_id: post } })).json as {
        id: number;
      }[];
      return client.put(`/posts/${post}/revert.json`, { version_id: this.one(versions)?.id ?? 1 });
    },
    votes: () => this.client.post(`/posts/${this.post}/votes.json`, { score: this.one(["up", "down"]) }),
    "votes taken back": () => this.client.delete(`/posts/${this.post}/votes.json`),
    favorites: () => this.client.post("/favorites.json", { post_id: this.post }),
    "favorites taken back": () => this.client.delete(`/favorites/${this.post}.json`),
    comments: () => this.client.post("/comments.json", { comment: { post_id: this.post, body: "words" } }),
    notes: () =>
      this.client.post("/notes.json", { note: { post_id: this.post, x: 1, y: 1, width: 9, height: 9, body: "here" } }),
    flags: () => this.client.post("/post_flags.json", { post_flag: { post_id: this.post, reason: "a reason" } }),
    "the states": () => this.moderate(this.one(["approvePost", "banPost", "unbanPost", "undeletePost"])),
    deletions: () => this.moderate("deletePost", { reason: "a reason", moveFavorites: true }),
    locks: () => this.moderate(this.one(["lockPost", "unlockPost"]), { locks: ["NOTE", "RATING"] }),
    "an artist's ban": () => this.client.put(`/artists/${this.stage.artist}/${this.one(["ban", "unban"])}.json`),
    "the posts of a pool": () =>
      this.client.put(`/pools/${this.one(this.stage.pools)}.json`, { pool: { post_ids: this.some.join(" ") } }),
    "the name of a pool": () =>
      this.client.put(`/pools/${this.one(this.stage.pools)}.json`, { pool: { name: `pool_${(this.serial += 1)}x` } }),
    "a pool's deletion": () => this.client.delete(`/pools/${this.one(this.stage.pools)}.json`),
    "an alias' job": async () => {
      const [from, to] = [this.one(TAGS), this.one(TAGS)];
      const { board } = this;
      const id = await approve(this.stage.admin, "Alias", from, to).catch(() => null);
      if (id !== null) await board.board.tagRelationApplier.apply("alias", id);
      await this.query("DELETE FROM tag_aliases");
    },
    "a count of categories anew": async () => {
      const { rows } = await this.query("SELECT id FROM tags WHERE name = $1", [this.one(TAGS)]);
      const [tag] = rows as { id: number }[];
      const { recount_tag_category: recount } = tasks(this.board.board);
      if (tag) await recount?.({ tagId: tag.id }, {} as never);
    },
    "a user's name": async () => {
      const { rows } = await this.query("SELECT name FROM users WHERE id = $1", [this.stage.uploader]);
      const [user] = rows as { name: string }[];
      await this.board.board.accountAdmin.rename(user?.name ?? "", `renamed_${(this.serial += 1)}`);
    },
    "SQL: a user's name": () =>
      this.query("UPDATE users SET name = $1 WHERE id = $2", [`called_${(this.serial += 1)}`, this.stage.uploader]),
    "SQL: a tag's name, and back": async () => {
      const [tag, name] = [this.one(TAGS), `tag_${(this.serial += 1)}`];
      await this.query("UPDATE tags SET name = $1 WHERE name = $2", [name, tag]);
      await this.board.anonymous.get("/posts.json", { limit: 100 });
      await this.query("UPDATE tags SET name = $2 WHERE name = $1", [name, tag]);
    },
    "SQL: a tag's category": () =>
      this.query("UPDATE tags SET category = $1 WHERE name = $2", [this.one([0, 1, 3, 4, 5]), this.one(TAGS)]),
    "SQL: many posts": () =>
      this.query("UPDATE posts SET up_score = up_score + 1, score = score + 1 WHERE id = ANY($1)", [this.some]),
    "SQL: a parent": () =>
      this.query("UPDATE posts SET parent_id = $1 WHERE id = $2 AND id <> $1", [this.post, this.post]),
    "SQL: the posts of a pool": () =>
      this.query("UPDATE pools SET post_ids = $1::int[], post_count = cardinality($1::int[]) WHERE id = $2", [
        this.some,
        this.one(this.stage.pools),
      ]),
    "SQL: a pool more, and less": async () => {
      const { rows } = await this.query(
        "INSERT INTO pools (name, creator_id, post_ids, post_count) VALUES ($1, 1, $2::int[], cardinality($2::int[])) RETURNING id",
        [`made_${(this.serial += 1)}`, this.some],
      );
      await this.board.anonymous.get("/posts.json", { limit: 100 });
      await this.query("DELETE FROM pools WHERE id = $1", [(rows as { id: number }[])[0]?.id]);
    },
    "SQL: facts of a file": () =>
      this.query(
        `UPDATE media_files SET has_sample = NOT has_sample, duration = $1
          WHERE id = (SELECT media_file_id FROM posts WHERE id = $2)`,
        [this.stage.random(), this.post],
      ),
    "SQL: another file": () =>
      this.query(
        `WITH made AS (INSERT INTO media_files (md5, file_ext, file_size, image_width, image_height)
                       SELECT md5(random()::text), file_ext, file_size + 1, image_width + 1, image_height
                         FROM posts WHERE id = $1 RETURNING *)
         UPDATE posts SET media_file_id = made.id, md5 = made.md5, file_size = made.file_size, image_width = made.image_width
           FROM made WHERE posts.id = $1`,
        [this.post],
      ),
    "SQL: what is rolled back": () =>
      this.rolledBack("UPDATE posts SET source = $1 WHERE id = ANY($2)", [`never ${(this.serial += 1)}`, this.some]),
    "expunging, and a post in its place": async () => {
      const gone = this.post;
      const { status, json } = await this.stage.boards[0]!.make.upload(
        { ...this.stage.admin, client: this.client } as never,
        { tag_string: "sea", parent_id: this.one([this.post, ""]) },
      );
      if (status !== 200) return;
      await this.client.graphql(`mutation { expungePost(input: { id: ${gone} }) { postId } }`);
      this.stage.posts.splice(this.stage.posts.indexOf(gone), 1, (json as { post_id: number }).post_id);
    },
  };

  /** One of the kinds, some of them rarely: they take long. */
  async next(): Promise<void> {
    const kind = this.one(Object.keys(this.kinds));
    if (/job|expunging/.test(kind) && this.stage.random() < 0.8) return this.next();
    await this.kinds[kind]?.();
  }

  /** One of this kind, until it is not refused; most depend on what there is. @throws Error when it is refused too often */
  async certainly(kind: string): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      const done = (await this.kinds[kind]?.()) as Partial<Answer> | undefined;
      const { status = 200, json } = done ?? {};
      if (status === 200 && !json?.errors) return;
    }
    throw new Error(`${kind}: refused each time`);
  }
}

/** What there is, for tests of each by itself. */
export const KINDS_OF_WRITES = Object.keys(new PostWrites({} as WriteStage).kinds);
