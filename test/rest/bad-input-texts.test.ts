/** Every text of every row of the REST interface, one character over its limit, and at the limit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Field, nameOf, parametersOf, typeOf, withValue } from "../support/bad-parameters.js";
import type { Params, Value } from "../support/client.js";
import { type Asked, having, isQuery, type Matrix, startMatrix } from "../support/matrix.js";
import { expectRefusals, type Expected, faulty } from "../support/refusal-matrix.js";
import { fresh } from "../support/stage.js";
import { ENDS_KEYS } from "../support/recipes.js";
import { fieldOf, type NamedRow, rows } from "../support/rest-rows.js";

let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix();
}, 60_000);
afterAll(() => matrix[Symbol.asyncDispose]());

interface Limit {
  /** characters */
  limit: number;
  /** the field that the messages are by, where it isn't the parameter's own */
  field?: string;
  /** what the text begins with; by default a word that no other one has */
  start?: string;
  /** whether it begins with what the sound request has: a URL that leads to a file */
  isContinued?: boolean;
  /** whether it is one of many texts of its parameter, so that the message names it */
  isOfMany?: boolean;
  /** what it is filled with; by default a character outside the basic plane, which counts as one all the same */
  filler?: string;
}

/** The limit of every text that is stored; null for those that are compared only. */
const LIMITS: Record<string, Limit | null> = {
  "artist[group_name]": { limit: 170 },
  "artist[name]": { limit: 170 },
  "artist[other_names]": { limit: 80, isOfMany: true },
  "artist[other_names_comma]": { limit: 80, isOfMany: true, field: "other_names" },
  "artist[url_string]": { limit: 600, isOfMany: true, start: "https://a.example/", filler: "a" },
  "artist_commentary[original_description]": { limit: 55_000 },
  "artist_commentary[original_title]": { limit: 600 },
  "artist_commentary[translated_description]": { limit: 55_000 },
  "artist_commentary[translated_title]": { limit: 300 },
  "comment[body]": { limit: 15_000 },
  "dmail[body]": { limit: 50_000 },
  "dmail[title]": { limit: 200 },
  "dmail[to_name]": null,
  "favorite_group[name]": { limit: 170 },
  "forum_post[body]": { limit: 80_000 },
  "forum_topic[original_post_attributes][body]": { limit: 80_000, field: "body" },
  "forum_topic[title]": { limit: 255 },
  "note[body]": { limit: 5_000 },
  "pool[description]": { limit: 20_000 },
  "pool[name]": { limit: 170 },
  "post[old_source]": null,
  "post[old_tag_string]": null,
  "post[source]": { limit: 1_200 },
  "post[tag_string]": { limit: 170, isOfMany: true },
  "post_appeal[reason]": { limit: 500 },
  "post_flag[reason]": { limit: 500 },
  "session[name]": null,
  "session[password]": null,
  "upload[md5_confirmation]": null,
  "upload[source]": { limit: 1_200, isContinued: true, filler: "a" },
  "upload[tag_string]": { limit: 170, isOfMany: true },
  "user[blacklisted_tags]": { limit: 20_000 },
  "user[default_image_size]": null,
  "user[email]": { limit: 254, start: "sailor@", filler: "a" },
  "user[favorite_tags]": { limit: 20_000 },
  "user[name]": { limit: 100 },
  "user[old_password]": null,
  "user[password]": { limit: 1_000 },
  "user[password_confirmation]": null,
  "user[time_zone]": null,
  "user[token]": null,
  "wiki_page[body]": { limit: 80_000 },
  "wiki_page[other_names]": { limit: 100, isOfMany: true },
  "wiki_page[title]": { limit: 170 },
};

const isText = (field: Field): boolean => ["String", "[String!]"].includes(typeOf(field));
const isLimited = (field: Field): boolean => isText(field) && Boolean(LIMITS[nameOf(field.path)]);
/** These compare the password, and store nothing of what comes. */
const COMPARING = ["DELETE /users/:id", "PUT /users/:id/api_key"];
const writes: NamedRow[] = having(isLimited).filter(([name, row]) => !isQuery(row) && !COMPARING.includes(name));

