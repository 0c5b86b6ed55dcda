import { type DocumentNode, getOperationAST, type GraphQLSchema, OperationTypeNode } from "graphql";
import { isSignedIn } from "../../src/runtime/auth/viewer.js";
import { failure } from "../../src/errors.js";
import type { GraphQLContext } from "../context.js";
import { isOpenBeforeLogin } from "./access.js";
import { rootFields } from "./complexity.js";

/** An operation of a document, not yet validated. */
export interface ResolvedOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | null;
}

/**
 * Runs an operation if its sender may: a mutation by cookies must come from a page of this site, and with
 * REQUIRE_LOGIN visitors may use only the fields that are open before login.
 * @throws BoardError 403
 */
export function permitOperation(context: GraphQLContext, { schema, document, operationName }: ResolvedOperation): void {
  const kind = getOperationAST(document, operationName)?.operation ?? OperationTypeNode.QUERY;
  if (kind === OperationTypeNode.MUTATION) context.session.requireSameSite();
  if (!context.board.config.REQUIRE_LOGIN || isSignedIn(context.viewer)) return;
  const fields = schema.getRootType(kind)?.getFields() ?? {};
  const names = [...rootFields(document, operationName).values()];
  if (!names.every((name) => isOpenBeforeLogin(fields[name]))) throw failure("login_required");
}
