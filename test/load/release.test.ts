/** A release, which has no sources and no npm scripts, as it is started on a production machine. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { Releases } from "../support/releases.js";
import { ServerProcess } from "../support/server-process.js";

let database: TestDatabase;
let releases: Releases;
beforeAll(async () => {
  [database, releases] = [await createDatabase(), await Releases.make()];
});
afterAll(async () => {
  await releases[Symbol.asyncDispose]();
  await database.drop();
});

it("suggests a command that it has", async () => {
  await using server = await ServerProcess.start(undefined, { DATABASE_URL: database.url }, releases.current);
  await expect.poll(() => server.output.at(-1)).toBe("");
  const suggested = server.output.filter((line) => /^ +(npm|node) /.test(line));
  expect(suggested).toEqual([
    expect.stringMatching(/^ {4}node \S+\/dist\/src\/cli\.js user create NAME PASSWORD admin$/),
  ]);
});

it("a checkout suggests its npm scripts", async () => {
  await using server = await ServerProcess.start(undefined, { DATABASE_URL: database.url });
  await expect.poll(() => server.output.at(-1)).toBe("");
  expect(server.output.filter((line) => /^ +(npm|node) /.test(line))).toEqual([
    `    npm run demo -- ${server.url}`,
    "    npm run -s board -- user create NAME PASSWORD admin",
  ]);
});
