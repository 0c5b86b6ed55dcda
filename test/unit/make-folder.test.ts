/** Folders with their missing parents. */
import { expect, it } from "vitest";
import { makeFolder } from "../../src/lib/files.js";
import { Folder } from "../support/folder.js";

it("creates a folder several times at once, and says which was missing", async () => {
  await using folder = await Folder.make();
  const wanted = folder.at("a/b/c/d");
  const made = await Promise.all(Array.from({ length: 20 }, () => makeFolder(wanted)));
  expect(made).toContain(folder.at("a"));
  expect(await makeFolder(wanted)).toBeUndefined();
});
