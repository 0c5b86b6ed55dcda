/** Response data that is JSON already. */
import type { FormattedExecutionResult } from "graphql";
import { type Part, Pieces } from "../../src/lib/pieces.js";

export class FinishedData {
  constructor(readonly parts: readonly Part[]) {}
}

export function serialize(result: FormattedExecutionResult): string | Pieces {
  const { data, ...others } = result;
  if (!(data instanceof FinishedData)) return JSON.stringify(result);
  const rest = JSON.stringify(others).slice(1, -1);
  return new Pieces(['{"data":', ...data.parts, `${rest && `,${rest}`}}`]);
}
