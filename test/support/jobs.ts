/** Background jobs that tests start through GraphQL, and block at a post. */
import pg from "pg";
import type { TestBoard } from "./board.js";
import type { TestUser } from "./factory.js";

export type Kind = "Alias" | "Implication";

/** Requests a relation of two tags and approves it, which starts the job. @returns its id */
export async function approve(
  admin: Pick<TestUser, "client">,
  kind: Kind,
  antecedentName: string,
  consequentName: string,
): Promise<number> {
  const asked = await admin.client.graphql(
    `mutation($input: RequestTagRelationInput!) { requestTag${kind}(input: $input) { made: tag${kind} { id } } }`,
    { input: { antecedentName, consequentName, reason: "a test" } },
  );
  const { id } = asked.json.data[`requestTag${kind}`].made as { id: number };
  const approved = await admin.client.graphql(
    `mutation($input: TagRelationInput!) { approveTag${kind}(input: $input) { made: tag${kind} { status } } }`,
    { input: { id } },
  );
  if (approved.json.errors) throw new Error(approved.text);
  return id;
}

/** The status of the relation. */
export async function statusOf(test: TestBoard, kind: Kind, id: number): Promise<string> {
  const path = kind === "Alias" ? "tag_aliases" : "tag_implications";
  return (await test.anonymous.get(`/${path}/${id}.json`)).json.status as string;
}

/** Tags of posts, in the order of the ids. */
export async function tagsOf(test: TestBoard, ids: number[]): Promise<string[]> {
  const { json } = await test.anonymous.get("/posts.json", {
    tags: `id:${ids.join(",")} order:id`,
    only: "tag_string",
  });
  return (json as { tag_string: string }[]).map((post) => post.tag_string);
}

/** The number of versions of each post, in the order of the ids. */
export async function versionsOf(test: TestBoard, ids: number[]): Promise<number[]> {
  const counts = await test.board.database.postVersion.groupBy({
    by: "postId",
    where: { postId: { in: ids } },
    orderBy: { postId: "asc" },
    _count: true,
  });
  return counts.map((each) => each._count);
}

export interface HeldPost extends AsyncDisposable {
  /** whether a write waits for it */
  isWanted(): Promise<boolean>;
}

/** Locks a post, so that all writes of it wait until it is disposed of, which may be done again. */
export async function holdPost(databaseUrl: string, id: number): Promise<HeldPost> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM posts WHERE id = $1 FOR UPDATE", [id]);
  const waiting = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))";
  return {
    isWanted: async () => (await client.query(waiting)).rowCount !== 0,
    [Symbol.asyncDispose]: () => client.end(),
  };
}
