/** Events on their way to a subscription, which may be slower than they are. */
import { Repeater } from "@graphql-yoga/subscription";
import type { BoardEvent } from "../../src/runtime/events/events.js";

/** Events that wait for one subscription: its client does not read, or the database is slow. */
export const MOST_WAITING = 1_000;

/**
 * The events of a type, in order.
 * @param fellBehind called where more would wait than may; no more are kept then
 */
export const eventsOf = (
  events: EventTarget,
  type: BoardEvent["type"],
  isWanted: (event: BoardEvent) => boolean,
  fellBehind: () => void,
): Repeater<BoardEvent> =>
  new Repeater(async (push, stop) => {
    const waiting: BoardEvent[] = [];
    let wake = (): void => undefined;
    const onEvent = ({ detail }: CustomEvent<BoardEvent>): void => {
      if (!isWanted(detail)) return;
      if (waiting.length >= MOST_WAITING) return fellBehind();
      waiting.push(detail);
      wake();
    };
    events.addEventListener(type, onEvent as (event: Event) => void);
    const stopping = new AbortController();
    const leave = (): void => {
      events.removeEventListener(type, onEvent as (event: Event) => void);
      stopping.abort();
      wake();
    };
    stop.then(leave, leave);
    while (!stopping.signal.aborted) {
      const next = waiting.shift();
      if (next) await push(next);
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  });
