import { useEffect, useState } from "preact/hooks";
import { problemIn } from "./errors.js";

/** The seconds left, counted down. @param from restarts the countdown when it changes */
export function useCountdown(from: number): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    setLeft(from);
    if (from === 0) return undefined;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
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
