/** An error in place of the content, and what can be done about it. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isOffline } from "../lib/connection.js";
import { useCountdown, waitOf } from "../lib/countdown.js";
import type { Problem } from "../lib/errors.js";
import { loginUrl } from "../lib/session.js";

interface Props {
  title?: string;
  message: string;
  /** HTTP status; 400 and 404 are not retried */
  status?: number;
  /** where to go on instead */
  link?: { url: string; name: string };
  retryAfter?: number | undefined;
  onRetry?: () => void;
}

export function Refusal({
  title = "Something went wrong",
  message,
  status = 500,
  link = { url: "/", name: "All posts" },
  retryAfter = 0,
  onRetry = () => location.reload(),
}: Props) {
  const left = useCountdown(retryAfter);
  const isFinal = status === 400 || status === 404;
  const wasOffline = useRef(isOffline.value); // the connection may be back before the effect runs
  useEffect(() => {
    // what failed without a connection is retried when it is back
    if (wasOffline.current && !isOffline.value && left === 0 && !isFinal) onRetry();
    wasOffline.current = isOffline.value;
  }, [isOffline.value]);
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      // on to what comes in its place
      if (root.current?.contains(document.activeElement))
        document.getElementById("main")?.focus({ preventScroll: true });
    },
    [],
  );
  return (
    <div class="Refusal" role="alert" ref={root}>
      <h1>{title}</h1>
      <p dir="auto">{message}</p>
      {left > 0 && <p role="timer">Try again in {waitOf(left)}.</p>}
      <p>
        {isFinal ? (
          <a class="Button" href={link.url}>
            {link.name}
          </a>
        ) : (
          <button class="Button" type="button" disabled={left > 0} onClick={onRetry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

export const RefusalOf = ({ problem, onRetry }: { problem: Problem; onRetry: () => void }) => (
  <Refusal
    message={problem.message}
    status={problem.needsLogin || problem.code === "INVALID_PARAMETERS" ? 400 : 500}
    {...(problem.needsLogin && { link: { url: loginUrl(), name: "Sign in" } })}
    retryAfter={problem.retryAfter}
    onRetry={onRetry}
  />
);
