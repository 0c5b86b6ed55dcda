/** The results of compiled operations. */
import type { ExecutionResult, FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from "graphql";
import type { GraphQLContext } from "../context.js";
import type { ErrorFormat } from "./errors.js";
import { type Part, Pieces } from "../../src/lib/pieces.js";

export type Data = Record<string, unknown>;

export interface Answered {
  data: Data | FinishedData | null;
  errors: readonly GraphQLError[];
}

/** Runs an operation. @returns null if graphql-js has to run it */
export type Run = (context: GraphQLContext, variables: object) => Promise<Answered | null>;

/** The result of a compiled operation, whose errors are those of fields; null if it did not run, which graphql-js reports. */
export const answeredBy = ({ data, errors = [] }: ExecutionResult<Data>): Answered | null =>
  data !== undefined && errors.every(({ path }) => path !== undefined) ? { data, errors } : null;

/** The errors as sent. */
export const reported = (format: ErrorFormat, errors: readonly GraphQLError[]): GraphQLFormattedError[] =>
  errors.map((error) => {
    const { message, locations, path } = error;
    const formatted = { message, locations, path, extensions: { code: "INTERNAL_SERVER_ERROR" } };
    return format(formatted, error);
  });

export class FinishedData {
  constructor(readonly parts: readonly Part[]) {}
}

/** The result with its data as values, for the server's own use. */
export const withValues = (result: FormattedExecutionResult): FormattedExecutionResult =>
  result.data instanceof FinishedData ? (JSON.parse(String(serialize(result))) as FormattedExecutionResult) : result;

export function serialize(result: FormattedExecutionResult): string | Pieces {
  const { data, ...others } = result;
  if (!(data instanceof FinishedData)) return JSON.stringify(result);
  const rest = JSON.stringify(others).slice(1, -1);
  return new Pieces(['{"data":', ...data.parts, `${rest && `,${rest}`}}`]);
}
