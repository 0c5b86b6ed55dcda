/** Serving the pages: which requests are for pages, the parts of a page, and its content security policy. */
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer } from "../support/client.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestPost } from "../support/factory.js";

/** What browsers send when somebody opens an address. */
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8" };

let test: TestBoard;
let post: TestPost;
let explicit: TestPost;
beforeAll(async () => {
  test = await startBoard({ BOARD_NAME: "Pictures & more" });
  post = await test.make.post("harbour artist:mira_b", { rating: "s" });
  explicit = await test.make.post("night artist:mira_b", { rating: "e" });
});
afterAll(() => test[Symbol.asyncDispose]());

const open = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  test.anonymous.with({ ...BROWSER, ...headers }).get(path);
/** `fetch` would ask again in earnest. */
const statusOf = (path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    httpRequest(`${test.url}${path}`, { headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    })
      .on("error", reject)
      .end();
  });
const typeOf = ({ headers }: Answer): string => (headers.get("content-type") ?? "").replace(/;.*/, "");
const titleOf = ({ text }: Answer): string => /<title>(.*?)<\/title>/s.exec(text)?.[1] ?? "";
const meta = ({ text }: Answer, property: string): string | undefined =>
  new RegExp(`<meta property="${property}" content="(.*?)" />`).exec(text)?.[1];
/** The answer that the page brings along for its program. */
const inlined = ({ text }: Answer) =>
  JSON.parse(/<script type="application\/json" id="answer">(.*?)<\/script>/s.exec(text)?.[1] ?? "null") as {
    shell: { board: { name: string } } | null;
    data: { posts?: { nodes: { id: number }[] }; post?: { id: number } } | null;
    problem: { status: number; message: string } | null;
  };

describe("a browser", () => {
  it("gets a page at /, /posts and /posts/{id}", async () => {
    for (const path of ["/", "/posts", "/posts?tags=harbour", `/posts/${post.id}`, "/login", "/signup"]) {
      const answer = await open(path);
      expect([path, answer.status, typeOf(answer)]).toEqual([path, 200, "text/html"]);
    }
  });

  it("is redirected to the page that shows a comment, note or pool; programs get the record", async () => {
    const user = await test.make.user("Member");
    const box = { post_id: post.id, x: 1, y: 1, width: 9, height: 9, body: "note" };
    const comment = await user.client.post("/comments.json", { comment: { post_id: post.id, body: "fine" } });
    const note = await user.client.post("/notes.json", { note: box });
    const pool = await user.client.post("/pools.json", { pool: { name: "days", description: "of summer" } });
    const places = [
      [`/comments/${comment.json.id}`, `/posts/${post.id}#comment-${comment.json.id}`],
      [`/notes/${note.json.id}`, `/posts/${post.id}`],
      [`/pools/${pool.json.id}`, `/posts?tags=ordpool%3A${pool.json.id}`],
    ] as const;
    for (const [path, to] of places) {
      const answer = await fetch(test.url + path, { headers: BROWSER, redirect: "manual" });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 302, to]);
      expect(typeOf(await open(`${path}.json`))).toBe("application/json");
      expect(typeOf(await test.anonymous.with({ accept: "*/*" }).get(path))).toBe("application/json");
    }
    for (const path of ["/comments/999999", "/notes/1999999999", "/pools/99999999999"]) {
      const answer = await open(path);
      expect([path, answer.status, titleOf(answer)]).toEqual([path, 404, "Not found · Pictures &amp; more"]);
    }
  });

  it("is led from an address with slashes at its end, or encoded digits, to the one without", async () => {
    const user = await test.make.user("Member");
    const pool = await user.client.post("/pools.json", { pool: { name: "slashes", description: "at the end" } });
    const places = [
      ["/account/", "/account"],
      ["/upload//", "/upload"],
      ["/posts/?tags=a%20b", "/posts?tags=a%20b"],
      [`/posts/${post.id}/?q=harbour`, `/posts/${post.id}?q=harbour`],
      [`/pools/${pool.json.id}/`, `/pools/${pool.json.id}`],
      ["/posts/%31?q=%31", "/posts/1?q=%31"],
      ["/comments/1%32/", "/comments/12"],
    ] as const;
    for (const [path, to] of places) {
      const answer = await fetch(test.url + path, { headers: BROWSER, redirect: "manual" });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 302, to]);
    }
    for (const path of ["/nowhere/", "//", "//nowhere.example/", "//posts/", "/posts.json/", "/%2Fposts/%31"]) {
      const answer = await fetch(test.url + path, { headers: BROWSER, redirect: "manual" });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 404, null]);
    }
  });

  it("gets data for a path with an extension, and for a request with credentials", async () => {
    const user = await test.make.user("Member");
    const key = { login: user.name, api_key: user.client.login?.apiKey ?? "" };
    expect(typeOf(await open(`/posts/${post.id}.json`))).toBe("application/json");
    expect(typeOf(await open("/posts.xml"))).toBe("application/xml");
    expect(typeOf(await open(`/posts/${post.id}?${new URLSearchParams(key).toString()}`))).toBe("application/xml");
    expect(typeOf(await user.client.with(BROWSER).get(`/posts/${post.id}`))).toBe("application/xml");
  });

  it("gets a 404 page for an unknown path", async () => {
    for (const path of ["/posts/2000000000", "/posts/99999999999999", "/nowhere", "/nowhere/at/all"]) {
      const answer = await open(path);
      expect([path, answer.status, typeOf(answer)]).toEqual([path, 404, "text/html"]);
      expect(answer.text).toContain("<h1>Not found</h1>");
    }
  });

  it("gets an error page for an invalid search", async () => {
    const many = Array.from({ length: 60 }, (_, index) => `tag${index}`).join("+");
    const answer = await open(`/posts?tags=${many}`);
    expect([answer.status, typeOf(answer)]).toEqual([400, "text/html"]);
    expect(inlined(answer).problem?.status).toBe(400);
  });
});

