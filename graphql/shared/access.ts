/**
 * Who may run an operation, and the check before every root field: who may call it at all. It is stored in the schema's extensions,
 * where a test reads it; rights that depend on the record are decided by the policies in `src/resources`.
 */
import { type DocumentNode, getOperationAST, type GraphQLField, type GraphQLSchema, OperationTypeNode } from "graphql";
import { type AuthCheckerFn, Authorized, Extensions } from "type-graphql";
import { isOpenToVisitors, minimumOf } from "../../src/resources/permissions.js";
import { type MinimumLevel, requireLevel } from "../../src/resources/shared/policy.js";
import { isSignedIn, type Viewer } from "../../src/runtime/auth/viewer.js";
import type { GraphQLContext } from "../context.js";
import { failure } from "../../src/errors.js";
import { rootFields } from "./selections.js";

type Restricted = Exclude<MinimumLevel, "public">;

/**
 * Adds the check of a root field, which is in the table of permissions under the field's name.
 * @param beforeLogin whether visitors may call it on a board with REQUIRE_LOGIN, as signing in requires
 */
export const Permitted =
  ({ beforeLogin = false }: { beforeLogin?: boolean | undefined } = {}): MethodDecorator =>
  (target, name, descriptor) => {
    const access = minimumOf(String(name));
    Extensions({ access, isOpen: isOpenToVisitors(String(name)), ...(beforeLogin ? { beforeLogin } : {}) })(
      target,
      name,
      descriptor,
    );
    if (access !== "public") Authorized<Restricted>(access)(target, name, descriptor);
  };

/** Whether a root field is open to visitors of a board with REQUIRE_LOGIN. */
export const isOpenBeforeLogin = (field: GraphQLField<unknown, unknown> | undefined): boolean =>
  field?.extensions.beforeLogin === true;

/** Runs the check of a root field. @throws BoardError 403 */
export function requireAccess({ extensions }: { extensions: { access?: unknown } }, viewer: Viewer): void {
  const access = (extensions.access ?? "admin") as MinimumLevel;
  if (access !== "public") requireLevel(viewer, access);
}

/** Throws the 403 of the table instead of type-graphql's own error. */
export const authChecker: AuthCheckerFn<GraphQLContext, Restricted> = ({ context }, [level]) => {
  requireLevel(context.viewer, level);
  return true;
};

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
  if (!rootFields(document, operationName).every((name) => isOpenBeforeLogin(fields[name])))
    throw failure("login_required");
}
