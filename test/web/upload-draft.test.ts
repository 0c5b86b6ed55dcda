/** Drafts of uploads that were not sent yet, stored in the browser. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { storeFor } from "../../web/lib/stored.js";
import { type Draft, draftName, EMPTY, fileKey, keepDraft, readDraft } from "../../web/lib/upload-draft.js";
import { md5Of } from "../../web/lib/md5.js";

/** A browser's store, of `limit` characters. */
function storeOf(limit = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>();
  const store = {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem: (key: string, text: string) => {
      if (text.length > limit) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, text);
    },
  };
  vi.stubGlobal("localStorage", store);
  return store;
}
afterEach(() => {
  vi.unstubAllGlobals();
  storeFor(0);
});

const item = {
  file: "a.png 12",
  md5: "f96b697d7cb7938d525a2f31aaf161d0",
  tags: "boat",
  rating: "SAFE" as const,
  source: "a drawer",
  parent: "7",
};
const draft: Draft = { tags: "harbour", rating: "QUESTIONABLE", items: [item, { ...item, file: null, rating: null }] };

describe("a draft", () => {
  it("is read as it was saved, only by its user", () => {
    storeOf();
    keepDraft("upload", draft);
    expect(readDraft("upload")).toEqual(draft);
    storeFor(2);
    expect(readDraft("upload")).toEqual(EMPTY);
  });

  it("is removed when it becomes empty", () => {
    const store = storeOf();
    keepDraft("upload", draft);
    keepDraft("upload", { tags: " ", rating: null, items: [] });
    expect([...store.kept]).toEqual([]);
  });

  it.each(["", "{", "null", "7", "[]", '{"items":7}'])("is empty if the stored value is something else: %j", (text) => {
    const store = storeOf();
    store.kept.set("0 upload", text);
    expect(readDraft("upload")).toEqual(EMPTY);
  });

  it("contains only strings, whatever the stored value is", () => {
    const store = storeOf();
    store.kept.set(
      "0 upload",
      JSON.stringify({ tags: 1, rating: "LEWD", items: [{ file: 7, rating: "s", tags: [] }] }),
    );
    const nothing = { file: null, md5: null, tags: "", rating: null, source: "", parent: "" };
    expect(readDraft("upload")).toEqual({ tags: "", rating: null, items: [nothing] });
  });

  it("has at most 200 files, and stays unchanged when the storage is full", () => {
    storeOf();
    keepDraft("upload", { ...draft, items: Array.from({ length: 300 }, () => item) });
    expect(readDraft("upload").items).toHaveLength(200);
    storeOf(10);
    keepDraft("upload", draft);
    expect(readDraft("upload")).toEqual(EMPTY);
  });

  it("identifies a file by name and size", () => {
    expect(fileKey({ name: "a 7.png", size: 12 })).toBe("a 7.png 12");
    expect(draftName({ ...item, file: "a 7.png 12" })).toBe("a 7.png");
  });
});

describe("the MD5 of a file", () => {
  it.each([
    ["", "d41d8cd98f00b204e9800998ecf8427e"],
    ["message digest", "f96b697d7cb7938d525a2f31aaf161d0"],
  ])("is that of RFC 1321: %j", async (text, sum) => {
    expect(await md5Of(new Blob([text]))).toBe(sum);
  });

  it("is computed over the whole file, whatever its size", async () => {
    expect(await md5Of(new Blob([new Uint8Array(1_000_000)]))).toBe("879f4bba57ed37c9ec5e5aedf9864698");
  });
});
