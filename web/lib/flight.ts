/** Whether the page flies past: so quickly that nobody sees its pictures, which are not fetched then. */
import { signal } from "@preact/signals";

/** Heights of the window a second from which on it does. */
const FAST = 4;
/** It rests when it has not been scrolled for so long; a jump after a rest is no flight. In milliseconds. */
const RESTS = 150;

export const isFlying = signal(false);

/** Starts watching. @returns a function that stops it */
export function watchFlight(): () => void {
  const watching = new AbortController();
  let last = { top: scrollY, time: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const land = () => (isFlying.value = false);
  addEventListener(
    "scroll",
    ({ timeStamp: time }) => {
      const top = scrollY;
      const passed = time - last.time;
      const windows = Math.abs(top - last.top) / innerHeight;
      last = { top, time };
      isFlying.value = passed > 0 && passed < RESTS && (1000 * windows) / passed > FAST;
      clearTimeout(timer);
      timer = setTimeout(land, RESTS);
    },
    { passive: true, signal: watching.signal },
  );
  return () => {
    watching.abort();
    clearTimeout(timer);
    land();
  };
}
