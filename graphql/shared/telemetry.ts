/** Operations in metrics, log and traces: by kind and root fields, which the schema names, not their callers. */
import type { ApolloServerPlugin, GraphQLRequestContextDidResolveOperation } from "@apollo/server";
import { currentScope } from "../../src/database/request-scope.js";
import type { Telemetry } from "../../src/runtime/telemetry/metrics.js";
import type { Span } from "../../src/runtime/telemetry/tracing.js";
import type { GraphQLContext } from "../context.js";
import { rootFields } from "./selections.js";

interface Operation {
  kind: string;
  /** the root field, or the label for none or several */
  field: string;
}

/** Documents that can't be parsed, are not valid, or have no operation of the name. */
const INVALID: Operation = { kind: "invalid", field: "none" };

/** Maximum number of root fields in a line of the log. */
const MOST_FIELDS = 10;
/** Maximum length of an operation's name. */
const LONGEST_NAME = 100;

type Resolved = GraphQLRequestContextDidResolveOperation<GraphQLContext>;
type Operations = Pick<Resolved, "document" | "operationName" | "operation">;

export const observedOperations: ApolloServerPlugin<GraphQLContext> = {
  requestDidStart({ contextValue }) {
    const { telemetry } = contextValue.board;
    const started = performance.now();
    let operation = INVALID;
    let span: Span | undefined;
    return Promise.resolve({
      didResolveOperation(context: Resolved) {
        ({ operation, span } = begin(context));
        return Promise.resolve();
      },
      willSendResponse({ response: { body } }) {
        const hasFailed = body.kind === "single" && body.singleResult.errors !== undefined;
        observe(telemetry, operation, hasFailed, (performance.now() - started) / 1e3);
        span?.end(hasFailed ? "graphql" : undefined);
        return Promise.resolve();
      },
    });
  },
};

/**
 * Observes an operation that runs without Apollo.
 * @returns to be called at its end: with "left" if Apollo runs it again, and observes it
 */
export function beginOperation(
  telemetry: Telemetry,
  resolved: Operations,
): (outcome: "ok" | "failed" | "left") => void {
  const started = performance.now();
  const scope = currentScope();
  const outer = scope?.span;
  const { operation, span } = begin(resolved);
  return (outcome) => {
    span?.end(outcome === "ok" ? undefined : "graphql");
    if (outcome !== "left") observe(telemetry, operation, outcome === "failed", (performance.now() - started) / 1e3);
    else if (scope) scope.span = outer;
  };
}

/** The operation by its kind and root fields, also as in the log. */
function nameOf({ document, operationName, operation }: Operations): Operation & { line: string } {
  const kind = operation?.operation ?? "query";
  const fields = [...new Set(rootFields(document, operationName))];
  const [only = "none"] = fields;
  return {
    kind,
    field: fields.length > 1 ? "several" : only,
    line: `${kind} ${fields.slice(0, MOST_FIELDS).join(",")}`,
  };
}

/** Adds the operation to the request's line of the log, and makes the following statements part of its span. */
function begin(resolved: Operations): { operation: Operation; span: Span | undefined } {
  const { kind, field, line } = nameOf(resolved);
  const scope = currentScope();
  if (!scope) return { operation: { kind, field }, span: undefined };
  scope.operation = line;
  const span = scope.span?.child(`${kind} ${field}`, "internal", {
    "graphql.operation.type": kind,
    "graphql.operation.name": resolved.operationName?.slice(0, LONGEST_NAME),
  });
  if (span) scope.span = span;
  return { operation: { kind, field }, span };
}

function observe({ metrics }: Telemetry, operation: Operation, hasFailed: boolean, seconds: number): void {
  const { operations, operationSeconds } = metrics.families;
  const { kind, field } = operation;
  operations.inc({ kind, field, outcome: hasFailed ? "failed" : "ok" });
  operationSeconds.observe({ kind, field }, seconds);
}
