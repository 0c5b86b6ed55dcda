/**
 * Queries of documents that are known at start, asked for by their hashes alone: parsed, validated and compiled once, and run without
 * Apollo. The same limits apply. Whatever is refused is answered by Apollo, and one of these counts no further requests.
 */
import {
  type DocumentNode,
  type FormattedExecutionResult,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from "graphql";
import { getOrMake } from "../src/lib/get-or-make.js";
import type { KnownDocuments, Shared } from "./apollo.js";
import type { GraphQLContext } from "./context.js";
import { type Data, reported, type Run } from "./shared/answered.js";
import { compile } from "./shared/compiled-queries.js";
import { type Cost, HTTP } from "./shared/operation-limits.js";
import { permitOperation } from "./shared/access.js";
import { beginOperation } from "./shared/telemetry.js";

interface KnownQuery {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  run: Run;
}

/** A request for a known document. */
interface AskedByHash {
  hash: string;
  operationName: string | null;
  variables: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const NAMES = new Set(["operationName", "variables", "extensions"]);

/** The body that requests a known document. */
export const byHash = (sha256Hash: string, variables: Readonly<Record<string, unknown>>) => ({
  variables,
  extensions: { persistedQuery: { version: 1, sha256Hash } },
});

/** What a body asks for; null for one with its own query text, or of another shape than the pages send. */
function askedByHash(body: unknown): AskedByHash | null {
  if (!isObject(body) || !Object.keys(body).every((name) => NAMES.has(name))) return null;
  const { operationName = null, variables, extensions } = body;
  const sent = isObject(extensions) ? extensions.persistedQuery : undefined;
  if (!isObject(sent) || sent.version !== 1 || typeof sent.sha256Hash !== "string") return null;
  if (operationName !== null && typeof operationName !== "string") return null;
  if (variables !== undefined && variables !== null && !isObject(variables)) return null;
  return { hash: sent.sha256Hash, operationName, variables: variables ?? {} };
}

export class KnownOperations {
  /** null if it is not a query, or not compiled */
  private readonly queries = new Map<string, KnownQuery | null>();

  constructor(
    private readonly texts: KnownDocuments,
    private readonly shared: Shared,
  ) {}

  /** The response to a body that requests a known query; null if Apollo has to respond. */
  async answer(body: unknown, context: GraphQLContext): Promise<FormattedExecutionResult | null> {
    const asked = askedByHash(body);
    const query = asked && this.queryOf(asked.hash);
    if (!asked || !query) return null;
    const cost = await this.admitted(query, asked, context);
    if (!cost) return null;
    context.heavy?.end(); // the rest mostly waits for the database
    await context.board.replicas?.choose(context);
    const end = beginOperation(context.board.telemetry, { ...query, operationName: asked.operationName });
    const answered = await query.run(context, asked.variables);
    end(!answered ? "left" : answered.errors.length > 0 ? "failed" : "ok");
    if (!answered) return null;
    const errors = reported(this.shared.format, answered.errors);
    return { ...(errors.length > 0 ? { errors } : {}), data: answered.data as Data | null, extensions: { cost } };
  }

  /** Its cost; null if it may not run. */
  private async admitted(
    { document }: KnownQuery,
    { operationName, variables }: AskedByHash,
    context: GraphQLContext,
  ): Promise<Cost | null> {
    const { schema, limits } = this.shared;
    let found: Cost | null = null;
    const charge = async (cost: Cost) => {
      await context.charge(cost.requests);
      found = cost;
    };
    try {
      permitOperation(context, { schema, document, operationName });
      await limits.admit({ document, operationName, variables }, HTTP, charge, true);
      return found;
    } catch {
      return null;
    }
  }

  private queryOf(hash: string): KnownQuery | null {
    const text = this.texts.get(hash);
    return text === undefined ? null : getOrMake(this.queries, hash, () => this.make(text));
  }

  private make(text: string): KnownQuery | null {
    const { schema, limits } = this.shared;
    const document = limits.read(text);
    if (!("kind" in document)) return null;
    const operation = getOperationAST(document);
    if (operation?.operation !== OperationTypeNode.QUERY) return null;
    const run = compile(schema, document, null);
    return run && { document, operation, run };
  }
}
