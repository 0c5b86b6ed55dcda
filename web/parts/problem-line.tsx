/** An error beside the form that was sent, and when to try again. */
import { useCountdown, waitOf } from "../lib/countdown.js";
import type { Problem } from "../lib/errors.js";
import { postUrl } from "../routes.js";

export function ProblemLine({ problem }: { problem: Problem }) {
  const left = useCountdown(problem.retryAfter ?? 0);
  return (
    <p class="ProblemLine" role="alert">
      <span dir="auto">{problem.message}</span>
      {problem.postId !== undefined && (
        <>
          {" "}
          <a href={postUrl(problem.postId)}>Open post {problem.postId}</a>
        </>
      )}
      {left > 0 && <span role="timer"> Try again in {waitOf(left)}.</span>}
    </p>
  );
}
