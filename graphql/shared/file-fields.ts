/** The root fields of an operation, which of them accept a file, and whether the viewer may call them: known before any file is read. */
import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLScalarType,
  type GraphQLSchema,
  isInputObjectType,
} from "graphql";
import { GraphQLUpload, Upload } from "graphql-upload-minimal";
import type { Viewer } from "../../src/runtime/auth/viewer.js";
import { requireAccess } from "./access.js";
import { scalar } from "./fields.js";
import { rootFields } from "./selections.js";
import type { ReceivedFile } from "../../src/resources/uploads/media-ingest.js";

export type RootField = GraphQLField<unknown, unknown>;

/** The root fields of an operation that have a file in one of their arguments. */
export const fileFieldsOf = (...operation: Parameters<typeof rootFieldsOf>): RootField[] =>
  rootFieldsOf(...operation).filter(({ args }) => args.some(({ type }) => holdsFile(type)));

/** @param operationName null for the only operation of the document */
export function rootFieldsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null = null,
): RootField[] {
  const operation = getOperationAST(document, operationName);
  const fields = operation && schema.getRootType(operation.operation)?.getFields();
  return rootFields(document, operationName).flatMap((name) => fields?.[name] ?? []);
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
  /** null once a mutation has used it */
  received: ReceivedFile | null;
}

export const file = scalar<Promise<FileUpload>>(FileScalar);

/** The scalar's value for a received file. */
export const toUpload = (received: ReceivedFile): Upload =>
  Object.assign(new Upload(), { promise: Promise.resolve({ received } satisfies FileUpload) });
