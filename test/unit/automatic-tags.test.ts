import { describe, expect, it } from "vitest";
import { type FileFacts, withAutomaticTags } from "../../src/tagging/automatic.js";

const file = (facts: Partial<FileFacts>): FileFacts => ({
  imageWidth: 800,
  imageHeight: 600,
  fileSize: 1000,
  fileExt: "png",
  frames: 1,
  hasSound: false,
  ...facts,
});

/** The automatic tags of a file, sorted. */
const automatic = (facts: Partial<FileFacts>): string[] => withAutomaticTags(["a"], file(facts)).slice(1).sort();
const sized = (imageWidth: number, imageHeight: number) => automatic({ imageWidth, imageHeight });
const MiB = 1024 * 1024;

describe("withAutomaticTags", () => {
  it.each([
    [500, 500, ["lowres"]],
    [501, 500, []],
    [500, 501, []],
    [1599, 1199, []],
    [1600, 100, ["highres", "long_image", "wide_image"]],
    [1300, 1200, ["highres"]],
    [3199, 2399, ["highres"]],
    [3200, 1000, ["absurdres", "highres"]],
    [1300, 2400, ["absurdres", "highres"]],
    [10_000, 9000, ["absurdres", "highres", "incredibly_absurdres"]],
    [9000, 10_000, ["absurdres", "highres", "incredibly_absurdres"]],
    [1024, 256, ["long_image", "wide_image"]],
    [1023, 255, []],
    [1024, 257, []],
    [256, 1024, ["long_image", "tall_image"]],
    [257, 1024, []],
  ])("adds to a picture of %i x %i %j", (width, height, tags) => {
    expect(sized(width, height)).toEqual(tags);
  });

  it.each([
    [{ fileSize: 10 * MiB }, ["huge_filesize"]],
    [{ fileSize: 10 * MiB - 1 }, []],
    [{ fileExt: "gif" }, []],
    [{ fileExt: "gif", frames: 2 }, ["animated", "animated_gif"]],
    [{ frames: 2 }, ["animated", "animated_png"]],
    [{ fileExt: "webp", frames: 2 }, ["animated"]],
    [{ fileExt: "mp4" }, ["animated", "video"]],
    [{ fileExt: "webm", hasSound: true }, ["animated", "sound", "video"]],
  ])("adds to a file of %j %j", (facts, tags) => {
    expect(automatic(facts)).toEqual(tags);
  });

  it("removes tags that do not apply, but keeps those that a user set", () => {
    const typed = ["lowres", "absurdres", "video", "sound", "wide_image", "long_image", "tree"];
    expect(withAutomaticTags(typed, file({}))).toEqual(["wide_image", "long_image", "tree"]);
  });

  it("adds tagme to a post without other tags", () => {
    expect(withAutomaticTags([], file({}))).toEqual(["tagme"]);
    expect(withAutomaticTags(["lowres"], file({ imageWidth: 10, imageHeight: 10 }))).toEqual(["tagme", "lowres"]);
  });

  it("keeps each name once, also names of Object.prototype's properties", () => {
    expect(withAutomaticTags(["a", "a", "constructor"], file({}))).toEqual(["a", "constructor"]);
  });
});
