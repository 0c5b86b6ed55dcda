/** A row of the table: one operation of the REST interface, as data. The GraphQL document is what it does and answers. */
import type { DocumentNode } from "graphql";
import type { Properties } from "../openapi/schema.js";

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

/** The rows of one resource. */
export const resource = (name: string, rows: Row[], plural = `${name}s`): ResourceRow[] =>
  rows.map((row) => ({ ...row, resource: name, plural }));
