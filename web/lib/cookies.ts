/** Cookies, without which a session is not kept. */
import { Problem } from "./errors.js";

/** @throws Problem if the browser refuses them */
export function requireCookies(): void {
  document.cookie = "cookies=yes; max-age=60; samesite=lax"; // `navigator.cookieEnabled` is true in a Chromium that stores none
  if (!document.cookie)
    throw new Problem("This browser refuses the board's cookies, without which you can't stay signed in.", "");
}
