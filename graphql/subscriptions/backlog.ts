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
    let waiting = 0;
    const taken = () => void (waiting -= 1);
    const onEvent = (event: Event): void => {
      const { detail } = event as CustomEvent<BoardEvent>;
      if (!isWanted(detail)) return;
      if (waiting >= MOST_WAITING) return fellBehind();
      waiting += 1;
      push(detail).then(taken, taken);
    };
    events.addEventListener(type, onEvent);
    await stop;
    events.removeEventListener(type, onEvent);
  });
