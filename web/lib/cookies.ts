/** Cookies, without which a session is not kept. */
import { Problem } from "./errors.js";

/** @throws Problem if the browser refuses them */
export function requireCookies(): void {
  if (!navigator.cookieEnabled)
    throw new Problem("This browser refuses the board's cookies, without which you can't stay signed in.", "");
}
