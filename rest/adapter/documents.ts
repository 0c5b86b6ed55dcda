/**
 * The documents of rows that return whole records: the row names a field of the root type, its resource the fragment of a
 * record, and the rest follows from method and path.
 */
import { type DocumentNode, type FragmentDefinitionNode, Kind, parse } from "graphql";
import { lowerFirst, toCamel, upperFirst } from "../../src/lib/case.js";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface FieldRow {
  method: Method;
  path: string;
  field: string;
}

/**
 * A mutation of one `$input`, a query of a record by its id, or a listing.
 * @param record the fragment of a record, followed by those that it needs
 * @param search the type of a listing's search, if it isn't named after the records'
 */
export function documentOf(row: FieldRow, record: DocumentNode, search?: string): DocumentNode {
  const fragment = record.definitions[0] as FragmentDefinitionNode;
  const operation = parse(operationText(row, fragment, search), { noLocation: true });
  return { kind: Kind.DOCUMENT, definitions: [...operation.definitions, ...record.definitions] };
}

function operationText(
  row: FieldRow,
  { name, typeCondition }: FragmentDefinitionNode,
  search = `${typeCondition.name.value}Search`,
): string {
  const { method, path, field } = row;
  const type = typeCondition.name.value;
  const fields = `{ ...${name.value} }`;
  const named = nameOf(row);
  if (method !== "GET") {
    const input = `${upperFirst(field)}Input!`;
    return `mutation ${named}($input: ${input}) { ${field}(input: $input) { ${lowerFirst(type)} ${fields} } }`;
  }
  if (path.endsWith("/:id")) return `query ${named}($id: Int!) { ${field}(id: $id) ${fields} }`;
  const variables = `$search: ${search}, $limit: Int, $page: String`;
  return `query ${named}(${variables}) { ${field}(search: $search, first: $limit, page: $page) { nodes ${fields} } }`;
}

const ACTIONS: Readonly<Record<Method, string>> = { GET: "Show", POST: "Create", PUT: "Update", DELETE: "Delete" };

/** `NotesUpdate` for `PUT /notes/:id`, `NotesRevert` for `PUT /notes/:id/revert`; the operation's id in `/openapi.json`. */
function nameOf({ method, path }: FieldRow): string {
  const [resource = "", ...rest] = path.split("/").slice(1);
  const last = rest.at(-1);
  const isIndex = method === "GET" && last === undefined;
  const action = last?.startsWith(":") === false ? last : isIndex ? "Index" : ACTIONS[method];
  return [resource, action].map((word) => upperFirst(toCamel(word))).join("");
}
