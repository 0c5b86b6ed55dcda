/** A board for tests of all rows of the REST interface, and valid requests in which a test makes one thing invalid. */
import type { ResourceRow } from "../../rest/adapter/row.js";
import { startBoard, type TestBoard } from "./board.js";
import { type Field, parametersOf } from "./bad-parameters.js";
import type { Params } from "./client.js";
import type { TestUser } from "./factory.js";
import { UNLIMITED } from "./permission-walk.js";
import { type Recipe, recipesOn } from "./recipes.js";
import type { Expected, Extension, Refusal } from "./refusal-matrix.js";
import { ASKED, fieldOf, type NamedRow, type Request, requestOf, rows, sendTo } from "./rest-rows.js";
import { startSite } from "./site.js";
import { makeStage, type Stage } from "./stage.js";

/** Bytes of the largest body: room for every text at its limit, and less to send than the usual mebibyte. */
export const MAX_BODY = 400_000;

/** A request of a row. */
export interface Asked {
  row: ResourceRow;
  /** without the extension */
  path: string;
  params: Params;
}

export interface Matrix extends AsyncDisposable {
  test: TestBoard;
  stage: Stage;
  recipes: Record<string, Recipe>;
  /** whose rights are no reason for a refusal */
  admin: TestUser;
  /** A valid request of the row, on a record of the Admin unless another owner is requested. */
  soundOf: (named: NamedRow, by?: TestUser) => Promise<Asked>;
  /** The Admin's request in both formats, its parameters as a query or form, or as a body of JSON. */
  refusalOf: (name: string, asked: Asked, expected: Expected, how?: "form" | "json") => Refusal;
}

export async function startMatrix(): Promise<Matrix> {
  const site = await startSite();
  const test = await startBoard({ SOURCE_ALLOW_HOSTS: site.host, MAX_BODY_BYTES: String(MAX_BODY), ...UNLIMITED });
  const stage = await makeStage(test);
  const recipes = recipesOn(stage, site);
  const admin = await test.make.user("Admin");
  return {
    test,
    stage,
    recipes,
    admin,
    async soundOf([name, row, chosen], by = admin) {
      const recipe = recipes[fieldOf(row)];
      const input = recipe ? await recipe(by, by) : { id: 1, post_id: stage.records.posts };
      const request = requestOf(row, input);
      return { row, path: request.path, params: recipe ? inBrackets(row, request) : { ...ASKED[name], ...chosen } };
    },
    refusalOf(name, { row, path, params }, expected, how = "form") {
      const send = (extension: Extension) =>
        how === "form"
          ? sendTo(admin.client, row, `${path}${extension}`, params)
          : admin.client.json(row.method, `${path}${extension}`, params);
      return { name, send, ...expected };
    },
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

const inBrackets = ({ resource }: ResourceRow, { attributes }: Request): Params => ({ [resource]: attributes });

/** The rows that take a parameter of this kind. */
export const having = (is: (field: Field) => boolean): NamedRow[] =>
  rows.filter(([, row]) => parametersOf(row).some(is));

export const isQuery = ({ method }: ResourceRow): boolean => method === "GET";
