/** Queues the events of a subscription, which may be processed more slowly than they arrive. */
import { Repeater } from "@graphql-yoga/subscription";
import type { BoardEvent } from "../../src/runtime/events/events.js";

/** Maximum number of waiting events of a subscription, whose client does not read, or whose queries are slow. */
export const MOST_WAITING = 1_000;

/**
 * The events of a type, in order.
 * @param fellBehind called if too many events wait; further ones are dropped
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
