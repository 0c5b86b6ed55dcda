/** A row of the table: one operation of the REST interface, as data. Its GraphQL document defines what it does and returns. */
import { type DocumentNode, Kind, parse, visit } from "graphql";
import { type Properties, toPascal } from "../openapi/schema.js";
import { lowerFirst, toCamel, upperFirst } from "../../src/lib/case.js";
import { failure } from "../../src/errors.js";
import { own, type Params } from "./params.js";

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
  /** for a GET with a mutation: the row that responds to HEAD, which changes nothing */
  head?: ResourceRow | undefined;
  /** other listings of the path */
  choice?: Choice;
  /** escape hatch: changes a record before it is sent */
  view?: View;
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

/**
 * A row as written: with its document, or with the field of the root type that returns whole records. Documents name fields as responses
 * do, in snake_case: `post_id` is `postId` of the schema. A field with another name in responses has that one as its alias.
 */
type WrittenRow = Omit<Row, "document"> & ({ document: string } | { field: string });

interface ResourceOptions {
  /** the selection on a record, for rows that name a field */
  fields?: string;
  /** the type of the records, if it isn't named as the resource */
  type?: string;
  /** the type of their search, if it isn't named after theirs */
  search?: string;
  plural?: string;
  /** of all rows */
  view?: View;
}

/** The rows of one resource. */
export const resource = (name: string, options: ResourceOptions, rows: readonly WrittenRow[]): ResourceRow[] =>
  rows.map((row) => {
    const { plural = `${name}s`, view } = options;
    const text = "document" in row ? row.document : documentOf(row, { type: toPascal(name), ...options });
    return { ...row, document: readDocument(text), resource: name, plural, ...(view ? { view } : {}) };
  });

const readDocument = (text: string): DocumentNode =>
  visit(parse(text, { noLocation: true }), {
    [Kind.FIELD]: ({ name, alias = name, ...field }) => {
      const value = toCamel(name.value);
      return value === alias.value ? undefined : { ...field, alias, name: { ...name, value } };
    },
  });

/** The rows of a resource with a list and single records, which are read by root fields of the same names; and further ones. */
export const readable = (name: string, options: ResourceOptions, rows: readonly WrittenRow[] = []): ResourceRow[] => {
  const { plural = `${name}s` } = options;
  const list: WrittenRow = { method: "GET", path: `/${plural}`, field: toCamel(plural) };
  const one: WrittenRow = { method: "GET", path: `/${plural}/:id`, field: toCamel(name) };
  return resource(name, options, [list, one, ...rows]);
};

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type FieldRow = Pick<Row, "method" | "path"> & { field: string };

/**
 * The document of a row that returns whole records: the row names a field of the root type, its resource the fields of a record, and
 * the rest follows from method and path. A mutation of one `$input`, a query of a record by its id, or a listing.
 */
function documentOf(
  row: FieldRow,
  { type, fields, search = `${type}Search` }: ResourceOptions & { type: string },
): string {
  const { method, path, field } = row;
  const named = nameOf(row);
  if (method !== "GET") return mutationOf(named, field, `${lowerFirst(type)} { ${fields} }`);
  if (path.endsWith("/:id")) return `query ${named}($id: Int!) { ${field}(id: $id) { ${fields} } }`;
  const variables = `$search: ${search}, $limit: Int, $page: String`;
  return `query ${named}(${variables}) { ${field}(search: $search, first: $limit, page: $page) { nodes { ${fields} } } }`;
}

/** The document of a mutation of one `$input`. @param selection on its payload @param input the type of its input */
export const mutationOf = (
  name: string,
  field: string,
  selection: string,
  input = `${upperFirst(field)}Input`,
): string => `mutation ${name}($input: ${input}!) { ${field}(input: $input) { ${selection} } }`;

const ACTIONS: Readonly<Record<Method, string>> = { GET: "Show", POST: "Create", PUT: "Update", DELETE: "Delete" };

/** `NotesUpdate` for `PUT /notes/:id`, `NotesRevert` for `PUT /notes/:id/revert`; the operation's id in `/openapi.json`. */
function nameOf({ method, path }: FieldRow): string {
  const [first = "", ...rest] = path.split("/").slice(1);
  const last = rest.at(-1);
  const isIndex = method === "GET" && last === undefined;
  const action = last?.startsWith(":") === false ? last : isIndex ? "Index" : ACTIONS[method];
  return [first, action].map(toPascal).join("");
}

/** Whether a row creates a record that has a path of its own. */
export function creating(rows: readonly ResourceRow[]): (row: ResourceRow) => boolean {
  const shown = new Set(rows.filter(({ method }) => method === "GET").map(({ path }) => path));
  return ({ method, path }) => method === "POST" && shown.has(`${path}/:id`);
}

/** The row and those that a request may choose instead. */
export const variantsOf = (row: ResourceRow): ResourceRow[] => [row, ...Object.values(row.choice?.others ?? {})];

/**
 * The chosen row; without the parameter, or with a blank one, the row itself.
 * @throws BoardError 424 for an unknown value
 */
export function chosenRow(row: ResourceRow, params: Params): ResourceRow {
  if (!row.choice) return row;
  const { parameter, own: ownWord, others } = row.choice;
  const given = own(params, parameter) ?? "";
  const word = typeof given === "string" ? given.trim().toLowerCase() : null;
  if (word === "" || word === ownWord) return row;
  const other = word !== null && Object.hasOwn(others, word) ? others[word] : undefined;
  if (other) return other;
  throw failure("invalid_choice", { parameter, choices: [ownWord, ...Object.keys(others)].join(", ") });
}
