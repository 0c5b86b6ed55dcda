/** A row of the table: one operation of the REST interface, as data. Its GraphQL document is what it does and answers. */
import type { DocumentNode } from "graphql";
import type { Properties } from "../openapi/schema.js";
import { documentOf } from "./documents.js";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Json = Record<string, unknown>;

/** A record's last change before it is answered. One that adds, drops or retypes fields says so, for `/openapi.json`. */
export interface View {
  (record: Json): Json;
  /** the properties of what it answers, out of those of what it gets */
  describe?: (properties: Properties) => Properties;
}

/** Listings of one path that a parameter chooses among. */
export interface Choice {
  parameter: string;
  /** the word for the row itself */
  own: string;
  /** the rows for the other words; any further word is a 424 */
  others: Readonly<Record<string, ResourceRow>>;
}

export interface Row {
  /** a GET may have a mutation for a document, where showing changes something, and answers as a read all the same */
  method: Method;
  /** without the extension; `:id` and `:..._id` are numbers */
  path: string;
  /** what is no number in the place of `:id` is a name, and goes into this parameter (`title`) */
  idOr?: string;
  /** keys of the search that may also stand outside of `search[...]` */
  bare?: readonly string[];
  document: DocumentNode;
  /** what else the path lists */
  choice?: Choice;
  /** escape hatch: the record's last change before it is answered */
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

/** A row as it is written: with its document, or with the field of the root type that answers with whole records. */
export type WrittenRow = Row | (Omit<Row, "document"> & { field: string });

interface ResourceOptions {
  /** the fragment of a record, for rows that name a field */
  record?: DocumentNode;
  plural?: string;
}

/** The rows of one resource. @throws TypeError for a row with a field and no record */
export const resource = (
  name: string,
  { record, plural = `${name}s` }: ResourceOptions,
  rows: readonly WrittenRow[],
): ResourceRow[] =>
  rows.map((row) => {
    if ("document" in row) return { ...row, resource: name, plural };
    if (!record) throw new TypeError(`${row.method} ${row.path} names a field of no record`);
    const { field: _, ...rest } = row;
    return { ...rest, document: documentOf(row, record), resource: name, plural };
  });
