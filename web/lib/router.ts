/** The current page: the URL as a signal, and links followed without reloading. */
import { signal } from "@preact/signals";
import { type Place, placeOf } from "../routes.js";

type Found = Place & { variables: Record<string, unknown> };
const here = (): Found | null => placeOf(location.pathname + location.search);

/** The current page; null if the URL has none. */
export const place = signal(here());

/** The fragment of the URL, as `#comment-5`. */
export const fragment = signal(location.hash);

/** State of the history entry, to restore the page on return. */
export const kept = (): unknown => history.state;
export const keep = (state: unknown): void => history.replaceState(state, "");

/** Changes the URL of the current page. */
export const readdress = (url: string): void => history.replaceState(history.state, "", url);

/** Opens a page. Other URLs are loaded. */
export function go(url: string, { replace = false } = {}): void {
  const { pathname, search, hash } = new URL(url, location.href);
  const found = placeOf(pathname + search);
  if (!found) return location.assign(url);
  history[replace ? "replaceState" : "pushState"](null, "", pathname + search + hash);
  place.value = found;
  fragment.value = hash;
  if (!replace) scrollTo(0, 0);
}

/** Loads a page from the server without cached data, as after signing in or out. */
export const load = (url: string): void => location.assign(url);

function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!placeOf(link.pathname + link.search)) return;
  const isSamePage = link.hash && link.pathname === location.pathname && link.search === location.search;
  if (isSamePage) return;
  event.preventDefault();
  go(link.href);
}

/** Starts to handle links and the browser's back and forward buttons. */
export function startRouter(): void {
  document.addEventListener("click", follow);
  addEventListener("popstate", () => {
    place.value = here();
    fragment.value = location.hash;
  });
}
