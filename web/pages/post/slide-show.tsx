/** A slide show: the next post of the search every few seconds, until a key, the end, or another page. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useShortcuts } from "../../lib/keys.js";
import { Icon } from "../../parts/icon.js";

const SECONDS = 5;

/** Whether it runs; it goes on from post to post. */
const isRunning = signal(false);

/** @param onNext opens the next post; undefined at the end of the search */
export function SlideShow({ onNext }: { onNext: (() => void) | undefined }) {
  useShortcuts([
    {
      keys: "s",
      does: isRunning.value ? "End the slide show" : "Begin a slide show",
      run: () => (isRunning.value = !isRunning.value),
    },
    ...(isRunning.value ? [{ keys: "Escape", does: "End the slide show", run: () => (isRunning.value = false) }] : []),
  ]);
  useEffect(() => {
    if (!isRunning.value) return undefined;
    if (!onNext) return void (isRunning.value = false);
    const timer = setTimeout(onNext, SECONDS * 1000);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    const end = () => (isRunning.value = false);
    addEventListener("popstate", end);
    return () => removeEventListener("popstate", end);
  }, []);
  return (
    <button
      class="Button is-bare"
      type="button"
      aria-label={isRunning.value ? "End the slide show" : "Slide show"}
      aria-pressed={isRunning.value}
      disabled={!onNext}
      onClick={() => (isRunning.value = !isRunning.value)}
    >
      <Icon name={isRunning.value ? "close" : "play"} />
    </button>
  );
}
