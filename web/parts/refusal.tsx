/** What there is instead of what was asked for, and what can be done about it. */
import { useCountdown, waitOf } from "../lib/countdown.js";
import type { Problem } from "../lib/errors.js";

interface Props {
  title?: string;
  message: string;
  retryAfter?: number | undefined;
  onRetry?: () => void;
}

export function Refusal({
  title = "That did not work",
  message,
  retryAfter = 0,
  onRetry = () => location.reload(),
}: Props) {
  const left = useCountdown(retryAfter);
  return (
    <div class="Refusal" role="alert">
      <h1>{title}</h1>
      <p dir="auto">{message}</p>
      {left > 0 && <p>There is another try in {waitOf(left)}.</p>}
      <p>
        <button class="Button" type="button" disabled={left > 0} onClick={onRetry}>
          Try again
        </button>
      </p>
    </div>
  );
}

export const RefusalOf = ({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) => (
  <Refusal message={problem.message} retryAfter={problem.retryAfter} {...(onRetry ? { onRetry } : {})} />
);
