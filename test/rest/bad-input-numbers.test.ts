/** Every row of the REST interface with unknown ids, pages beyond the limit, and bodies that can't be read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Field, nameOf, parametersOf, TOO_LARGE, typeOf, withValue } from "../support/bad-parameters.js";
import { having, isQuery, type Matrix, MAX_BODY, startMatrix } from "../support/matrix.js";
import { expectRefusals, type Expected, faulty } from "../support/refusal-matrix.js";
import { rows } from "../support/rest-rows.js";

let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix();
}, 60_000);
afterAll(() => matrix[Symbol.asyncDispose]());

const NOT_FOUND: Expected = { status: 404, reason: "not found" };
const doesNotExist = (field: string): Expected => faulty(420, field, "does not exist");

describe("an unknown id in the path is 404", () => {
  const NOWHERE = ["2000000000", "0", "1.5", "0x1", "one", "%00", ...TOO_LARGE];

  it.each(rows.filter(([, { path }]) => path.includes(":")))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const at = (id: string) => ({ ...asked, path: asked.row.path.replace(/:\w+/, id) });
    await expectRefusals(
      matrix.test,
      NOWHERE.map((id) => matrix.refusalOf(id.slice(0, 30), at(id), NOT_FOUND)),
    );
  });
});

/** What is said of a number of nothing in a parameter; null where the number is compared only. */
const UNKNOWN: Record<string, Expected | null> = {
  "artist[version_id]": NOT_FOUND,
  "artist_commentary[post_id]": doesNotExist("post"),
  "artist_commentary[version_id]": NOT_FOUND,
  "comment[post_id]": doesNotExist("post"),
  "dmail[to_id]": doesNotExist("to_id"),
  "favorite[post_id]": NOT_FOUND,
  "favorite_group[post_id]": NOT_FOUND,
  "favorite_group[post_ids]": faulty(420, "post_ids", "contains posts that do not exist: 2000000000"),
  "favorite_group[version_id]": NOT_FOUND,
  "forum_post[topic_id]": doesNotExist("topic"),
  "note[post_id]": doesNotExist("post"),
  "note[version_id]": NOT_FOUND,
  "pool[post_ids]": faulty(420, "post_ids", "contains posts that do not exist: 2000000000"),
  "pool[version_id]": NOT_FOUND,
  "post[old_parent_id]": null,
  "post[other_post_id]": NOT_FOUND,
  "post[parent_id]": doesNotExist("parent"),
  "post[version_id]": NOT_FOUND,
  "post_appeal[post_id]": NOT_FOUND,
  "post_flag[post_id]": NOT_FOUND,
  "upload[parent_id]": doesNotExist("parent"),
  "wiki_page[version_id]": NOT_FOUND,
};

describe("an unknown id in a parameter is 404, or 420 if the record would refer to it", () => {
  const namesRecords = ({ path }: Field): boolean => path[0] !== "search" && /_ids?$/.test(path.at(-1) ?? "");
  const isNumber = (field: Field): boolean => ["Int", "[Int!]"].includes(typeOf(field)) && namesRecords(field);

  it("is declared for every parameter", () => {
    const fields = rows.flatMap(([, row]) => parametersOf(row).filter(isNumber));
    expect(Object.keys(UNKNOWN)).toEqual([...new Set(fields.map(({ path }) => nameOf(path)))].sort());
  });

  it.each(having(isNumber))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const fields = parametersOf(asked.row).filter(isNumber);
    const refusals = fields.flatMap(({ path }) => {
      const expected = UNKNOWN[nameOf(path)];
      const params = withValue(asked.params, path, "2000000000");
      return expected ? [matrix.refusalOf(nameOf(path), { ...asked, params }, expected)] : [];
    });
    // from the moment that a file is at hand, an upload leaves its own row
    await expectRefusals(matrix.test, refusals, asked.row.path === "/uploads" ? ["uploads"] : []);
  });
});

describe("a body that is too large or invalid is 424", () => {
  it.each(rows.filter(([, row]) => !isQuery(row)))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const { row, path, params } = asked;
    const large = { ...asked, params: { ...params, rest: "x".repeat(MAX_BODY) } };
    const init = { method: row.method, headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ ...params, end: "" }).slice(0, -1);
    await expectRefusals(matrix.test, [
      matrix.refusalOf("too large", large, {
        status: 424,
        reason: `the request body is larger than ${MAX_BODY} bytes`,
      }),
      {
        name: "cut off",
        send: (extension) => matrix.admin.client.send(`${path}${extension}`, { ...init, body }),
        status: 424,
        reason: "the request body is malformed",
      },
    ]);
  });
});

describe("a page number over the limit is 424", () => {
  it.each(having(({ path }) => nameOf(path) === "page"))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const expected = faulty(424, "page", "must be at most 1000; use page=b<id> to go further back");
    const refusals = ["1001", "2147483648"].map((page) =>
      matrix.refusalOf(page, { ...asked, params: { ...asked.params, page } }, expected),
    );
    await expectRefusals(matrix.test, refusals);
  });
});
