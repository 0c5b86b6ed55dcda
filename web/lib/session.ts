/** Signing in and out: the page is loaded anew, with nothing of before, in the other tabs too. */
import { load } from "./router.js";

const channel = new BroadcastChannel("session");

/** Where one was before signing in; only within this site. */
export function nextUrl(query: URLSearchParams): string {
  const next = query.get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

/** The sign-in page, which leads back to the current page. */
export const loginUrl = (): string => `/login?next=${encodeURIComponent(location.pathname + location.search)}`;

/** Who the viewer is has changed. */
export function viewerChanged(url: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has none
  channel.postMessage("changed");
  load(url);
}

/** The viewer has signed out: drafts and searches are not for who comes next. */
export function signedOut(): void {
  try {
    localStorage.clear();
  } catch {
    // a browser that keeps nothing
  }
  viewerChanged("/");
}

export function followOtherTabs(): void {
  channel.addEventListener("message", () => location.reload());
}
