/** Uploads through POST /graphql: files by the multipart request specification, and files behind a URL. */
import { readdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPORARY_FOLDER } from "../../src/storage/storage.js";
import { startBoard, type TestBoard } from "../support/board.js";
import type { Answer, Client } from "../support/client.js";
import type { TestUser } from "../support/factory.js";
import { png } from "../support/pictures.js";

const MAX_BYTES = 200_000;

let test: TestBoard;
let site: Server;
let siteUrl: string;
let contributor: TestUser;

beforeAll(async () => {
  const picture = await png({ width: 40, height: 30, seed: 999 });
  site = createServer((request, response) => {
    if (request.url === "/picture.png") response.setHeader("content-type", "image/png").end(picture);
    else if (request.url === "/page") response.end("<html>");
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  siteUrl = `http://${host}`;
  test = await startBoard({ SOURCE_ALLOW_HOSTS: host, MAX_UPLOAD_BYTES: String(MAX_BYTES) });
  contributor = await test.make.user("Contributor");
});
afterAll(async () => {
  site.close();
  await test[Symbol.asyncDispose]();
});

const UPLOAD = `mutation($input: CreateUploadInput!) {
  createUpload(input: $input) {
    upload { status tagString rating source contentType fileSize uploader { id } post { isPending tagString md5 } }
  }
}`;

/** A multipart request as the specification has it; `parts` over the usual ones, null for none. */
function multipart(file: Blob, input: object, parts: Record<string, string | Blob | null> = {}): FormData {
  const usual = {
    operations: JSON.stringify({ query: UPLOAD, variables: { input: { ...input, file: null } } }),
    map: JSON.stringify({ "0": ["variables.input.file"] }),
    "0": file,
  };
  const form = new FormData();
  for (const name of ["operations", "map", "0"] as const) {
    const part = name in parts ? parts[name] : usual[name];
    if (part !== null && part !== undefined) form.append(name, part);
  }
  return form;
}

const PREFLIGHT = { "apollo-require-preflight": "true" };
const send = (client: Client, body: FormData, headers: Record<string, string> = PREFLIGHT): Promise<Answer> =>
  client.send("/graphql", { method: "POST", body, headers });

const counts = async () => {
  const { database } = test.board;
  return {
    posts: await database.post.count(),
    files: await database.mediaFile.count(),
    uploads: await database.upload.count(),
  };
};

const codeOf = ({ json }: Answer): string => json.errors[0].extensions.code as string;

describe("createUpload with a file", () => {
  it("creates a post", async () => {
    const file = await test.make.picture();
    const { status, json } = await send(contributor.client, multipart(file, { tagString: "sent rating:q" }));
    expect([status, json.errors]).toEqual([200, undefined]);
    expect(json.data.createUpload.upload).toEqual({
      status: "completed",
      tagString: "sent rating:q",
      rating: "QUESTIONABLE",
      source: "",
      contentType: "image/jpeg",
      fileSize: file.size,
      uploader: { id: contributor.id },
      post: { isPending: false, tagString: "lowres sent", md5: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
    });
  });

  it("is pending below Contributor, and on request", async () => {
    const upload = async (user: TestUser, asPending: boolean) => {
      const body = multipart(await test.make.picture(), { tagString: "x", rating: "SAFE", asPending });
      return (await send(user.client, body)).json.data.createUpload.upload.post.isPending as boolean;
    };
    const member = await test.make.user();
    expect([await upload(member, false), await upload(contributor, true), await upload(contributor, false)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("is refused without Apollo-Require-Preflight, which pages of other sites can't send", async () => {
    const before = await counts();
    const answer = await send(
      contributor.client,
      multipart(await test.make.picture(), { tagString: "x rating:s" }),
      {},
    );
    expect([answer.status, answer.json.data, codeOf(answer)]).toEqual([403, undefined, "FORBIDDEN"]);
    expect(await counts()).toEqual(before);
  });

  it("is refused to visitors before the file is received", async () => {
    const before = await counts();
    const large = new Blob([new Uint8Array(20 * MAX_BYTES)], { type: "image/jpeg" });
    const answer = await send(test.anonymous, multipart(large, { tagString: "x rating:s" }));
    expect([answer.status, answer.json.data, codeOf(answer)]).toEqual([403, undefined, "FORBIDDEN"]);
    expect(await counts()).toEqual(before);
    expect((await test.anonymous.graphql("{ viewer { id } }")).json.data).toEqual({ viewer: null });
  });

  it.each([MAX_BYTES + 1, 20 * MAX_BYTES])("is refused for a file over MAX_UPLOAD_BYTES, of %i bytes", async (size) => {
    const before = await counts();
    const large = new Blob([new Uint8Array(size)], { type: "image/jpeg" });
    const answer = await send(contributor.client, multipart(large, { tagString: "x rating:s" }));
    const reason = `the request body is larger than ${MAX_BYTES} bytes`;
    expect(answer.json.errors[0].extensions).toEqual({ code: "INVALID_PARAMETERS", status: 424, reason });
    expect(await counts()).toEqual(before);
  });

  it("is refused for a file that another mutation of the request has used", async () => {
    const query = `mutation($file: File!) {
      a: createUpload(input: { file: $file, tagString: "x", rating: SAFE, parentId: 2000000000 }) { upload { id } }
      b: createUpload(input: { file: $file, tagString: "x", rating: SAFE }) { upload { id } }
    }`;
    const operations = JSON.stringify({ query, variables: { file: null } });
    const map = JSON.stringify({ "0": ["variables.file"] });
    const answer = await send(contributor.client, multipart(await test.make.picture(), {}, { operations, map }));
    expect(answer.json.data).toEqual({ a: null, b: null });
    expect(answer.json.errors.map(({ message }: { message: string }) => message)).toEqual([
      "parent does not exist",
      "file is invalid",
    ]);
  });

  it("is refused for a duplicate file, and names the post", async () => {
    const file = await test.make.picture();
    await send(contributor.client, multipart(file, { tagString: "first rating:s" }));
    const { id } = await test.board.database.post.findFirstOrThrow({ orderBy: { id: "desc" } });
    const answer = await send(contributor.client, multipart(file, { tagString: "second rating:s" }));
    expect(answer.json.errors[0].extensions).toEqual({
      code: "ALREADY_EXISTS",
      status: 423,
      reason: "duplicate",
      post_id: id,
      location: `/posts/${id}`,
    });
  });

  it("is refused for a file that is not a picture", async () => {
    const answer = await send(contributor.client, multipart(new Blob(["<svg/>"]), { tagString: "x rating:s" }));
    expect(answer.json.errors[0].extensions).toMatchObject({
      code: "INVALID_RECORD",
      status: 420,
      field: "input.file",
    });
  });

  it.each([
    ["no operations", { operations: null }],
    ["operations that are no JSON", { operations: "{" }],
    ["no map", { map: null }],
    ["a map to nowhere", { map: `{"0":["variables.nowhere.file"]}` }],
    ["a file that the map promises and that doesn't come", { "0": null }],
    ["a text in the place of the file", { "0": "text" }],
  ])("is refused with %s", async (_name, parts) => {
    const before = await counts();
    const answer = await send(
      contributor.client,
      multipart(await test.make.picture(), { tagString: "x rating:s" }, parts),
    );
    expect([answer.json.data?.createUpload ?? null, codeOf(answer)]).toEqual([null, "INVALID_PARAMETERS"]);
    expect(await counts()).toEqual(before);
  });

  it("is refused with two files: each needs a request of its own", async () => {
    const before = await counts();
    const form = multipart(await test.make.picture(), { tagString: "x rating:s" });
    form.append("1", await test.make.picture());
    const { json } = await send(contributor.client, form);
    expect(json.errors[0].extensions).toEqual({
      code: "INVALID_PARAMETERS",
      status: 424,
      reason: "a request may contain one file only",
    });
    expect(await counts()).toEqual(before);
  });

  it("leaves nothing in the temporary folder", async () => {
    const folder = path.join(test.board.config.mediaDir, TEMPORARY_FOLDER);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual([]);
  });
});

describe("createUpload with a source", () => {
  const create = (client: Client, input: object): Promise<Answer> => client.graphql(UPLOAD, { input });

  it("downloads the file and keeps the URL", async () => {
    const source = `${siteUrl}/picture.png`;
    const { json } = await create(contributor.client, { source, tagString: "fetched", rating: "SAFE" });
    expect(json.data.createUpload.upload).toMatchObject({
      status: "completed",
      source,
      contentType: "image/png",
      post: { tagString: "fetched lowres" },
    });
  });

  it("is refused if the site has no file, and the upload says why", async () => {
    const { json } = await create(contributor.client, { source: `${siteUrl}/none`, tagString: "x", rating: "SAFE" });
    const reason = "source could not be downloaded (the site responded with 404)";
    expect(json.errors[0].extensions).toMatchObject({
      code: "INVALID_RECORD",
      status: 420,
      reason,
      field: "input.source",
    });
  });

  it("is refused for a URL without a picture, which is wrong with the source", async () => {
    const source = `${siteUrl}/page`;
    const { json } = await create(contributor.client, { source, tagString: "x", rating: "SAFE" });
    const message = "is not a supported file type (jpg, png, gif, webp, avif, mp4, webm)";
    expect(json.errors[0].extensions).toMatchObject({
      reason: `file ${message}`,
      field: "input.source",
      fields: { "input.source": [message] },
    });
  });

  it.each([
    [
      "neither file nor source",
      { tagString: "x", rating: "SAFE" },
      "file or source is required",
      { field: "input.file", fields: { "input.file": ["or source is required"] } },
    ],
    [
      "no rating",
      { tagString: "x", source: "http://x.example/" },
      "rating is required",
      { field: "input.rating", fields: { "input.rating": ["is required"] } },
    ],
  ])("is refused with %s", async (_name, input, reason, fields) => {
    const { json } = await create(contributor.client, input);
    expect(json.errors[0].extensions).toEqual({ code: "INVALID_PARAMETERS", status: 424, reason, ...fields });
  });

  it("is refused without tags, by the schema", async () => {
    const { status, json } = await create(contributor.client, { rating: "SAFE" });
    expect([status, json.errors[0].extensions.code]).toEqual([400, "INVALID_PARAMETERS"]);
  });
});

describe("uploads", () => {
  const LIST = `query($search: UploadSearch) { uploads(search: $search) { nodes { id status postId uploaderName } } }`;

  it("are listed for members, newest first", async () => {
    const member = await test.make.user();
    const made = await test.make.post("listed", {}, member);
    const { json } = await member.client.graphql(LIST, { search: { uploaderName: member.name.toUpperCase() } });
    expect(json.data.uploads.nodes).toEqual([
      { id: made.uploadId, status: "completed", postId: made.id, uploaderName: member.name },
    ]);
  });

  it("403 for visitors", async () => {
    const { json } = await test.anonymous.graphql(LIST);
    expect([json.data, json.errors[0].extensions.code]).toEqual([null, "FORBIDDEN"]);
    const one = await test.anonymous.graphql("{ upload(id: 1) { id } }");
    expect([one.json.data, one.json.errors[0].extensions.code]).toEqual([{ upload: null }, "FORBIDDEN"]);
  });
});
