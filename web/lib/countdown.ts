import { useEffect, useState } from "preact/hooks";
import { problemIn } from "./errors.js";

/** The seconds left, counted down. @param from restarts the countdown when it changes */
export function useCountdown(from: number): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    setLeft(from);
    if (from === 0) return undefined;
    // by the clock: in the background and in sleep timers are late
    const end = Date.now() + 1000 * from;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [from]);
  return left;
}

/** "40 seconds", "20 minutes", "5 hours". */
export const waitOf = (seconds: number): string =>
  seconds > 5400 ? `${Math.ceil(seconds / 3600)} hours` : minutesOf(seconds);

const minutesOf = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? "second" : "seconds"}`;

/** An error as text, with when to try again. */
export function explained(error: unknown): string {
  const { message, retryAfter } = problemIn(error);
  return retryAfter ? `${message} Try again in ${waitOf(retryAfter)}.` : message;
}
