/** What there is instead of what was asked for, and what can be done about it. */
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../lib/errors.js";

interface Props {
  title?: string;
  message: string;
  retryAfter?: number | undefined;
  onRetry?: () => void;
}

/** Seconds that are left, counted down. */
function useCountdown(from: number): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return left;
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
      {left > 0 && <p>There is another try in {left > 90 ? `${Math.ceil(left / 60)} minutes` : `${left} seconds`}.</p>}
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
