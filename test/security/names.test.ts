/** User names that look like another's, on any page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBoard, type TestBoard } from "../support/board.js";

let test: TestBoard;
beforeAll(async () => {
  test = await startBoard();
  await test.make.user("Admin", "mira");
});
afterAll(() => test[Symbol.asyncDispose]());

const signUp = (name: string) => test.anonymous.post("/users.json", { user: { name, password: "a long password" } });

describe("a user name that looks like another's", () => {
  it.each([
    ["a zero-width space", "mi\u200Bra"],
    ["a zero-width joiner", "mi\u200Dra"],
    ["a right-to-left override", "\u202Earim"],
    ["a soft hyphen", "mi\u00ADra"],
    ["a Hangul filler", "mira\u3164"],
    ["a halfwidth Hangul filler", "mira\uFFA0"],
    ["a combining grapheme joiner", "mi\u034Fra"],
    ["a variation selector", "mira\uFE0F"],
    ["a blank of Braille", "mira\u2800"],
    ["letters of full width", "ｍｉｒａ"],
    ["mathematical letters", "𝐦𝐢𝐫𝐚"],
    ["a ligature", "ﬁra"],
    ["more marks than any letter has", `mira${"\u0301".repeat(40)}`],
    ["a Cyrillic letter among Latin ones", "mirа"],
    ["a capital letter with an accent that only its small form is composed with", "J\u030Cohn"],
    ["a Greek letter among Latin ones", "mirα"],
    ["a Cyrillic letter among Greek ones", "μοа"],
    ["an Armenian letter among Latin ones", "mօra"],
    ["a Cherokee letter among Latin ones", "miᎡa"],
    ["a Lisu letter among Latin ones", "mꓲra"],
    ["a Coptic letter among Latin ones", "mirⲟ"],
    ["a letter of Tifinagh among Latin ones", "mⵏra"],
    ["a zero of Devanagari among Latin letters", "mira०"],
  ])("is refused: %s", async (_, name) => {
    const before = await test.board.database.user.count();
    const { status, json } = await signUp(name);
    expect([status, json.errors]).toEqual([420, { name: ["is invalid"] }]);
    expect(await test.board.database.user.count()).toBe(before);
  });

  it.each(["Mira_2", "José", "Зоя", "Ζωή", "ミラx", "가나_kim", "عمر", "王小明2", "Անի", "สมชาย๒", "smile😀"])(
    "is accepted in any one alphabet: %s",
    async (name) => {
      const { status, json } = await signUp(name);
      expect([status, json.name]).toEqual([200, name]);
    },
  );
});
