/** Live updates: subscriptions for signed-in users while the page is visible, and for a minute after. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Document } from "./document.js";
import { ask, follow } from "./graphql.js";
import { whenIdle } from "./idle.js";
import { useShell } from "./shell.js";
import { onMissed } from "./socket.js";

const HIDDEN_MILLISECONDS = 60_000;
/** Delay before subscribing, since each subscription counts as a request and many pages are left soon. */
const STAYS_MILLISECONDS = 2_000;
/** Time for the board to begin the subscriptions of a connected socket. */
const BEGINS_MILLISECONDS = 1_000;

/** Whether the page is visible, or was a minute ago. */
function useSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setSeen(false), HIDDEN_MILLISECONDS);
      else setSeen(true);
    };
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return isSeen;
}

/** Runs something after the delay, when the browser is idle. @returns cancels it */
function whenSettled(run: () => void): () => void {
  let cancel = () => undefined as void;
  const timer = setTimeout(() => (cancel = whenIdle(run)), STAYS_MILLISECONDS);
  return () => {
    clearTimeout(timer);
    cancel();
  };
}

/** A document of a subscription, or of what it changes. */
type Event<V> = Document<unknown, V>;

/**
 * Subscribes to these events and updates the cache. What was missed while the page was hidden is queried again, and what was
 * missed before the subscriptions began, at first and after each interruption.
 * @param now a query of what the events change
 * @param again repeats the page's query, bypassing the cache
 */
export function useLive<V>(events: readonly Event<V>[], now: Event<V>, variables: V, again: () => void): void {
  const viewer = useShell()?.viewer?.id;
  const isSeen = useSeen();
  const wasAway = useRef(false);
  useEffect(() => {
    if (viewer === undefined) return undefined;
    if (!isSeen) return void (wasAway.current = true);
    if (wasAway.current) again();
    wasAway.current = false;
    let ends: (() => void)[] = [];
    const stop = whenSettled(() => (ends = events.map((event) => follow(event, variables))));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const catchUp = () => void ask(now, variables, { since: Infinity }).catch(() => undefined);
    const disconnect = onMissed(() => {
      clearTimeout(timer);
      timer = setTimeout(catchUp, BEGINS_MILLISECONDS);
    });
    return () => {
      stop();
      disconnect();
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [viewer, isSeen, JSON.stringify(variables)]);
}
