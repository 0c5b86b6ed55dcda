/** This browser's preferences, as a signal. */
import { signal } from "@preact/signals";
import { type Preference, readPreferences } from "../preferences.js";

const YEAR = 365 * 24 * 3600;

export const preferences = signal(readPreferences(document.cookie));

/** Changes a preference, here and in the cookie. */
export function prefer(name: Preference, value: string): void {
  preferences.value = { ...preferences.value, [name]: value };
  const { documentElement: root } = document;
  root.dataset[name] = value;
  // the browser's own bars
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = getComputedStyle(root).backgroundColor;
  const text = Object.values(preferences.value).join(".");
  document.cookie = `preferences=${text}; path=/; max-age=${YEAR}; samesite=lax`;
}
