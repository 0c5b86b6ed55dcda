/** What was refused, in the board's own words, and when there is another try. */
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../lib/errors.js";

/** Seconds that are left, counted down. */
function useCountdown(problem: Problem): number {
  const [left, setLeft] = useState(problem.retryAfter ?? 0);
  useEffect(() => {
    const end = Date.now() + (problem.retryAfter ?? 0) * 1000;
    const count = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}

const inWords = (seconds: number): string => {
  if (seconds > 5400) return `${Math.round(seconds / 3600)} hours`;
  return seconds > 90 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
};

export function Refused({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const left = useCountdown(problem);
  return (
    <div class="UploadItem-status is-bad">
      <p role="alert" dir="auto">
        {problem.message}
      </p>
      {problem.needsLogin ? (
        <a href="/login?next=/upload">Sign in</a>
      ) : (
        <button class="Button" type="button" disabled={left > 0} onClick={onRetry}>
          {left > 0 ? `Try again in ${inWords(left)}` : "Try again"}
        </button>
      )}
    </div>
  );
}
