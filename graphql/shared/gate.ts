/**
 * The gate of GraphQL: which documents may run, what they cost, and what they count towards the hourly limit. HTTP and
 * WebSocket both ask it, so that neither takes what the other refuses.
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

/** What an operation costs, the most that it may, and as how many requests it counts. */
export interface Cost {
  requested: number;
  limit: number;
  requests: number;
}

/** The operations that a transport runs, and what it says of the others. */
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

/** Points that a document of the pages may cost; it counts as one request, whatever it costs: the pages ask for no more. */
const KNOWN_LIMIT = 10_000;

export class Gate {
  /** How documents are parsed. */
  readonly parsing: ParseOptions = { maxTokens: MAX_TOKENS };
  /** What documents are held to beside the rules of GraphQL. */
  readonly rules: ValidationRule[];
  private readonly limit: number;

  constructor(
    private readonly schema: GraphQLSchema,
    config: Pick<Config, "GRAPHQL_MAX_ALIASES" | "GRAPHQL_MAX_COMPLEXITY" | "GRAPHQL_MAX_DEPTH">,
  ) {
    this.limit = config.GRAPHQL_MAX_COMPLEXITY;
    this.rules = [
      // a query is as deep as its answer: fragments are no levels of their own
      maxDepthRule({ n: config.GRAPHQL_MAX_DEPTH, flattenFragments: true, ...reported("deep") }),
      maxAliasesRule({ n: config.GRAPHQL_MAX_ALIASES, ...reported("broad") }),
    ];
  }

  /**
   * The document of a text, parsed and validated as Apollo does it for HTTP.
   * @returns all that is wrong with it instead
   * @throws BoardError 424 for what is nested too deeply to be parsed
   */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    try {
      const document = parse(text, this.parsing);
      const errors = validate(this.schema, document, [...specifiedRules, ...this.rules]);
      return errors.length > 0 ? errors : document;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      if (error instanceof RangeError) throw tooDeep(); // the stack of the parser, which goes down into it
      throw error;
    }
  }

  /**
   * Lets an operation of a valid document run, which is counted then; before anything of it runs.
   * @param charge counts the requests of its cost, but for the first one, which was counted when it came
   * @param isKnown whether the document is one of the pages' own
   * @throws BoardError 424 for what may not run or costs too much, 421 for what there is no room for in the hour
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
    await charge({ requested: cost, limit, requests: isKnown ? 1 : requests });
  }
}

/** @throws BoardError 424 where the name is none of the document's operations', or the transport does not take it */
function requireOperation({ document, operationName = null }: SentOperation, { takes, refusal }: Transport): void {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw failure("invalid_query", { message: missing(operationName) });
  if (!takes.has(operation.operation)) throw failure("invalid_query", { message: refusal });
}

const missing = (operationName: string | null): string =>
  operationName === null
    ? "Must provide operation name if query contains multiple operations."
    : `Unknown operation named "${operationName}".`;

/** The rules throw on their own, which would be an error of ours; here they report, like those of graphql-js. */
const reported = (quality: string) => ({
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, { message }: GraphQLError): void => {
      const found = message.replace(/^Syntax Error: |\.$/g, "");
      context?.reportError(new GraphQLError(failure("query_too_costly", { quality: `${quality} (${found})` }).reason));
    },
  ],
});
