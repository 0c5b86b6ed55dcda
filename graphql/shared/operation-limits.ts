/**
 * Limits of GraphQL operations: which documents may run, their cost, and how they count towards the hourly limit. HTTP and
 * WebSocket share it, so that neither accepts what the other refuses.
 */
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  type ParseOptions,
  specifiedRules,
  validate,
  type ValidationContext,
  type ValidationRule,
} from "graphql";
import { maxAliasesRule } from "@escape.tech/graphql-armor-max-aliases";
import { maxDepthRule } from "@escape.tech/graphql-armor-max-depth";
import type { Config } from "../../src/config.js";
import { failure } from "../../src/errors.js";
import { admit, MAX_TOKENS, type SentOperation } from "./admission.js";
import { tooDeep } from "./errors.js";

/** The cost of an operation, its limit, and the number of requests it counts as. */
export interface Cost {
  requested: number;
  limit: number;
  requests: number;
}

/** The operations that a transport runs, and its error for others. */
export interface Transport {
  takes: ReadonlySet<OperationTypeNode>;
  refusal: string;
}
export const HTTP: Transport = {
  takes: new Set([OperationTypeNode.QUERY, OperationTypeNode.MUTATION]),
  refusal: "subscriptions are taken over a WebSocket",
};
export const WEB_SOCKET: Transport = {
  takes: new Set([OperationTypeNode.SUBSCRIPTION]),
  refusal: "only subscriptions are taken here",
};

/** Maximum cost of a document of the pages, in points; it counts as one request, whatever it costs. */
const KNOWN_LIMIT = 10_000;

export class OperationLimits {
  readonly parsing: ParseOptions = { maxTokens: MAX_TOKENS };
  /** Validation rules in addition to those of GraphQL. */
  readonly rules: ValidationRule[];
  private readonly limit: number;

  constructor(
    private readonly schema: GraphQLSchema,
    config: Pick<Config, "GRAPHQL_MAX_ALIASES" | "GRAPHQL_MAX_COMPLEXITY" | "GRAPHQL_MAX_DEPTH">,
  ) {
    this.limit = config.GRAPHQL_MAX_COMPLEXITY;
    this.rules = [
      // the depth of a query is that of its response: fragments don't count
      maxDepthRule({ n: config.GRAPHQL_MAX_DEPTH, flattenFragments: true, ...reported("deep") }),
      maxAliasesRule({ n: config.GRAPHQL_MAX_ALIASES, ...reported("broad") }),
      shortAliases,
      unconditionalSubscription,
    ];
  }

  /**
   * Parses and validates a document, as Apollo does for HTTP.
   * @returns its errors if it is invalid
   * @throws BoardError 424 if it is nested too deeply to be parsed
   */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    try {
      const document = parse(text, this.parsing);
      const errors = validate(this.schema, document, [...specifiedRules, ...this.rules]);
      return errors.length > 0 ? errors : document;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      if (error instanceof RangeError) throw tooDeep(); // the parser's stack overflowed
      throw error;
    }
  }

  /**
   * Checks and counts an operation of a valid document before it runs.
   * @param charge counts the requests of its cost
   * @param isKnown whether the document is one of the pages' own
   * @throws BoardError 424 if it may not run or costs too much, 421 if it exceeds the rest of the hour
   */
  async admit(
    sent: SentOperation,
    transport: Transport,
    charge: (cost: Cost) => Promise<void>,
    isKnown = false,
  ): Promise<void> {
    requireOperation(sent, transport);
    const limit = isKnown ? Math.max(KNOWN_LIMIT, this.limit) : this.limit;
    const { cost, requests } = admit(this.schema, limit, sent);
    await charge({ requested: cost, limit, requests: isKnown ? Math.min(requests, 1) : requests });
  }
}

/** @throws BoardError 424 if the document has no operation of this name, or the transport does not run it */
function requireOperation({ document, operationName = null }: SentOperation, { takes, refusal }: Transport): void {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw failure("invalid_query", { message: missing(operationName) });
  if (!takes.has(operation.operation)) throw failure("invalid_query", { message: refusal });
}

const missing = (operationName: string | null): string =>
  operationName === null
    ? "Must provide operation name if query contains multiple operations."
    : `Unknown operation named "${operationName}".`;

/** Characters of an alias, which a response repeats for each object, and a compiled document for each field below it. */
const LONGEST_ALIAS = 100;

const shortAliases: ValidationRule = (context) => ({
  Field({ alias }) {
    if (!alias || alias.value.length <= LONGEST_ALIAS) return;
    const quality = `wordy (an alias is longer than ${LONGEST_ALIAS} characters)`;
    context.reportError(new GraphQLError(failure("query_too_costly", { quality }).reason));
  },
});

/** Subscribing fails within graphql-js if conditions leave no field to subscribe to. */
const unconditionalSubscription: ValidationRule = (context) => ({
  Directive(node) {
    if (context.getParentType() !== context.getSchema().getSubscriptionType()) return;
    const message = `"@${node.name.value}" can't be used on the field of a subscription.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});

/** The rules throw, which would be an internal error; here they report errors like those of graphql-js. */
const reported = (quality: string) => ({
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: GraphQLError): void => {
      const found = message.replace(/^Syntax Error: |\.$/g, "");
      context?.reportError(new GraphQLError(failure("query_too_costly", { quality: `${quality} (${found})` }).reason));
    },
  ],
});