describe("every other client", () => {
  it("gets a record as JSON or XML, and 404 without a preference", async () => {
    const ask = (accept: string) => test.anonymous.with({ accept }).get(`/posts/${post.id}`);
    expect((await ask("application/json")).json.id).toBe(post.id);
    expect((await ask("application/xml")).xml?.name).toBe("post");
    expect((await ask("application/json, text/html;q=0.9")).json.id).toBe(post.id);
    const nothing = { success: false, reason: "not found", message: "not found" };
    for (const accept of ["*/*", "image/png"]) expect((await ask(accept)).json).toEqual(nothing);
    expect((await test.anonymous.with({ accept: "*/*" }).get("/")).json).toEqual(nothing);
  });

  it("leaves the other paths for browsers as they are", async () => {
    for (const path of ["/docs", "/graphql", "/openapi.json"]) expect((await open(path)).status).toBe(200);
    expect((await open("/docs")).text).toContain("REST reference");
    expect((await test.anonymous.with(BROWSER).post("/posts", {})).status).not.toBe(200);
  });
});

describe("a page", () => {
  it("contains its document's response and the viewer", async () => {
    const gallery = inlined(await open("/posts?tags=harbour"));
    expect(gallery.data?.posts?.nodes.map(({ id }) => id)).toEqual([post.id]);
    expect(gallery.shell?.board.name).toBe("Pictures & more");
    expect(inlined(await open(`/posts/${post.id}`)).data?.post?.id).toBe(post.id);
  });

  it("shows pictures, links and tags without JavaScript", async () => {
    const gallery = await open("/");
    const list = /<noscript>(.*?)<\/noscript>/s.exec(gallery.text)?.[1] ?? "";
    expect(list).toContain(`href="/posts/${post.id}"`);
    expect(list).toMatch(/alt="harbour, .*mira b.*"/);
    expect((await open(`/posts/${post.id}`)).text).toContain('<a href="/posts?tags=harbour">harbour</a>');
    for (const [path, heading] of [
      ["/", "Pictures &amp; more"],
      ["/posts?tags=harbour", "harbour"],
      [`/posts/${post.id}`, "by mira b"],
      ["/upload", "Upload"],
    ])
      expect((await open(path ?? "")).text).toMatch(new RegExp(`<noscript>\\s*<h1>${heading}</h1>`));
  });

  it("shows and preloads no picture that the viewer's blacklist hides", async () => {
    const { id } = await test.make.post("guro artist:mira_b", { rating: "s" });
    const { text } = await open("/posts?tags=guro");
    const list = /<noscript>(.*?)<\/noscript>/s.exec(text)?.[1] ?? "";
    expect(list).toContain(`<a href="/posts/${id}?q=guro">Post ${id}, hidden by guro</a>`);
    expect([list.includes("<img"), text.includes('as="image"')]).toEqual([false, false]);
  });

  it("has metadata for search engines and link previews", async () => {
    const page = await open(`/posts/${post.id}`);
    expect(titleOf(page)).toBe("by mira b · Pictures &amp; more");
    expect(meta(page, "og:title")).toBe("by mira b");
    expect(meta(page, "og:image")).toContain("/data/");
    expect(page.text).toContain(`<link rel="canonical" href="${test.url}/posts/${post.id}" />`);
    expect(page.text).toContain(`<link rel="alternate" type="application/json" href="/posts/${post.id}.json" />`);
  });

  it("names the same list as JSON: as many posts or edits a page", async () => {
    for (const [path, alternate] of [
      ["/posts?tags=harbour&page=2", "/posts.json?tags=harbour&amp;page=2&amp;limit=40"],
      ["/pool_versions?page=2", "/pool_versions.json?page=2&amp;limit=10"],
    ] as const)
      expect((await open(path)).text).toContain(`<link rel="alternate" type="application/json" href="${alternate}" />`);
  });

  it("over the last number leads to the last one of the same search", async () => {
    for (const page of ["1001", "2000", "100000", "9".repeat(400)]) {
      const { status, text } = await open(`/posts?tags=source:*?id=1&page=${page}`);
      expect([page, status]).toEqual([page, 400]);
      expect(text).toContain('<a href="/posts?tags=source%3A*%3Fid%3D1&amp;page=1000">Page 1000</a>');
    }
  });

  it("has no preview picture of an explicit post", async () => {
    const page = await open(`/posts/${explicit.id}`);
    expect(meta(page, "og:title")).toBe("by mira b");
    expect(meta(page, "og:image")).toBeUndefined();
  });

  it("escapes the text of searches and tags", async () => {
    const attack = '"><script>alert(1)</script><!--';
    const page = await open(`/posts?tags=${encodeURIComponent(attack)}`);
    expect(page.text).not.toContain("<script>alert");
    expect(page.text).not.toContain("<!--");
    expect(titleOf(page)).toContain("&lt;script&gt;");
  });

  it("may load and run only its own files", async () => {
    const policy = (await open("/")).headers.get("content-security-policy") ?? "";
    const directives = new Map(policy.split("; ").map((each) => each.split(/ (.*)/).slice(0, 2) as [string, string]));
    expect(directives.get("default-src")).toBe("'none'");
    for (const name of ["script-src", "style-src", "connect-src", "font-src"])
      expect([name, directives.get(name)]).toEqual([name, "'self'"]);
    expect(directives.get("require-trusted-types-for")).toBe("'script'");
    expect(directives.get("frame-ancestors")).toBe("'none'");
    expect(policy).not.toContain("unsafe");
    expect((await open("/nowhere")).headers.get("content-security-policy")).toBe(policy);
  });

  it("is cached by the browser only, which revalidates it", async () => {
    const page = await open("/");
    expect(page.headers.get("cache-control")).toBe("private, no-cache");
    expect(page.headers.get("vary")).toMatch(/Accept\b/);
    expect(page.headers.get("vary")).toMatch(/Cookie/);
    expect(await statusOf("/", { ...BROWSER, "if-none-match": page.headers.get("etag") ?? "" })).toBe(304);
  });

  it("is not stored when it shows who is signed in", async () => {
    const { name, password } = await test.make.user();
    const session = await test.anonymous.post("/session.json", { name, password });
    const [cookie = ""] = session.headers.getSetCookie();
    const page = await open("/account", { cookie });
    expect(page.text).toContain(name);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
  });

  it("has the reader's preferences in its HTML", async () => {
    const page = await open("/", { cookie: "preferences=dark.compact.square.unsafe" });
    expect(page.text).toContain(
      '<html lang="en" data-theme="dark" data-rows="compact" data-tiles="square" data-blur="unsafe">',
    );
    const strange = await open("/", { cookie: 'preferences="><script>' });
    expect(strange.text).toContain(
      '<html lang="en" data-theme="auto" data-rows="medium" data-tiles="shaped" data-blur="clear">',
    );
  });
});

