/** Which page is shown: the address as a signal, links followed without loading anew. */
import { signal } from "@preact/signals";
import { type Place, placeOf } from "../routes.js";

type Found = Place & { variables: Record<string, unknown> };
const here = (): Found | null => placeOf(location.pathname + location.search);

/** The page that is shown; null where the address has none. */
export const place = signal(here());

/** The part of the page that the address names, as `#comment-5`. */
export const fragment = signal(location.hash);

/** What the entry of the history keeps, to be as it was when one comes back. */
export const kept = (): unknown => history.state;
export const keep = (state: unknown): void => history.replaceState(state, "");

/** Changes the address of what is shown already. */
export const readdress = (url: string): void => history.replaceState(history.state, "", url);

/** Opens a page. One that is not ours is loaded. */
export function go(url: string, { replace = false } = {}): void {
  const { pathname, search, hash } = new URL(url, location.href);
  const found = placeOf(pathname + search);
  if (!found) return location.assign(url);
  history[replace ? "replaceState" : "pushState"](null, "", pathname + search + hash);
  place.value = found;
  fragment.value = hash;
  if (!replace) scrollTo(0, 0);
}

/** Loads a page from the server, as after signing in or out: nothing that was cached stays. */
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
