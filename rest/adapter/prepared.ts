/** Prepares each row once, and turns the result of a read into the text of a response. */
import { type GraphQLSchema, OperationTypeNode } from "graphql";
import type { GraphQLContext } from "../../graphql/context.js";
import { fileFieldsOf, requireAccessTo, type RootField, rootFieldsOf } from "../../graphql/shared/file-fields.js";
import { splitAtRoot, withStamps } from "../../graphql/posts/split.js";
import { failure } from "../../src/errors.js";
import { andThen, type MaybePromise } from "../../src/lib/maybe-promise.js";
import { pausedMap } from "../../src/lib/paused-map.js";
import { type Frame, framed, framedParts, Pieces } from "../../src/lib/pieces.js";
import { creating, isBracketed, type Json, type ResourceRow, variantsOf } from "./row.js";
import { coerceVariables } from "./coerce.js";
import type { Format } from "./envelope.js";
import { compile, operationOf, rootValue, type Run, type Variables } from "./execute.js";
import { isNesting, onlyOf, own, type Params, pick } from "./params.js";
import { PostTexts } from "./post-texts.js";
import { restSchema } from "./schema.js";
import { unknownKeys } from "./search-keys.js";
import { recordShapeOf, type Shape, shapeOf } from "./shape.js";
import { documentXml, listXml, recordXml } from "./xml.js";

/** A prepared row: the compiled document, and the shape of its response. */
export interface Prepared {
  row: ResourceRow;
  schema: GraphQLSchema;
  /** whether it returns a mutation's payload, with the record in it */
  hasPayload: boolean;
  /** whether it creates a record that has a path of its own */
  isCreate: boolean;
  run: Run;
  /** for a read that returns only posts: makes their texts from the unfinished posts of `run` */
  posts: PostTexts | null;
  /** the root fields of its document, and those that accept a file */
  rootFields: readonly RootField[];
  fileFields: readonly RootField[];
  shape: Shape;
  /** lists the unknown keys of a request's search; null for none */
  unknownKeys: (params: Params) => string | null;
}

/** The rows and those that respond instead, each prepared on first use. */
export type PreparedRows = ReadonlyMap<ResourceRow, () => Prepared>;

export function prepareRows(schema: GraphQLSchema, rows: readonly ResourceRow[]): PreparedRows {
  const spelled = withStamps(restSchema(schema));
  const isCreate = creating(rows);
  const all = rows.flatMap((row) => [...variantsOf(row), ...(row.head ? [row.head] : [])]);
  return new Map(all.map((row) => [row, lazily(() => prepare(spelled, row, isCreate(row)))]));
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function prepare(schema: GraphQLSchema, row: ResourceRow, isCreate: boolean): Prepared {
  const { document } = row;
  const hasPayload = operationOf(document).operation === OperationTypeNode.MUTATION;
  const shape = shapeOf(schema, document);
  const split = row.method === "GET" ? splitAtRoot(schema, document) : null;
  return {
    row,
    schema,
    hasPayload,
    isCreate,
    run: compile(schema, split?.outer ?? document),
    posts: split && new PostTexts({ schema, document: split.inner, row, shape: shape.fields?.nodes ?? shape }),
    rootFields: rootFieldsOf(schema, document),
    fileFields: fileFieldsOf(schema, document),
    shape: recordShapeOf(shape),
    unknownKeys: unknownKeys(schema, operationOf(document)),
  };
}

export interface Asked {
  /** query and body parameters, merged */
  params: Params;
  /** ids in the path */
  path: Params;
}

/** The variables of the row's document. @throws BoardError 424 */
const variablesOf = ({ row, schema }: Prepared, { params, path }: Asked): Variables =>
  coerceVariables(schema, operationOf(row.document), {
    params,
    path,
    scope: row.resource,
    isBracketed: isBracketed(row),
    bare: row.bare,
  });

/** Runs the row's document. @throws errors of its resolver; BoardError 403 before 424, 404 if the result is null */
export function documentAnswer(prepared: Prepared, context: GraphQLContext, asked: Asked): MaybePromise<Json> {
  requireAccessTo(prepared.rootFields, context.viewer);
  return andThen(prepared.run(context, variablesOf(prepared, asked)), (result) => {
    const omit = (error: Error) => context.log.warn({ err: error }, "field omitted");
    const value = rootValue(result, !prepared.hasPayload, omit);
    return found(prepared.hasPayload && isNesting(value) ? recordOf(value) : value);
  });
}

function found(value: unknown): Json {
  if (!isNesting(value)) throw failure("not_found");
  return value;
}

/** The text of a read's response. @throws BoardError 404 for a post that was removed meanwhile */
export function serialize(
  prepared: Prepared,
  value: Json,
  { params }: Asked,
  context: GraphQLContext,
  format: Format,
): MaybePromise<string | Pieces> {
  const { row, posts } = prepared;
  const only = onlyOf(params);
  const nodes = own(value, "nodes") as Json[] | undefined;
  if (posts) {
    return andThen(posts.of(nodes ?? [value], context, format, only), (pieces) => {
      if (!nodes && pieces.length === 0) throw failure("not_found");
      return new Pieces(framedParts(nodes ? listFrame(row, format, pieces.length) : recordFrame(format), pieces));
    });
  }
  // a list of posts may have ten thousand ids
  const texts = pausedMap(nodes ?? [value], (record) => recordText(prepared, pick(viewed(row, record), only), format));
  return andThen(texts, (all) => framed(nodes ? listFrame(row, format, all.length) : recordFrame(format), all));
}

const JSON_LIST = { head: "[", separator: ",", tail: "]" };
const JSON_RECORD = { head: "", separator: "", tail: "" };

const listFrame = ({ plural }: ResourceRow, format: Format, records: number): Frame =>
  format === "json" ? JSON_LIST : listXml(plural, records);
const recordFrame = (format: Format): Frame => (format === "json" ? JSON_RECORD : documentXml());

const recordText = ({ row, shape }: Prepared, record: Json, format: Format): string =>
  format === "json" ? JSON.stringify(record) : recordXml(row.resource, record, shape.fields?.nodes ?? shape);

export const viewed = (row: ResourceRow, record: Json): Json => (row.view ? row.view(record) : record);

/** A payload's record: its objects' fields and its own scalars on one level. */
function recordOf(payload: Json): Json {
  const record: Json = {};
  for (const [key, value] of Object.entries(payload)) {
    if (isNesting(value)) Object.assign(record, value);
    else record[key] = value;
  }
  return record;
}
