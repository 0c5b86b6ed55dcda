/** The same requests to boards with other settings: reached limits, a proxy, REQUIRE_LOGIN. */
import { type Database, startBoard } from "./board.js";
import { type Exchange, RecordingClient } from "./recorder.js";
import type { Cast } from "./stage.js";

const SETTINGS: readonly Record<string, string>[] = [
  { REQUIRE_LOGIN: "true", SERVER_TIMING: "true" },
  { TRUST_PROXY: "1", LIMIT_ANONYMOUS: "12", LIMIT_MEMBER: "14" },
  {
    PUBLIC_URL: "https://public.example",
    LEGACY_COOKIES: "false",
    GRAPHQL_MAX_COMPLEXITY: "200",
    GRAPHQL_MAX_RESPONSE_BYTES: "1024",
  },
];

const FRONT = { "x-forwarded-for": "203.0.113.8", "x-forwarded-proto": "https", "x-forwarded-host": "front.example" };

export async function recordSettings(database: Database, cast: Cast): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const settings of SETTINGS) {
    await using test = await startBoard(database, settings);
    const visitor = new RecordingClient(test.recorder, JSON.stringify(settings), test.url);
    for (const client of [visitor, visitor.with(FRONT), visitor.as(cast.users.member)]) await ask(client);
    const { name, password } = cast.users.browser;
    await visitor.with({ ...FRONT, origin: "https://front.example" }).post("/session.json", { name, password });
    exchanges.push(...test.recorder.exchanges);
  }
  return exchanges;
}

async function ask(client: RecordingClient): Promise<void> {
  await client.get("/posts.json?limit=2");
  await client.get("/posts/1.xml");
  await client.get("/nothing.json");
  await client.get("/posts.json?%zz[a]=1&limit=x");
  await client.get("/posts/99999");
  await client.send("/posts.json", { method: "OPTIONS" });
  await client.send("/posts.json?only=id", { method: "HEAD" });
  await client.post("/comments.json", { comment: { post_id: 1, body: "x" } });
  await client.post("/comments.json", { login: "nobody", api_key: "wrong" });
  await client.graphql("{ posts(first: 20) { nodes { id tagString fileUrl mediaFile { variants { url } } } } }");
  await client.graphql("{ posts(first: 2) { nodes { id fileUrl } } }");
  await client.graphql("mutation { createFavorite(input: { postId: 1 }) { post { id } } }");
  await client.graphql(
    "{ a: posts(first: 1) { nodes { id } } b: posts(first: 1) { nodes { id } } c: posts(first: 1) { nodes { id } } }",
  );
  await client.send("/graphql?query={__typename}", { headers: { "apollo-require-preflight": "1" } });
  await client.get("/healthz");
  await client.get("/posts.json?login=nobody&api_key=wrong");
}
