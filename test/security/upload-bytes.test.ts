/** Bytes of uploads in progress are limited, for an address, an account and the board: uploads here begin and wait. */
import { afterEach, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";
import type { TestUser } from "../support/factory.js";
import { multipart, multipartInit } from "../support/multipart.js";
import type { RawClient } from "../support/raw-client.js";
import { redirecting, serving, startSite } from "../support/site.js";
import { beginUpload } from "../support/slow-upload.js";
import { filesOf } from "../support/traces.js";

const SIZE = 100_000;
const OWN = "too many bytes of uploads in progress; try again later";
const BOARD = "the server cannot handle the request now; try again later";

const opened: RawClient[] = [];
afterEach(() => {
  for (const client of opened.splice(0)) client[Symbol.dispose]();
});

/** A board whose files have at most so many bytes, where little is on its way at once. */
const start = (settings: Record<string, string>) =>
  startBoard({ MAX_UPLOAD_BYTES: String(2 * SIZE), TRUST_PROXY: "loopback", ...settings });

const hold = async (test: TestBoard, login: TestUser, address = "192.0.2.1"): Promise<RawClient> => {
  const before = test.board.ingest.bytesInFlight;
  const client = await beginUpload(test.url, {
    path: "/uploads.json",
    login,
    headers: { "X-Forwarded-For": address },
    bytes: SIZE,
  });
  opened.push(client);
  await expect.poll(() => test.board.ingest.bytesInFlight - before > SIZE - 1000 || client.status > 0).toBe(true);
  return client;
};

const end = async (test: TestBoard) => {
  for (const client of opened.splice(0)) client[Symbol.dispose]();
  await expect.poll(() => test.board.ingest.bytesInFlight).toBe(0);
};

/** An upload of a real picture, with enough behind its end to be past the limit. */
async function upload(test: TestBoard, user: TestUser, address: string, padding = SIZE) {
  const picture = Buffer.from(await (await test.make.picture()).arrayBuffer());
  const body = multipart([
    { name: "upload[rating]", content: "s" },
    { name: "upload[tag_string]", content: "x" },
    { name: "upload[file]", filename: "a.jpg", content: Buffer.concat([picture, Buffer.alloc(padding)]) },
  ]);
  return user.client.with({ "x-forwarded-for": address }).send("/uploads.json", multipartInit(body));
}

describe("bytes of uploads in progress", () => {
  it.each([
    ["an account, from whatever address", "UPLOAD_BYTES_PER_USER", 421, OWN],
    ["an address, of whatever account", "UPLOAD_BYTES_PER_ADDRESS", 421, OWN],
    ["the board", "UPLOAD_BYTES_IN_FLIGHT", 503, BOARD],
  ])("are limited for %s", async (_, setting, status, reason) => {
    await using test = await start({ [setting]: String(2.5 * SIZE) });
    const [first, second] = [await test.make.user("Contributor"), await test.make.user("Contributor")];
    const users = setting === "UPLOAD_BYTES_PER_USER" ? [first, first, first] : [first, second, first];
    const address = (index: number) => (setting === "UPLOAD_BYTES_PER_ADDRESS" ? "192.0.2.1" : `192.0.2.${index}`);
    await hold(test, users[0] as TestUser, address(1));
    await hold(test, users[1] as TestUser, address(2));
    const files = await filesOf(test);
    expect([test.board.ingest.bytesInFlight > 2 * SIZE - 2000, files.length]).toEqual([true, 2]);

    const answer = await upload(test, users[2] as TestUser, address(3));
    expect([answer.status, answer.json.reason, answer.headers.get("retry-after")]).toEqual([status, reason, "10"]);
    await expect.poll(() => filesOf(test)).toEqual(files);
    const third = setting === "UPLOAD_BYTES_IN_FLIGHT" ? null : await upload(test, await test.make.user(), "192.0.2.9");
    expect(third?.status ?? 200).toBe(200);

    await end(test);
    expect((await upload(test, users[2] as TestUser, address(3), 0)).status).toBe(200);
    await expect.poll(() => test.board.ingest.bytesInFlight).toBe(0);
  });

  it("always allow one file of MAX_UPLOAD_BYTES", async () => {
    await using test = await start({
      UPLOAD_BYTES_PER_USER: "1",
      UPLOAD_BYTES_PER_ADDRESS: "1",
      UPLOAD_BYTES_IN_FLIGHT: "1",
    });
    const user = await test.make.user("Contributor");
    expect((await upload(test, user, "192.0.2.1")).status).toBe(200);
    expect(test.board.ingest.bytesInFlight).toBe(0);
  });

  it("include downloads, and are released however an upload ends", async () => {
    await using site = await startSite();
    await using test = await start({ UPLOAD_BYTES_PER_USER: "1", SOURCE_ALLOW_HOSTS: site.host });
    const user = await test.make.user("Contributor");
    const picture = Buffer.from(await (await test.make.picture()).arrayBuffer());
    site.pages.set("/a.jpg", serving(Buffer.concat([picture, Buffer.alloc(SIZE)])));
    site.pages.set("/gone.jpg", redirecting(`${site.url}/nowhere`));
    const fetchSource = (name: string) =>
      user.client.post("/uploads.json", {
        upload: { source: `${site.url}/${name}`, rating: "s", tag_string: "x" },
      });
    await hold(test, user);
    const refused = await fetchSource("a.jpg");
    expect([refused.status, refused.json.reason]).toEqual([421, OWN]);
    await end(test);
    expect((await fetchSource("gone.jpg")).status).toBe(420);
    expect((await fetchSource("a.jpg")).status).toBe(200);
    expect((await fetchSource("a.jpg")).status).toBe(423);
    await expect.poll(() => test.board.ingest.bytesInFlight).toBe(0);
  });
});
