/** Why an item was refused, and a button to retry, if that can help. */
import { useCountdown, waitOf } from "../../lib/countdown.js";
import type { Problem } from "../../lib/errors.js";

/** @param id of the reason, which describes the fields that it is about */
export function Refused({ problem, id, onRetry }: { problem: Problem; id: string; onRetry: (() => void) | null }) {
  const left = useCountdown(problem.retryAfter ?? 0);
  return (
    <div class="UploadItem-status is-bad">
      <p role="alert" dir="auto" id={id}>
        {problem.message}
      </p>
      {onRetry && (
        <button
          class="Button"
          type="button"
          disabled={left > 0}
          onClick={({ currentTarget }) => {
            currentTarget.closest("li")?.focus({ preventScroll: true }); // the button disappears
            onRetry();
          }}
        >
          {left > 0 ? `Try again in ${waitOf(left)}` : "Try again"}
        </button>
      )}
    </div>
  );
}
