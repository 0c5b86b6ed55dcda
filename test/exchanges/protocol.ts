/** HTTP itself: methods, conditions, encodings, formats, bodies, credentials, unknown paths. */
import { multipart, multipartInit } from "../support/multipart.js";
import { cookieOf } from "../support/session.js";
import { png } from "../support/pictures.js";
import type { RecordingClient } from "./recorder.js";
import type { Cast } from "./stage.js";

type Headers = Record<string, string>;

const READS = ["/posts.json", "/posts/1.json", "/tags.json", "/posts.xml?limit=1", "/nothing.json"];

export async function recordProtocol(cast: Cast): Promise<void> {
  await recordMethods(cast);
  await recordConditions(cast);
  await recordPaths(cast);
  await recordCredentials(cast);
  await recordBodies(cast);
  await recordSessions(cast);
  await recordPages(cast);
}

async function recordMethods({ visitor, member, stage }: Cast): Promise<void> {
  const note = `/notes/${stage.records.notes}.json`;
  const paths = [
    ...READS,
    note,
    "/session.json",
    "/uploads",
    "/graphql",
    "/healthz",
    "/data/x",
    "/docs",
    "/openapi.json",
  ];
  for (const method of ["HEAD", "OPTIONS", "PATCH", "POST", "PUT", "DELETE", "TRACE", "PROPFIND"])
    for (const path of paths) await visitor.send(path, { method });
  for (const path of [...READS, note]) {
    await visitor.send(path, {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "PUT" },
    });
  }
  const body = new URLSearchParams({ "note[body]": "by another method" });
  for (const method of ["PUT", "put", "PATCH", "GET", "DELETE", "HEAD", "OPTIONS", "nonsense", ""]) {
    await member.send(`${note}?_method=${method}`, { method: "POST", body });
    await member.send(note, { method: "POST", body, headers: { "x-http-method-override": method } });
    await member.post(note, { _method: method, note: { body: "said in the body" } });
  }
  await member.send(`${note}?_method=DELETE`, { method: "GET" });
  await member.send(note, { method: "PATCH", body });
}

