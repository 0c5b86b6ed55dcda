/** Every row of the REST interface without its required parameters, and with parameters of the wrong type. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { isBracketed } from "../../rest/adapter/row.js";
import type { Params, Value } from "../support/client.js";
import {
  type Field,
  isRequired,
  lackedBy,
  nameOf,
  parametersOf,
  typeOf,
  withValue,
  wrongValuesOf,
} from "../support/bad-parameters.js";
import { type Asked, having, isQuery, type Matrix, startMatrix } from "../support/matrix.js";
import { rowOf, rows } from "../support/rest-rows.js";
import { expectRefusals, type Expected, faulty, type Refusal } from "../support/refusal-matrix.js";

let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix();
}, 60_000);
afterAll(() => matrix[Symbol.asyncDispose]());

const required = (name: string): Expected => faulty(424, name, "is required");
const NO_FILE = faulty(424, "upload[file]", "or upload[source] is required");
const isText = (field: Field): boolean => typeOf(field) === "String";

/** Requests without the parameter: in the brackets of the resource, beside them, as null, and as a blank. */
function missing(asked: Asked, field: Field): Refusal[] {
  const { row, params } = asked;
  const [name, lacked] = [nameOf(field.path), lackedBy(field)];
  const refused = required(nameOf(lacked));
  const without = (value?: Value): Asked => ({ ...asked, params: withValue(params, field.path, value) });
  const blanks = isText(field) ? [] : [matrix.refusalOf(`${name} blank`, without(" "), refused)];
  if (isQuery(row)) return [matrix.refusalOf(name, without(), refused), ...blanks];
  const beside: Asked = { ...asked, params: without().params[row.resource] as Params };
  const isOnly = isBracketed(row) && Object.values(beside.params).every((value) => value === undefined);
  return [
    matrix.refusalOf(name, without(), refused, "json"),
    matrix.refusalOf(`${name} null`, without(null), refused, "json"),
    matrix.refusalOf(`${name} beside`, beside, required(nameOf(isOnly ? lacked : lacked.slice(1))), "json"),
    ...blanks,
  ];
}

describe("a required parameter that is missing is 424", () => {
  it.each(having(isRequired))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const fields = parametersOf(asked.row).filter(isRequired);
    await expectRefusals(
      matrix.test,
      fields.flatMap((field) => missing(asked, field)),
    );
  });
});

const WRONG: Expected = { status: 403, reason: "authentication failed" };
const NO_RECOVERY: Expected = { status: 403, reason: "the recovery token is wrong, was used before or has expired" };

/** Blank texts that there is another rule for, of one row or of all; null where they are taken. */
const BLANK_TEXTS: Record<string, Expected | null> = {
  "DELETE /users/:id user[password]": WRONG,
  "POST /users/recover user[token]": NO_RECOVERY,
  "PUT /users/:id/api_key user[password]": WRONG,
  "PUT /users/:id/password user[old_password]": WRONG,
  // becomes "(empty)"
  "note[body]": null,
  // gives tagme
  "upload[tag_string]": null,
  // nothing of an artist is marked as required
  "artist[name]": faulty(420, "name", "can't be blank"),
  "user[name]": faulty(420, "name", "is too short (at least 2 characters)"),
  "user[password]": faulty(420, "password", "is too short (at least 8 characters)"),
  "session[name]": WRONG,
  "session[password]": WRONG,
};

describe("a blank required text is 424", () => {
  const mayNot = (field: Field): boolean =>
    isRequired(field) && isText(field) && BLANK_TEXTS[nameOf(field.path)] !== null;

  it.each(having(mayNot))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const blanks = parametersOf(asked.row)
      .filter(mayNot)
      .flatMap((field) =>
        ["", " \n "].map((value) => {
          const name = nameOf(field.path);
          const blank = { ...asked, params: withValue(asked.params, field.path, value) };
          const expected = BLANK_TEXTS[`${named[0]} ${name}`] ?? BLANK_TEXTS[name] ?? required(name);
          return matrix.refusalOf(`${name}=${JSON.stringify(value)}`, blank, expected);
        }),
      );
    await expectRefusals(matrix.test, blanks);
  });
});

/** What a row does not work without, though no parameter of it is required by its type. */
const NEEDED: [row: string, what: string, attributes: Params, expected: Expected][] = [
  ["POST /uploads", "no rating", { source: "https://a.example/", tag_string: "sea" }, required("upload[rating]")],
  ["POST /uploads", "neither file nor source", { rating: "s", tag_string: "sea" }, NO_FILE],
  ["POST /uploads", "a text for the file", { rating: "s", tag_string: "sea", file: "text" }, NO_FILE],
  ["POST /dmails", "no recipient", { title: "Ahoy", body: "!" }, faulty(420, "to_name", "can't be blank")],
  ["POST /dmails", "no title", { to_name: "$bystander", body: "!" }, faulty(420, "title", "can't be blank")],
  ["POST /dmails", "no text", { to_name: "$bystander", title: "Ahoy" }, faulty(420, "body", "can't be blank")],
];

describe("a write is refused", () => {
  it.each(NEEDED)("%s with %s", async (name, what, attributes, expected) => {
    const [, row] = rowOf(name);
    const { bystander } = matrix.stage;
    const filled = Object.entries(attributes).map(([key, value]) => [
      key,
      value === "$bystander" ? bystander.name : value,
    ]);
    const params = { [row.resource]: Object.fromEntries(filled) as Params };
    await expectRefusals(matrix.test, [matrix.refusalOf(what, { row, path: row.path, params }, expected)]);
  });
});

describe("an unknown word for an enum is 424", () => {
  it.each(rows.filter(([, row]) => row.choice))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const { parameter = "", own = "", others = {} } = asked.row.choice ?? {};
    const expected = faulty(424, parameter, `must be one of ${[own, ...Object.keys(others)].join(", ")}`);
    const wrong = ["nonsense", ["post"], { a: "post" }].map((value) =>
      matrix.refusalOf(JSON.stringify(value), { ...asked, params: { ...asked.params, [parameter]: value } }, expected),
    );
    await expectRefusals(matrix.test, wrong);
  });
});

describe("a parameter of the wrong type is 424", () => {
  const isTyped = (field: Field): boolean => wrongValuesOf(field).length > 0;

  it.each(having(isTyped))("%s", async (...named) => {
    const asked = await matrix.soundOf(named);
    const wrong = parametersOf(asked.row).flatMap((field) =>
      wrongValuesOf(field).map(({ value, message }) => {
        const name = nameOf(field.path);
        const params = withValue(asked.params, field.path, value);
        const expected = faulty(424, name, message);
        return matrix.refusalOf(`${name}=${JSON.stringify(value).slice(0, 30)}`, { ...asked, params }, expected);
      }),
    );
    await expectRefusals(matrix.test, wrong);
  });

  /** Parameters that are texts, and are read as something else. */
  it.each(["yesterday", "2026-13-01", "2026-02-30", "0000-01-01", "12"])(
    "GET /explore/posts/popular: date=%s",
    async (date) => {
      const [named] = having(({ path }) => nameOf(path) === "date");
      if (!named) throw new Error("no row takes a date");
      const asked = { ...(await matrix.soundOf(named)), params: { date } };
      await expectRefusals(matrix.test, [matrix.refusalOf(date, asked, faulty(424, "date", "is invalid"))]);
    },
  );
});
