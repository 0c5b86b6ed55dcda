/** What happens on the board while one looks: followed while somebody who is signed in sees the page, or saw it a minute ago. */
import { useEffect, useState } from "preact/hooks";
import type { Document } from "./document.js";
import { follow } from "./graphql.js";
import { whenIdle } from "./idle.js";
import { useShell } from "./shell.js";

const HIDDEN_MILLISECONDS = 60_000;
/** Who only walks past begins no subscription, each of which counts as a request. */
const STAYS_MILLISECONDS = 2_000;

/** Whether the page is seen, or was a minute ago. */
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

/** Runs something when somebody stays, and the browser has nothing else to do. @returns takes it back */
function whenSettled(run: () => void): () => void {
  let cancel = () => undefined as void;
  const timer = setTimeout(() => (cancel = whenIdle(run)), STAYS_MILLISECONDS);
  return () => {
    clearTimeout(timer);
    cancel();
  };
}

/** A document of a subscription. */
type Event<V> = Document<unknown, V>;

/**
 * Has the cache follow these events. What it missed while the page was not seen for long is asked anew.
 * @param again asks the page's question past the cache
 */
export function useLive<V>(events: readonly Event<V>[], variables: V, again: () => void): void {
  const viewer = useShell()?.viewer?.id;
  const isSeen = useSeen();
  const [wasAway, setAway] = useState(false);
  useEffect(() => {
    if (viewer === undefined) return undefined;
    if (!isSeen) return setAway(true);
    if (wasAway) again();
    let ends: (() => void)[] = [];
    const stop = whenSettled(() => (ends = events.map((event) => follow(event, variables))));
    return () => {
      stop();
      for (const end of ends) end();
    };
  }, [viewer, isSeen, JSON.stringify(variables)]);
}