const valueAt = (params: Params, { path }: Field): Value =>
  path.reduce<Value>((value, part) => (value as Params | undefined)?.[part], params);

/** The request with a text that is so many characters longer than its limit. */
function stretched({ params, ...asked }: Asked, field: Field, by: number): Asked {
  const { limit, start = fresh("text"), filler = "\u{1F6A2}", isContinued } = LIMITS[nameOf(field.path)] as Limit;
  const begin = isContinued ? `${valueAt(params, field) as string}#` : start;
  const text = begin + filler.repeat(limit + by - begin.length);
  return { ...asked, params: withValue(params, field.path, typeOf(field) === "String" ? text : [text]) };
}

const tooLong = (name: string, text: string): Expected => {
  const { limit, field, isOfMany } = LIMITS[name] as Limit;
  const problem = `is too long (at most ${limit} characters)`;
  const message = isOfMany ? `has "${text.slice(0, 50).toWellFormed()}…", which ${problem}` : problem;
  return faulty(420, field ?? (/\[(\w+)\]$/.exec(name)?.[1] as string), message);
};

it("the limit of every text is declared", () => {
  const texts = rows.filter(([, row]) => !isQuery(row)).flatMap(([, row]) => parametersOf(row).filter(isText));
  expect(Object.keys(LIMITS)).toEqual([...new Set(texts.map(({ path }) => nameOf(path)))].sort());
});

describe("a text one character over the limit is 420", () => {
  it.each(writes)("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const refusals = parametersOf(asked.row)
      .filter(isLimited)
      .map((field) => {
        const name = nameOf(field.path);
        const sent = stretched(asked, field, 1);
        const [text] = [valueAt(sent.params, field)].flat() as [string];
        return matrix.refusalOf(name, sent, tooLong(name, text), "json");
      });
    await expectRefusals(matrix.test, refusals);
  });
});

const range = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);
const words = (length: number): string =>
  range(length)
    .map((number) => `word_${number}`)
    .join(" ");
const urls = range(151).map((number) => `https://a.example/${number}`);

/** Lists with one entry more than they may have. */
const TOO_MANY: Record<string, [value: Value, message: string]> = {
  "artist[other_names]": [words(51), "has more than 50 entries"],
  "artist[url_string]": [urls.join(" "), "has more than 150 entries"],
  "pool[post_ids]": [range(10_001).join(" "), "has more than 10000 posts"],
  "post[tag_string]": [words(1251), "has more than 1250 tags"],
  "upload[tag_string]": [words(1251), "has more than 1250 tags"],
  "wiki_page[other_names]": [words(81), "has more than 80 entries"],
};

describe("a list one entry over the limit is 420", () => {
  const isList = ({ path }: Field): boolean => Object.hasOwn(TOO_MANY, nameOf(path));

  it.each(having(isList))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const refusals = parametersOf(asked.row)
      .filter(isList)
      .map(({ path }) => {
        const [value, message] = TOO_MANY[nameOf(path)] ?? [];
        const expected = faulty(420, path.at(-1) ?? "", message ?? "");
        return matrix.refusalOf(nameOf(path), { ...asked, params: withValue(asked.params, path, value) }, expected);
      });
    // from the moment that a file is at hand, an upload leaves its own row
    await expectRefusals(matrix.test, refusals, asked.row.path === "/uploads" ? ["uploads"] : []);
  });
});

describe("a text of the maximum length is accepted", () => {
  it.each(writes)("%s", async (...named) => {
    for (const field of parametersOf(named[1]).filter(isLimited)) {
      const by = ENDS_KEYS.has(fieldOf(named[1])) ? await matrix.test.make.user("Admin") : matrix.admin;
      const { row, path, params } = stretched(await matrix.soundOf(named, by), field, 0);
      const { status, json } = await by.client.json(row.method, `${path}.json`, params);
      expect([nameOf(field.path), status, json.success, json.reason]).toEqual([
        nameOf(field.path),
        200,
        true,
        expect.any(String),
      ]);
    }
  });
});
