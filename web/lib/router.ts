/** The current page: the URL as a signal, and links followed without reloading. */
import { signal } from "@preact/signals";
import { type Place, placeOf } from "../routes.js";
import { store, storedJson } from "./stored.js";

type Found = Place & { variables: Record<string, unknown> };
const here = (): Found | null => placeOf(location.pathname + location.search);

/** The current page; null if the URL has none. */
export const place = signal(here());

/** The fragment of the URL, as `#comment-5`. */
export const fragment = signal(location.hash);

let opened = 0;
/** When the current page was opened by a link, in milliseconds; 0 for one to which the browser has returned, or that it has loaded. */
export const openedAt = (): number => opened;

/** The name of the entry whose page is shown: the history may have gone on to another one. */
let entry = "";
/** The state of an entry is a number of its own. */
function enter(): void {
  if (!history.state) history.replaceState(Math.random(), ""); // as after links within a page
  entry = `entry ${history.state}`;
}

interface Kept {
  /** where the page was scrolled to */
  top: number;
}
/** What was kept of the entries, beside the history, whose change takes a slow phone longer than a frame. */
const states = new Map<string, Kept>();
let adds: (() => object) | undefined;

/** Sets what the page adds to what is kept of it when it is left. @returns ends that */
export function keep(state: () => object): () => void {
  adds = state;
  return () => void (adds = undefined);
}

/** What was kept of the current entry of the history, to restore its page on return, also after a reload; null for nothing. */
export const kept = <State>(): (Kept & Partial<State>) | null =>
  (states.get(entry) ?? storedJson(entry, "sessionStorage")) as (Kept & Partial<State>) | null;

const leave = (): unknown => states.set(entry, { ...adds?.(), top: scrollY });

/** Keeps nothing of the page, nor of those before it: it is left for another user. */
export function forget(): void {
  entry = "";
}

let growth: ResizeObserver | undefined;
/** Scrolls to where a page was left, as soon as it is long enough, unless somebody scrolls before. */
function scrollBack(top = 0): void {
  growth?.disconnect();
  scrollTo(0, 0);
  let last = 0;
  growth = new ResizeObserver((_, observer) => {
    if (scrollY === last) scrollTo(0, top);
    else observer.disconnect();
    last = scrollY;
  });
  if (top > 0) growth.observe(document.body);
}

/** Changes the URL of a page, unless another one was opened meanwhile. */
export function readdress(page: Place, url: string): void {
  if (page === place.value) history.replaceState(history.state, "", url);
}

/** Opens a page; that at the current URL adds no entry to the history, as in a page that is loaded. Other URLs are loaded. */
export function go(url: string): void {
  const { href, pathname, search, hash } = new URL(url, location.href);
  const found = placeOf(pathname + search);
  if (!found) return location.assign(url);
  leave();
  history[href === location.href ? "replaceState" : "pushState"](Math.random(), "", href);
  enter();
  opened = Date.now();
  place.value = found;
  fragment.value = hash;
  scrollBack();
}

/** Loads a page from the server without cached data, as after signing in or out. */
export function load(url: string): void {
  location.assign(url);
  if (location.hash && location.href === new URL(url, location.href).href) location.reload(); // only the fragment may differ
}

/** Moves the focus, but leaves the URL alone, whose fragment may be a token or name a comment. */
function skip(event: MouseEvent, { hash }: HTMLAnchorElement): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(hash)?.focus();
}

function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (!placeOf(link.pathname + link.search)) return;
  const isSamePage = link.hash && link.pathname === location.pathname && link.search === location.search;
  if (isSamePage) return link.matches(".Skip") ? skip(event, link) : void leave();
  event.preventDefault();
  go(link.href);
}

/** Starts to handle links and the browser's back and forward buttons. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  enter();
  const before = kept();
  if (before) scrollBack(before.top);
  document.addEventListener("click", follow);
  // when the page is hidden, which is the last that some browsers tell it
  document.addEventListener("visibilitychange", () => {
    if (!entry) return;
    leave();
    for (const [name, state] of states) store(name, JSON.stringify(state), "sessionStorage");
  });
  addEventListener("popstate", () => {
    if (history.state) {
      leave();
      enter();
      opened = 0;
      place.value = here();
      scrollBack(kept()?.top);
    } else enter();
    fragment.value = location.hash;
  });
}
