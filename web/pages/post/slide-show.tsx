/** The slideshow: opens the next post of the search every few seconds, until a key, the end, another page, or something is written. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isField, useShortcuts } from "../../lib/keys.js";
import { Icon } from "../../parts/icon.js";

/** How long each picture is shown once it has loaded, and each video that does not play, while the page is visible. */
const SECONDS = 5;

const isWaiting = (): boolean =>
  document.querySelector<HTMLImageElement>(".Picture-frame img")?.complete === false ||
  document.querySelector("video")?.paused === false;

/** Whether it runs; it continues from post to post. */
const isRunning = signal(false);

/** @param onNext opens the next post; undefined at the end of the search */
export function SlideShow({ onNext }: { onNext: (() => void) | undefined }) {
  const name = `${isRunning.value ? "Stop" : "Start"} the slideshow`;
  const toggle = () => (isRunning.value = !isRunning.value);
  useShortcuts([{ keys: isRunning.value ? "s Escape" : "s", does: name, run: toggle }]);
  useEffect(() => {
    if (!isRunning.value) return undefined;
    if (!onNext) return void (isRunning.value = false);
    let left = SECONDS;
    const timer = setInterval(() => {
      if (document.hidden || isWaiting() || (left -= 1) > 0) return;
      clearInterval(timer);
      if (isField(document.activeElement)) toggle();
      else onNext();
    }, 1000);
    return () => clearInterval(timer);
  });
  useEffect(() => {
    const end = () => (isRunning.value = false);
    addEventListener("popstate", end);
    return () => {
      removeEventListener("popstate", end);
      end(); // another page
    };
  }, []);
  return (
    <button class="Button is-bare" type="button" aria-label={name} disabled={!onNext} onClick={toggle}>
      <Icon name={isRunning.value ? "close" : "play"} />
    </button>
  );
}