const CONDITIONS: Headers[] = [
  { "if-none-match": "*" },
  { "if-none-match": '"other"' },
  { "if-none-match": '"other"', "if-modified-since": new Date(0).toUTCString() },
  { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" },
  { "if-none-match": "*", "cache-control": "no-cache" },
];
const ENCODINGS = [
  "gzip",
  "br",
  "deflate",
  "gzip, deflate, br",
  "gzip;q=0.5, br;q=0.1",
  "identity",
  "*",
  "gzip;q=0",
  "compress",
  "",
  "identity;q=0",
  "gzip;q=0, *",
  "br;q=0, *;q=0.1",
  `gzip${" ".repeat(2e3)}`,
];

async function recordConditions({ visitor, member, browser }: Cast): Promise<void> {
  for (const client of [visitor, member, browser]) {
    for (const path of [...READS, "/openapi.json", "/graphql?query=%7B__typename%7D"]) {
      for (const headers of CONDITIONS) await client.send(path, { headers });
      const { headers } = await client.get(path);
      const etag = headers.get("etag") ?? "";
      for (const given of [etag, `"x", ${etag}`, etag.replace("W/", "")]) {
        await client.send(path, { headers: { "if-none-match": given } });
        await client.send(path, { method: "HEAD", headers: { "if-none-match": given } });
      }
    }
    for (const encoding of ENCODINGS)
      for (const path of ["/posts.json", "/posts/1.json", "/posts.xml"])
        await client.send(path, { headers: { "accept-encoding": encoding } });
    await client.send("/posts.json", { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    await client.send("/posts.json", { headers: { "accept-encoding": "gzip", "if-none-match": "*" } });
  }
}

const PATHS = [
  "/",
  "//",
  "/posts",
  "/posts/",
  "/posts.json/",
  "/POSTS.json",
  "/posts.JSON",
  "//posts.json",
  "/posts.txt",
  "/x.xml",
  "/posts/1",
  "/posts/1.txt",
  "/posts/x.json",
  "/posts/x.xml",
  "/posts/0001.json",
  "/posts/-1.json",
  "/posts/1e3.json",
  "/posts/99999999999999999999.json",
  "/posts/2147483648.json",
  "/posts/1/votes.json",
  "/posts/1/nothing.json",
  "/posts/%31.json",
  "/posts/%zz.json",
  "/posts%2Ejson",
  "/posts/1%2Ejson",
  "/posts/1%00.json",
  "/%E0%A4%A.json",
  "/wiki_pages/ship.json",
  "/wiki_pages/ship.xml",
  "/wiki_pages/Ship",
  "/wiki_pages/sh%69p.json",
  "/wiki_pages/a.b.json",
  "/wiki_pages/no%2Fslash.json",
  "/wiki_pages/%20.json",
  "/wiki_pages/.json",
  "/wiki_pages/a/b.json",
  "/wiki_pages/7.json",
  "/users/1.json",
  "/users/nobody.json",
  "/artists/a_painter.json",
  "/tags/sea.json",
  "/tags/1.json",
  "/pools/fleet.json",
  "/session",
  "/session.json",
  "/profile.json",
  "/profile",
  "/posts.json?a[b][c][d][e][f][g]=1",
  "/posts.json?%zz=1",
  "/posts.json?limit=1&limit=2",
  "/posts.json?",
  "/posts.json?&&",
  "/posts.json?limit",
  "/posts.json?=1",
  "/posts.json?[x]=1",
  "/posts.json?tags=%E0%A4%A",
  "/posts.json?tags=%00",
  "/posts.json?tags=a%0Ab",
  "/posts.json?__proto__[x]=1",
  "/.json",
  "/..",
  `/posts.json?${Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join("&")}`,
  "/data/",
  "/data/x.jpg",
  "/data/../x",
  "/data/preview/00/00/x.jpg",
  "/graphql/",
  "/graphql/x",
  "/graphql.json",
  "/docs/x",
];
const ACCEPTED = [
  "application/json",
  "application/xml",
  "text/xml",
  "*/*",
  "text/html",
  "application/xml, application/json",
  "",
  "application/json;q=0.1, application/xml",
  "text/html, */*;q=0.1",
  `application/xml${" ".repeat(2e3)}`,
  "nonsense",
];

async function recordPaths({ visitor, member, stage }: Cast): Promise<void> {
  for (const path of PATHS) await visitor.get(path);
  for (const path of PATHS.slice(0, 30)) await member.get(path);
  for (const path of ["/posts", "/posts/1", "/nothing", "/posts.json", "/posts/99999", "/session"])
    for (const accept of ACCEPTED) await visitor.send(path, { headers: { accept } });
  const key = `/posts/${stage.records.posts}.json`;
  const sent: Headers[] = [
    { "x-request-id": "given-1" },
    { "x-request-id": "no word" },
    { origin: "https://elsewhere.example" },
    { host: "other.example:8080" },
    { host: "" },
    { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" },
    { "content-length": "0" },
    { expect: "100-continue" },
    { "content-type": "application/json" },
    { connection: "close" },
    { "accept-language": "de" },
  ];
  for (const headers of sent) for (const path of ["/posts.json", key]) await visitor.send(path, { headers });
}

async function recordCredentials({ visitor, browser, users, csrfToken, stage }: Cast): Promise<void> {
  const { name, apiKey } = users.member;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const key = encodeURIComponent(apiKey);
  const hashed = encodeURIComponent(apiKey);
  for (const path of [
    "/posts.json?limit=1",
    "/posts/1.xml?x=1",
    "/dmails.json?x=1",
    "/nothing.json?x=1",
    "/graphql?query={viewer{id}}",
  ]) {
    for (const query of [
      `login=${name}&api_key=${key}`,
      `login=${name}&password_hash=${hashed}`,
      `login=${name}&api_key=wrong`,
      "login=nobody&api_key=wrong",
      `login=${name}`,
      "api_key=x",
      "log%69n=nobody&api_key=wrong",
      "[login]=nobody&[api_key]=x",
    ])
      await visitor.get(`${path}&${query}`);
    for (const authorization of [
      basic(`${name}:${apiKey}`),
      basic(`${name}:wrong`),
      basic("nobody:wrong"),
      basic("x"),
      "Basic",
      "Bearer x",
      "",
      `Bearer ${apiKey}`,
      basic(`${name}:${users.member.password}`),
    ])
      await visitor.send(path, { headers: { authorization } });
    for (const cookie of [
      "theme=dark",
      "session=wrong",
      "user_name=x; password_hash=y",
      "session=",
      "__Host-session=x",
      "%zz=%zz",
    ])
      await visitor.send(path, { headers: { cookie } });
  }
  const body = { comment: { post_id: stage.records.posts, body: "By cookies." } };
  const pages: Headers[] = [
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "", origin: "http://board.example" },
    { "sec-fetch-site": "", origin: "https://elsewhere.example" },
    { "sec-fetch-site": "" },
    { "sec-fetch-site": "", "x-csrf-token": csrfToken },
    { "sec-fetch-site": "cross-site", "x-csrf-token": "wrong" },
  ];
  for (const headers of pages) {
    const client = browser.with(headers);
    await client.post("/comments.json", body);
    await client.get("/posts.json?limit=1");
    await client.get(`/dmails/${stage.records.dmails}.json`);
    await client.graphql("mutation { markAllDmailsAsRead { __typename } }");
    await client.graphql("{ viewer { name } }");
  }
  for (const page of pages.slice(1, 3))
    await visitor.with(page).post("/comments.json", { login: name, api_key: apiKey, ...body });
}

async function recordBodies(cast: Cast): Promise<void> {
  const { visitor, member, users, stage } = cast;
  const comment = { post_id: stage.records.posts, body: "A body." };
  const credentials = { login: users.member.name, api_key: users.member.apiKey };
  await visitor.post("/comments.json", { ...credentials, comment });
  await visitor.json("POST", "/comments.json", { ...credentials, comment });
  await visitor.post("/comments.xml", { login: "nobody", api_key: "wrong", comment });
  const typed = (type: string): Headers => ({ "content-type": type });
  for (const client of [visitor, member]) {
    for (const path of ["/comments.json", "/comments", "/nothing.json", "/posts.json"]) {
      for (const [type, body] of [
        ["application/json", JSON.stringify({ comment })],
        ["application/json", "{"],
        ["application/json", "[]"],
        ["application/json", ""],
        ["application/json", "[".repeat(100)],
        ["application/vnd.api+json", JSON.stringify({ comment })],
        ["application/x-www-form-urlencoded", "comment[body]=x&comment[post_id]=1"],
        ["application/x-www-form-urlencoded", "a[b][c][d][e][f][g]=1"],
        ["text/plain", "comment[body]=x"],
        ["multipart/form-data", "x"],
        ["multipart/form-data; boundary=x", "--x\r\nnonsense"],
        ["", "comment[body]=x"],
        ["application/json", JSON.stringify({ comment, more: "x".repeat(30_000) })],
      ] as const)
        await client.send(path, { method: "POST", body, headers: typed(type) });
    }
    await client.send("/posts.json", {
      method: "GET",
      body: "limit=1",
      headers: typed("application/x-www-form-urlencoded"),
    });
    await client.json("GET", "/posts.json?limit=2", { limit: 1 });
  }
  await recordUploads(cast);
}

async function recordUploads({ visitor, member, admin, users }: Cast): Promise<void> {
  const file = (seed: number) => png({ width: 30, height: 20, seed });
  const field = (name: string, content: string) => ({ name, content });
  const picture = async (seed: number, name = "upload[file]") => ({
    name,
    content: await file(seed),
    filename: "a.png",
    contentType: "image/png",
  });
  const usual = [field("upload[rating]", "s"), field("upload[tag_string]", "sent")];
  const login = [field("login", users.member.name), field("api_key", users.member.apiKey)];
  const send = (client: RecordingClient, parts: Parameters<typeof multipart>[0], path = "/uploads.json") =>
    client.send(path, multipartInit(multipart(parts)));
  await send(member, [...usual, await picture(501)]);
  await send(member, [...usual, await picture(501)]); // a duplicate
  await send(admin, [await picture(502), ...usual], "/uploads.xml");
  await send(visitor, [...usual, await picture(503)]);
  await send(visitor, [...login, ...usual, await picture(504)]);
  await send(visitor, [...usual, await picture(505), ...login]);
  await send(member, [...usual, await picture(506), await picture(507)]);
  await send(member, [...usual, { ...(await picture(508)), content: "no picture" }]);
  await send(member, [...usual, await picture(509, "nonsense")]);
  await send(member, [...usual, await picture(510)], "/comments.json");
  await send(member, [...usual, await picture(511)], "/nothing.json");
  await member.send("/uploads.json", multipartInit(multipart([...usual, await picture(512)]).subarray(0, 200)));
}

async function recordSessions({ visitor, users }: Cast): Promise<void> {
  const { name, password } = users.browser;
  for (const path of ["/session.json", "/session.xml", "/session"]) {
    const answer = await visitor.post(path, { name, password });
    const client = visitor.named("signed in").with({ cookie: cookieOf(answer), "sec-fetch-site": "same-origin" });
    await client.get("/profile.json");
    await client.get("/posts.json?limit=1");
    await client.delete(path);
    await client.get("/profile.json");
    await visitor.post(path, { name, password: "wrong" });
    await visitor.post(path, { session: { name } });
  }
  const answer = await visitor.graphql(
    "mutation($input: CreateSessionInput!) { createSession(input: $input) { csrfToken user { name } } }",
    { input: { name, password } },
  );
  const client = visitor.named("signed in").with({ cookie: cookieOf(answer), "sec-fetch-site": "same-origin" });
  await client.graphql("{ viewer { name csrfToken } }");
  await client.graphql("mutation { deleteSession { __typename } }");
}

async function recordPages({ visitor, stage, test }: Cast): Promise<void> {
  for (const path of ["/healthz", "/readyz", "/metrics", "/docs", "/docs/", "/openapi.json"])
    for (const method of ["GET", "HEAD"]) await visitor.send(path, { method });
  await visitor.send("/metrics", { headers: { "x-forwarded-for": "203.0.113.9" } });
  for (const accept of ["text/html", "text/html, application/json;q=0.9", "application/json"]) {
    for (const method of ["GET", "HEAD"])
      for (const encoding of ["gzip", "identity"])
        await visitor.send("/graphql", { method, headers: { accept, "accept-encoding": encoding } });
  }
  const { json } = await test.anonymous.get(`/posts/${stage.records.posts}.json`);
  for (const name of ["file_url", "preview_file_url"]) {
    const { pathname } = new URL((json as Record<string, string>)[name] ?? "");
    for (const range of ["", "bytes=0-9", "bytes=99999999-", "nonsense"])
      await visitor.send(pathname, { headers: range ? { range } : {} });
    await visitor.send(pathname, { method: "HEAD" });
    await visitor.send(pathname, { headers: { "accept-encoding": "gzip" } });
  }
}
