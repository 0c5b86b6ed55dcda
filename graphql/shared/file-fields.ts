/** The root fields of a document, which of them accept a file, and whether the viewer may call them: known before any file is read. */
import {
  type DocumentNode,
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLScalarType,
  type GraphQLSchema,
  isInputObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { GraphQLUpload, Upload } from "graphql-upload-minimal";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { requireAccess } from "./access.js";
import { scalar } from "./fields.js";
import type { ReceivedFile } from "../../src/resources/uploads/media-ingest.js";

export type RootField = GraphQLField<unknown, unknown>;

/** The root fields of a document that have a file in one of their arguments. */
export const fileFieldsOf = (schema: GraphQLSchema, document: DocumentNode): RootField[] =>
  rootFieldsOf(schema, document).filter(({ args }) => args.some(({ type }) => holdsFile(type)));

export function rootFieldsOf(schema: GraphQLSchema, document: DocumentNode): RootField[] {
  const found = new Set<RootField>();
  const roots = new Set([schema.getQueryType(), schema.getMutationType()]);
  const types = new TypeInfo(schema);
  const enter = () => {
    const field = types.getFieldDef();
    const parent = types.getParentType();
    if (field && roots.has(parent as never)) found.add(field);
  };
  visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  return [...found];
}

function holdsFile(type: GraphQLInputType, seen = new Set<GraphQLInputType>()): boolean {
  const named = getNamedType(type);
  if (isFile(named)) return true;
  if (!isInputObjectType(named) || seen.has(named)) return false;
  seen.add(named);
  return Object.values(named.getFields()).some((field) => holdsFile(field.type, seen));
}

export const isFile = ({ name }: { name: string }): boolean => name === FileScalar.name;

/** The checks of all of these fields, as their resolvers have them. @throws BoardError 403 */
export function requireAccessTo(fields: readonly RootField[], viewer: Viewer): void {
  for (const field of fields) requireAccess(field, viewer);
}

/** The scalar of the multipart request specification; `Upload`, its usual name, is a record of this board. */
export const FileScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  name: "File",
  description: "A file, sent by the GraphQL multipart request specification.",
});

/** The value of the scalar's promise. */
export interface FileUpload {
  received: ReceivedFile;
}

export const file = scalar<Promise<FileUpload>>(FileScalar);

/** The scalar's value for a received file. */
export const toUpload = (received: ReceivedFile): Upload =>
  Object.assign(new Upload(), { promise: Promise.resolve({ received } satisfies FileUpload) });
