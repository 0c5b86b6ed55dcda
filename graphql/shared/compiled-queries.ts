/**
 * Compiles queries at their document's second use (graphql-jit): compiling takes longer than running once. Queries that the
 * compiler refuses are run by graphql-js.
 */
import type { ApolloServerPlugin, GraphQLRequestContextResponseForOperation } from "@apollo/server";
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  print,
  type SelectionSetNode,
  visit,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { GraphQLContext } from "../context.js";
import { joinPosts } from "../posts/joined-posts.js";
import { answeredBy, type Data, reported, type Run } from "./answered.js";
import type { ErrorFormat } from "./errors.js";
import { fragmentsOf } from "./selections.js";

const MOST_OPERATIONS = 500;
/** Selections of a compiled operation, and of all of them: each takes two to six kilobytes, and a tenth of a millisecond to compile. */
const MOST_SELECTIONS = 400;
const MOST_SELECTIONS_IN_ALL = 10_000;
/** Operations of more selections are heavy work to compile. */
const HEAVY_SELECTIONS = 100;

type Asked = GraphQLRequestContextResponseForOperation<GraphQLContext>;

/** With this, the compiler marks values in its code that it replaces by expressions: in a client's text, what follows would be run. */
const MARK = "__MAGIC_";

/**
 * Whether the compiler gets a document right. Conditions (`@skip`, `@include`) would also apply to other selections of the same fields,
 * or change their order. It names the fields of a path by joining them with underscores, so that it would confuse `a { x_b }` with
 * `a_x { b }`; an alias `__proto__` would replace the prototype of its object.
 */
function isCompilable(document: DocumentNode): boolean {
  let isRight = !print(document).includes(MARK);
  visit(document, {
    Directive: () => void (isRight = false),
    Field: ({ alias }) => void (isRight &&= !alias?.value.includes("_")),
  });
  return isRight;
}

/** Selections of an operation, counting those of a fragment at each of its spreads, whose number is limited: of the one that runs. */
function sizeOf({ document, operation }: Asked): number {
  const fragments = fragmentsOf(document);
  const sum = (set?: SelectionSetNode): number =>
    (set?.selections ?? []).reduce(
      (size, each) =>
        size +
        1 +
        sum(each.kind === Kind.FRAGMENT_SPREAD ? fragments.get(each.name.value)?.selectionSet : each.selectionSet),
      0,
    );
  return 1 + sum(operation.selectionSet);
}

/** The state of a document's operation: used once, then compiled; null if it was refused. */
type Known = "came" | Run | null;

/** The operation as a function that returns values; null if the compiler refuses it. */
function compileValues(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): Run | null {
  const compiled = compileQuery<Data>(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return null;
  return async (context, variables) => answeredBy(await compiled.query(undefined, context, variables));
}

/** The operation as a function whose data may be text already; null if the compiler refuses it. */
export const compile = (schema: GraphQLSchema, document: DocumentNode, operationName: string | null): Run | null =>
  joinPosts(schema, document) ?? compileValues(schema, document, operationName);

/** An Apollo plugin that runs repeated queries. */
export function compiledQueries(format: ErrorFormat): ApolloServerPlugin<GraphQLContext> {
  const known = new LRUCache<string, { is: Known; size: number }>({
    max: MOST_OPERATIONS,
    maxSize: MOST_SELECTIONS_IN_ALL,
    sizeCalculation: ({ size }) => size,
  });

  const runOf = (asked: Asked) => {
    const { schema, document, queryHash, operationName, contextValue } = asked;
    const key = `${queryHash} ${operationName ?? ""}`;
    const before = known.get(key)?.is;
    if (before === undefined) known.set(key, { is: "came", size: 1 });
    if (before !== "came") return before ?? null;
    const size = sizeOf(asked);
    const make = () => {
      const meanwhile = known.get(key)?.is;
      if (meanwhile !== "came") return meanwhile ?? null;
      const isRight = size <= MOST_SELECTIONS && isCompilable(document);
      const run = isRight ? compile(schema, document, operationName) : null;
      known.set(key, { is: run, size: run ? size : 1 });
      return run;
    };
    const lane = size > HEAVY_SELECTIONS ? contextValue.heavy : undefined;
    return lane ? lane.run(make).catch(() => null) : make(); // without a turn, it is compiled later
  };

  const listener = {
    async responseForOperation(asked: Asked) {
      const run = asked.operation.operation === OperationTypeNode.QUERY ? await runOf(asked) : null;
      const answered = await run?.(asked.contextValue, asked.request.variables ?? {});
      if (!answered) return null;
      const data = answered.data as Data | null; // text is only passed to `serialize`
      const errors = reported(format, answered.errors);
      const singleResult = errors.length > 0 ? { errors, data } : { data };
      return { http: asked.response.http, body: { kind: "single" as const, singleResult } };
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
