/** A row of the table: one operation of the REST interface, as data. The GraphQL document is what it does and answers. */
import type { DocumentNode } from "graphql";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Json = Record<string, unknown>;

export interface Row {
  method: Method;
  /** without the extension; `:id` and `:..._id` are numbers */
  path: string;
  document: DocumentNode;
  /** escape hatch: the record's last change before it is answered */
  view?: (record: Json) => Json;
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
