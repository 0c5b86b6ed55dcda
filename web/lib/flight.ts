/** Whether the page scrolls so fast that nobody sees its pictures, which are not loaded then. */
import { signal } from "@preact/signals";

/** The speed from which on it does, in heights of the window a second. */
const FAST = 4;
/** Scrolling has stopped after so many milliseconds; a jump after a stop does not count as fast. */
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
