/** GraphiQL at `/graphql`: a self-contained page for browsers, which does not affect the API. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { get, type IncomingHttpHeaders } from "node:http";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { buildSchema, Kind, parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import { noChromium, openBrowser, visit } from "../support/browser.js";
import { ROOT } from "../support/project.js";

const text = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const examples = text("graphql/explorer/examples.graphql");

/** What browsers send when an address is opened. */
const BROWSER = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "accept-encoding": "gzip, deflate, br, zstd",
};

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
});
afterAll(() => test[Symbol.asyncDispose]());

/** One request, its answer as it comes over the wire: `fetch` would unpack it. */
function ask(headers: Record<string, string>, method = "GET", address = "/graphql"): Promise<Answer> {
  const { hostname, port } = new URL(test.url);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path: address, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).on("error", reject);
  });
}

describe("GET /graphql in a browser", () => {
  it("returns the page, compressed, to be revalidated each time", async () => {
    const { status, headers, body } = await ask(BROWSER);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-encoding"]).toBe("gzip");
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers.vary).toBe("Accept, Accept-Encoding");
    expect(gunzipSync(body).toString()).toContain("<title>Graphbooru</title>");
  });

  it("returns the same page uncompressed without Accept-Encoding", async () => {
    const packed = await ask(BROWSER);
    const plain = await ask({ ...BROWSER, "accept-encoding": "identity" });
    expect(plain.status).toBe(200);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body.equals(gunzipSync(packed.body))).toBe(true);
    expect(plain.headers["content-length"]).toBe(String(plain.body.length)); // decompressed as a whole, and once
    expect(plain.headers.etag).toBe(packed.headers.etag);
  });

  it("304 without a body if the client has the page", async () => {
    const { etag } = (await ask(BROWSER)).headers;
    for (const encoding of ["gzip", "identity"]) {
      const again = await ask({ ...BROWSER, "accept-encoding": encoding, "if-none-match": String(etag) });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
  });

  it("HEAD has no body", async () => {
    for (const encoding of ["gzip", "identity"]) {
      const { status, headers, body } = await ask({ ...BROWSER, "accept-encoding": encoding }, "HEAD");
      expect([status, headers["content-type"], body.length]).toEqual([200, "text/html; charset=utf-8", 0]);
    }
  });

  it("refers to no other host", async () => {
    const page = gunzipSync((await ask(BROWSER)).body).toString();
    expect(page.match(/\b(?:src|href|action)\s*=\s*["'`]?(?:https?:)?\/\/[^\s"'`>]*/gi) ?? []).toEqual([]);
    expect(page.match(/(?:url\(\s*|@import\s+)["']?(?:https?:)?\/\/[^\s"')]*/gi) ?? []).toEqual([]);
    expect(page.match(/\bimport\(\s*["'`](?:https?:)?\/\/[^\s"'`)]*/gi) ?? []).toEqual([]);
  });

  it("lets the browser load nothing from elsewhere, and run only the page's one script", async () => {
    const { headers, body } = await ask(BROWSER);
    const scripts = [
      ...gunzipSync(body)
        .toString()
        .matchAll(/<script>([^]*?)<\/script>/g),
    ].map((match) => match[1] ?? "");
    const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
    expect(hashes).toHaveLength(1);
    expect(String(headers["content-security-policy"]).split("; ")).toEqual([
      "default-src 'self'",
      `script-src ${hashes[0]}`,
      "style-src 'unsafe-inline'",
      "font-src data:",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "worker-src blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it("has the examples in its first tab", async () => {
    const page = gunzipSync((await ask(BROWSER)).body).toString();
    expect(page).toContain(`defaultTabs: [{ query: ${JSON.stringify(examples)} }]`);
  });
});

describe.skipIf(noChromium !== null)(`the page${noChromium ? ` (${noChromium})` : ""}`, () => {
  it("runs a subscription, and shows its events", async () => {
    const user = await test.make.user("Member");
    const post = await test.make.post("cat");
    const browser = await openBrowser();
    await using visitor = await visit(browser, test.url);
    const { page } = visitor;
    const said = page.waitForEvent("websocket").then((socket) => {
      const asked = ({ payload }: { payload: string | Buffer }) => String(payload).includes('"subscribe"');
      return socket.waitForEvent("framesent", asked);
    });
    await page.goto("/graphql");
    await page.getByLabel("Operation Editor").getByRole("textbox").focus();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(`subscription Comments { commentCreated(postId: ${post.id}) { body } }`);
    await page.getByRole("tab", { name: "Comments" }).waitFor(); // it reads what was written after a pause
    await page.getByRole("button", { name: "Execute query" }).click();
    await said;
    const shown = page.getByLabel("Result Window").getByText("see you there");
    const comment = { post_id: post.id, body: "see you there" };
    await expect
      .poll(async () => {
        await user.client.post("/comments.json", { comment });
        return shown.count();
      })
      .toBeGreaterThan(0);
  });
});

describe("API requests", () => {
  const JSON_TYPES = "application/graphql-response+json, application/json";

  it.each([
    ["a POST", { ...BROWSER }, "POST", "/graphql"],
    ["a GET for JSON", { accept: JSON_TYPES }, "GET", "/graphql"],
    ["a GET for anything", { accept: "*/*" }, "GET", "/graphql"],
    ["a GET that does not say what for", {}, "GET", "/graphql"],
    ["a GET that likes JSON better than HTML", { accept: "text/html;q=0.5, application/json" }, "GET", "/graphql"],
    ["a GET with a query", { ...BROWSER }, "GET", "/graphql?query=%7Bviewer%7Bid%7D%7D"],
    ["a GET with a query among others", { ...BROWSER }, "GET", "/graphql?variables=%7B%7D&query="],
    ["an address below", { ...BROWSER }, "GET", "/graphql/elsewhere"],
  ])("%s is not answered with the page", async (_name, headers, method, address) => {
    const answer = await ask({ ...headers, "accept-encoding": "identity" }, method, address);
    expect(answer.headers["content-type"]).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
  });

  it("a query parameter that is not a GraphQL query does not matter", async () => {
    expect((await ask(BROWSER, "GET", "/graphql?subquery=1")).headers["content-type"]).toBe("text/html; charset=utf-8");
  });
});

describe("the examples", () => {
  const schema = buildSchema(text("graphql/schema.graphql"));
  const complaints = (source: string): string[] => validate(schema, parse(source)).map((error) => error.message);

  it("are valid queries of this board", () => {
    expect(complaints(examples)).toEqual([]);
  });

  it("each have a name for GraphiQL's menu", () => {
    const names = parse(examples).definitions.map((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? node.name?.value : "",
    );
    expect(names).toEqual(["SearchPosts", "PostWithHistory", "WhoAmI", "SignIn", "UploadFromUrl", "NewComments"]);
  });

  it("show a multipart upload whose query is valid too, with the header that it needs", () => {
    const [, operations = ""] = /operations='(.+)'/.exec(examples) ?? [];
    expect(complaints((JSON.parse(operations) as { query: string }).query)).toEqual([]);
    expect(examples).toContain("-H 'Apollo-Require-Preflight: true'");
  });
});
