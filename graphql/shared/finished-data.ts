/** Response data that is JSON text already. */
import type { FormattedExecutionResult } from "graphql";

export class FinishedData {
  constructor(readonly text: string) {}
}

/** A result as JSON. */
export function serialize(result: FormattedExecutionResult): string {
  const { data, ...others } = result;
  if (!(data instanceof FinishedData)) return JSON.stringify(result);
  const rest = JSON.stringify(others).slice(1, -1);
  return `{"data":${data.text}${rest && `,${rest}`}}`;
}
