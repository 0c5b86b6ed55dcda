/** A row of the table: one operation of the REST interface, as data. Its GraphQL document defines what it does and returns. */
import type { DocumentNode } from "graphql";
import type { Properties } from "../openapi/schema.js";
import { toCamel } from "../../src/lib/case.js";
import { documentOf, type Method } from "./documents.js";

export type Json = Record<string, unknown>;

/** Changes a record before it is sent. One that adds, removes or retypes fields declares so, for `/openapi.json`. */
export interface View {
  (record: Json): Json;
  /** the properties of its result, from those of its input */
  describe?: (properties: Properties) => Properties;
}

/** Listings of one path that a parameter chooses among. */
export interface Choice {
  parameter: string;
  /** the parameter's value for the row itself */
  own: string;
  /** the rows for other values; any further value is a 424 */
  others: Readonly<Record<string, ResourceRow>>;
}

export interface Row {
  /** a GET may have a mutation, if showing changes something, and responds like a read nevertheless */
  method: Method;
  /** without the extension; `:id` and `:..._id` are numbers */
  path: string;
  /** the parameter (`title`) that receives a name given in place of `:id` */
  idOr?: string;
  /** for a create whose attributes clients send outside of the brackets, as those of actions */
  isFlat?: boolean;
  /** keys of the search that may also be outside of `search[...]` */
  bare?: readonly string[];
  document: DocumentNode;
  /** other listings of the path */
  choice?: Choice;
  /** escape hatch: changes a record before it is sent */
  view?: View;
  /** escape hatch: another status than 200 */
  status?: number;
}

export interface ResourceRow extends Row {
  /** singular name: element of a record in XML, and bracket name of its attributes in bodies (`post[rating]`) */
  resource: string;
  /** root element of a listing in XML */
  plural: string;
}

/** Whether clients are told to send the attributes in the resource's brackets: those of creates and updates, but not of actions. */
export const isBracketed = ({ path, plural, method, isFlat = false }: ResourceRow): boolean =>
  (path === `/${plural}` && !isFlat) ||
  path.endsWith("/create_or_update") ||
  (method === "PUT" && path.endsWith("/:id"));

/** A row as written: with its document, or with the field of the root type that returns whole records. */
export type WrittenRow = Row | (Omit<Row, "document"> & { field: string });

interface ResourceOptions {
  /** the fragment of a record, for rows that name a field */
  record?: DocumentNode;
  /** the type of their search, if it isn't named after the records' */
  search?: string;
  plural?: string;
  /** of all rows */
  view?: View;
}

/** The rows of one resource. @throws TypeError for a row with a field and no record */
export const resource = (
  name: string,
  { record, search, plural = `${name}s`, view }: ResourceOptions,
  rows: readonly WrittenRow[],
): ResourceRow[] =>
  rows.map((row) => {
    const common = { resource: name, plural, ...(view ? { view } : {}) };
    if ("document" in row) return { ...row, ...common };
    if (!record) throw new TypeError(`${row.method} ${row.path} names a field of no record`);
    const { field: _, ...rest } = row;
    return { ...rest, document: documentOf(row, record, search), ...common };
  });

/** The rows of a resource with a list and single records, which are read by root fields of the same names; and further ones. */
export const readable = (name: string, options: ResourceOptions, rows: readonly WrittenRow[] = []): ResourceRow[] => {
  const { plural = `${name}s` } = options;
  const list: WrittenRow = { method: "GET", path: `/${plural}`, field: toCamel(plural) };
  const one: WrittenRow = { method: "GET", path: `/${plural}/:id`, field: toCamel(name) };
  return resource(name, options, [list, one, ...rows]);
};
