/** The rows of the REST interface for tests: their names, the fields that they run, and requests built from inputs. */
import { Kind } from "graphql";
import { toSnake } from "../../src/lib/case.js";
import { type ResourceRow, variantsOf } from "../../rest/adapter/row.js";
import { operationOf } from "../../rest/adapter/execute.js";
import { table } from "../../rest/table.js";
import { READS } from "../../src/resources/permissions.js";
import type { Answer, Client, Params, Value } from "./client.js";
import type { Input } from "./recipes.js";

/** A row by its name, and the parameter that chooses it where it has no path of its own. */
export type NamedRow = [name: string, row: ResourceRow, chosen: Params];

/** The field of the schema that a row runs. */
export function fieldOf({ document }: ResourceRow): string {
  const [field] = operationOf(document).selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : "";
}

/** Every row, those that a parameter chooses too. */
export const rows: readonly NamedRow[] = table.flatMap((row) =>
  variantsOf(row).map((each): NamedRow => {
    const word = Object.entries(row.choice?.others ?? {}).find(([, other]) => other === each)?.[0];
    const chosen: Params = word === undefined ? {} : { [row.choice?.parameter ?? ""]: word };
    return [`${row.method} ${row.path}${word === undefined ? "" : ` (${word})`}`, each, chosen];
  }),
);

/** The row of this name. @throws Error when there is none */
export function rowOf(name: string): NamedRow {
  const found = rows.find(([each]) => each === name);
  if (!found) throw new Error(`there is no row ${name}`);
  return found;
}

/** Whether the row's operation is a query: showing a dmail is a mutation, since it marks it as read. */
export const isRead = ([, row]: NamedRow): boolean => Object.hasOwn(READS, fieldOf(row));

/** Required parameters of reads, by name. */
export const ASKED: Record<string, Params> = {
  "GET /related_tag": { query: "sea" },
  "GET /autocomplete": { search: { query: "se" } },
  "GET /tags/autocomplete": { search: { query: "se" } },
};

/** Input of GraphQL as REST spells it. */
export function spelled(value: unknown): Value {
  if (typeof value === "string" && /^[A-Z]+$/.test(value)) return value.toLowerCase();
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Blob)
    return value as Value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [toSnake(name), spelled(each)]));
}

/** The parts of a request. */
export interface Request {
  /** without the extension */
  path: string;
  /** without the brackets of the resource */
  attributes: Params;
}

/** The row with the input: what the path names stands there. */
export function requestOf(row: ResourceRow, input: Input): Request {
  const attributes = spelled(input) as Params;
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => {
    const id = Number(attributes[name]);
    delete attributes[name];
    return String(id);
  });
  return { path, attributes };
}

/** Sends parameters by the row's method: in the query, or in the body. */
export function sendTo(client: Client, { method }: ResourceRow, path: string, params: Params): Promise<Answer> {
  return client[method.toLowerCase() as "get" | "post" | "put" | "delete"](path, params);
}

/** Sends the row with the input, the attributes in the resource's brackets. */
export function send(row: ResourceRow, client: Client, input: Input): Promise<Answer> {
  const { path, attributes } = requestOf(row, input);
  const isBare = row.method === "GET" || Object.keys(attributes).length === 0;
  return sendTo(client, row, `${path}.json`, isBare ? attributes : { [row.resource]: attributes });
}

/** The database's table of a row's records: named as the listing, but for files. */
export const tableOf = ({ plural }: ResourceRow): string => (plural === "media_assets" ? "media_files" : plural);