describe("assets", () => {
  const filesOf = ({ text }: Answer): string[] =>
    [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].flatMap(([, file]) => file ?? []);

  it("are cached forever, and sent compressed", async () => {
    const files = filesOf(await open("/"));
    expect(files.some((file) => file.endsWith(".js"))).toBe(true);
    expect(files.some((file) => file.endsWith(".css"))).toBe(true);
    for (const file of files) {
      const { status, headers } = await test.anonymous.with({ "accept-encoding": "br" }).get(file);
      expect([file, status, headers.get("cache-control")]).toEqual([file, 200, "public, max-age=31536000, immutable"]);
    }
    const types = new Set(
      await Promise.all(files.map(async (file) => (await test.anonymous.get(file)).headers.get("content-type"))),
    );
    expect(types).toEqual(new Set(["text/css; charset=utf-8", "text/javascript; charset=utf-8", "font/woff2"]));
    const [script = ""] = files.filter((file) => /entry.*\.js$/.test(file));
    expect((await test.anonymous.with({ "accept-encoding": "br" }).get(script)).headers.get("content-encoding")).toBe(
      "br",
    );
    expect((await test.anonymous.with({ "accept-encoding": "gzip" }).get(script)).headers.get("content-encoding")).toBe(
      "gzip",
    );
  });

  it("404 for anything else, which is not cached", async () => {
    for (const file of ["/assets/entry-00000000.js", "/assets/../package.json", "/assets/", "/manifest.json"])
      expect([file, (await test.anonymous.get(file)).status]).toEqual([file, 404]);
  });

  it("include an icon and a manifest", async () => {
    expect(typeOf(await test.anonymous.get("/favicon.ico"))).toBe("image/x-icon");
    expect((await test.anonymous.get("/site.webmanifest")).json.name).toBe("Pictures & more");
  });
});

