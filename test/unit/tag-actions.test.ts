/** Actions in a tag string besides the tags. */
import { describe, expect, it } from "vitest";
import { subtract } from "../../src/resources/shared/post-list.js";
import { parseTagString } from "../../src/tagging/tag-string.js";

const actions = (text: string) => parseTagString(text).actions;

describe("pool:, -pool: and newpool:", () => {
  it("name a pool by id or name, in the order typed, and are not tags", () => {
    const parsed = parseTagString("tree pool:12 -POOL:Some_Series newpool:A_(b) pool:none");
    expect(parsed.names).toEqual(["tree"]);
    expect(parsed.actions?.pools).toEqual([
      { kind: "add", pool: "12" },
      { kind: "remove", pool: "Some_Series" },
      { kind: "create", pool: "A_(b)" },
      { kind: "remove_from_all" },
    ]);
  });
});

describe("fav:, upvote: and downvote:", () => {
  it("accept any value or none; the last one wins", () => {
    expect(actions("fav:me")).toEqual({ pools: [], children: [], favorite: true });
    expect(actions("fav: -FAV:x")).toEqual({ pools: [], children: [], favorite: false });
    expect(actions("upvote:someone")?.vote).toBe(1);
    expect(actions("upvote: downvote:")?.vote).toBe(-1);
  });
});

describe("child:", () => {
  it("accepts an id, a list of up to ten, or none", () => {
    expect(actions("child:3,4 -child:5 child:NONE")?.children).toEqual([
      { id: 3, isChild: true },
      { id: 4, isChild: true },
      { id: 5, isChild: false },
      { id: "all", isChild: false },
    ]);
  });
});

describe("without an action", () => {
  it.each([
    "pool:",
    "newpool:",
    "child:",
    "child:x",
    "child:1,x",
    "child:99999999999",
    "child:1,2,3,4,5,6,7,8,9,10,11",
  ])("%s is treated as a tag name, which is refused", (token) => {
    const parsed = parseTagString(token);
    expect([parsed.actions, parsed.names.length]).toEqual([undefined, 1]);
  });

  it.each(["-pool:none", "-upvote:me", "-newpool:x", "-child:none"])("%s removes a tag", (token) => {
    const parsed = parseTagString(token);
    expect([parsed.actions, parsed.names, parsed.removed.length]).toEqual([undefined, [], 1]);
  });

  it("a tag string has none", () => {
    expect(actions("tree favorite pools:3")).toBeUndefined();
  });
});

describe("the posts that a version of a pool adds and removes", () => {
  it("are counted as often as they are in it; a new order is not a change", () => {
    expect(subtract([1, 2, 1, 3], [1, 3])).toEqual([2, 1]);
    expect(subtract([3, 1], [1, 3])).toEqual([]);
    expect(subtract([], [1])).toEqual([]);
  });
});
