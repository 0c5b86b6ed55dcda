/** Signing in and out: reloads the page without cached data, in other tabs too. */
import { forget, load } from "./router.js";

/** To the other tabs; null in a browser that stores nothing and therefore refuses it, as Firefox does. */
function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel("session");
  } catch {
    return null;
  }
}

const channel = openChannel();

/** The page from which somebody went to sign in; only within this site. */
export function nextUrl(query: URLSearchParams): string {
  const next = query.get("next") ?? "/";
  // the parser decides: browsers leave out tabs and newlines of URLs, and take a backslash for a slash
  const isOwn = URL.canParse(next, location.origin) && new URL(next, location.origin).origin === location.origin;
  return isOwn && next.startsWith("/") ? next : "/";
}

/** The current page, and what its fragment names in it. */
export const hereUrl = (): string => location.pathname + location.search + location.hash;

/** The sign-in page, which leads back to the current page. */
export const loginUrl = (): string => `/login?next=${encodeURIComponent(hereUrl())}`;

/** Reloads after the viewer has changed. */
export function viewerChanged(url: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has none
  channel?.postMessage("changed");
  addEventListener("pageshow", () => location.reload()); // the back button may show this page as it was left
  load(url);
}

function clear(storage: () => Storage): void {
  forget();
  try {
    storage().clear();
  } catch {
    // the browser stores nothing
  }
}

/** The viewer has signed out: removes drafts and searches, for the sake of the next user. */
export function signedOut(): void {
  clear(() => localStorage);
  clear(() => sessionStorage);
  viewerChanged("/");
}

export function followOtherTabs(): void {
  channel?.addEventListener("message", () => {
    clear(() => sessionStorage); // each tab has its own
    location.reload();
  });
}
