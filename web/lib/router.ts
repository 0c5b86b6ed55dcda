/** The current page: the URL as a signal, and links followed without reloading. */
import { signal } from "@preact/signals";
import { type Place, placeOf } from "../routes.js";
import { whenIdle } from "./idle.js";
import { store, storedJson } from "./stored.js";

type Found = Place & { variables: Record<string, unknown> };
const here = (): Found | null => placeOf(location.pathname + location.search);

/** The current page; null if the URL has none. */
export const place = signal(here());

/** The fragment of the URL, as `#comment-5`. */
export const fragment = signal(location.hash);

/** A new entry of the history, by a number of its own. */
const numbered = () => ({ number: performance.timeOrigin + performance.now() });
type Entry = ReturnType<typeof numbered> | null;
/** Links within a page begin entries without a number. */
function numberEntry(): void {
  if (!history.state) history.replaceState(numbered(), "");
}
/** The name of the current entry of the history. */
export const entryName = (): string => `entry ${(history.state as Entry)?.number}`;

let opened = 0;
/** When the current page was opened by a link, in milliseconds; 0 for one to which the browser has returned, or that it has loaded. */
export const openedAt = (): number => opened;

const states = new Map<string, unknown>();

/** What was kept of the current entry of the history, to restore its page on return, also after a reload; null for nothing. */
export function kept(): unknown {
  const name = entryName();
  return states.get(name) ?? storedJson(name, "sessionStorage");
}

/** Keeps the state of the current entry: beside the history, whose change takes a slow phone longer than a frame. */
export function keep(state: unknown): void {
  const name = entryName();
  states.set(name, state);
  whenIdle(() => store(name, JSON.stringify(state), "sessionStorage"));
}

/** Changes the URL of the current page. */
export const readdress = (url: string): void => history.replaceState(history.state, "", url);

/** Opens a page. Other URLs are loaded. */
export function go(url: string, { replace = false } = {}): void {
  const { pathname, search, hash } = new URL(url, location.href);
  const found = placeOf(pathname + search);
  if (!found) return location.assign(url);
  history[replace ? "replaceState" : "pushState"](numbered(), "", pathname + search + hash);
  opened = Date.now();
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
  numberEntry();
  document.addEventListener("click", follow);
  addEventListener("popstate", () => {
    numberEntry();
    opened = 0;
    place.value = here();
    fragment.value = location.hash;
  });
}