describe("the hourly limit", () => {
  it("counts a page as one request, as the same query by REST", async () => {
    await using limited = await startBoard({ LIMIT_ANONYMOUS: "3" });
    const browser = limited.anonymous.with(BROWSER);
    const left = ({ headers }: Answer) => headers.get("x-ratelimit-remaining");
    expect(left(await browser.get("/"))).toBe("2");
    expect(left(await limited.anonymous.get("/posts.json"))).toBe("1");
    expect(left(await browser.get("/posts?tags=harbour"))).toBe("0");
    const refused = await browser.get("/");
    expect([refused.status, typeOf(refused)]).toEqual([429, "text/html"]);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(inlined(refused).problem?.message).toBe("Hourly limit of 3 requests exceeded.");
  });

  it("does not count assets", async () => {
    await using limited = await startBoard({ LIMIT_ANONYMOUS: "1" });
    for (let times = 0; times < 3; times += 1) expect((await limited.anonymous.get("/icon.svg")).status).toBe(200);
    expect((await limited.anonymous.with(BROWSER).get("/")).status).toBe(200);
  });
});

describe("a board that requires login", () => {
  it("403 with the board's name, and nothing of its posts", async () => {
    await using closed = await startBoard({ REQUIRE_LOGIN: "true" });
    const secret = await closed.make.post("harbour");
    for (const path of ["/", `/posts/${secret.id}`]) {
      const answer = await closed.anonymous.with(BROWSER).get(path);
      expect([answer.status, inlined(answer).data]).toEqual([403, null]);
      expect(inlined(answer).shell?.board.name).toBe("Graphbooru");
      expect(answer.text).not.toContain("harbour");
      expect(answer.text).not.toContain('role="search"');
    }
    expect((await closed.anonymous.with(BROWSER).get("/login")).status).toBe(200);
  });
});
