/**
 * Introspection queries, whose responses depend only on text and variables and take 20 ms to create:
 * they are cached in bounded memory. All checks have passed before the cache is read.
 */
import type { ApolloServerPlugin, GraphQLRequestContextResponseForOperation } from "@apollo/server";
import { executeSync, OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import { bytesOf } from "../../src/lib/text.js";
import type { GraphQLContext } from "../context.js";
import { FinishedData } from "./answered.js";
import { rootFields } from "./selections.js";

/** Bytes of responses and keys; the whole schema is one megabyte. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Maximum length of the variables of a cached query. */
const LONGEST_VARIABLES = 1_000;

const ABOUT_SCHEMA = new Set(["__schema", "__type", "__typename"]);

type Asked = GraphQLRequestContextResponseForOperation<GraphQLContext>;

const isAboutSchema = ({ document, operation, operationName }: Asked): boolean =>
  operation.operation === OperationTypeNode.QUERY &&
  rootFields(document, operationName).every((name) => ABOUT_SCHEMA.has(name));

/** The cache key; null if it would be too long. */
function keyOf({ queryHash, operationName, request }: Asked): string | null {
  const variables = JSON.stringify(request.variables ?? {});
  return variables.length > LONGEST_VARIABLES ? null : JSON.stringify([queryHash, operationName, variables]);
}

/** The response; null if it has errors, which Apollo then reports. */
function answerTo({ schema, document, operationName, request }: Asked): string | null {
  const { data, errors } = executeSync({ schema, document, operationName, variableValues: request.variables });
  return data && !errors ? JSON.stringify(data) : null;
}

export function rememberedIntrospection(): ApolloServerPlugin<GraphQLContext> {
  const remembered = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (text, key) => bytesOf(text) + bytesOf(key),
  });

  const find = (asked: Asked): string | null => {
    const key = keyOf(asked);
    const found = key === null ? undefined : remembered.get(key);
    if (found !== undefined) return found;
    const made = answerTo(asked);
    if (key !== null && made !== null) remembered.set(key, made);
    return made;
  };

  const listener = {
    responseForOperation(asked: Asked) {
      const text = isAboutSchema(asked) ? find(asked) : null;
      if (text === null) return Promise.resolve(null);
      const singleResult = { data: new FinishedData([text]) as never }; // it is only passed to `serialize`
      return Promise.resolve({ http: asked.response.http, body: { kind: "single" as const, singleResult } });
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
