/** The board and the viewer, which every page needs. */
import { signal } from "@preact/signals";
import { ShellDocument, type ShellQuery } from "../__generated__/shell.js";
import { aMinuteAgo, watch, watchAgain } from "./graphql.js";
import { go, place } from "./router.js";
import { loginUrl } from "./session.js";
import { storeFor } from "./stored.js";

const shell = signal<ShellQuery | undefined>(undefined);

/** Loads them and keeps them up to date, once for all components. */
export function startShell(): void {
  watch(ShellDocument, {}, (data) => {
    // drafts stay those of a user whose session has ended
    if (data.viewer || !shell.value) storeFor(data.viewer?.id ?? 0);
    shell.value = data;
  });
  // the session may have ended elsewhere
  const look = () => void (document.hidden || watchAgain(aMinuteAgo()));
  place.subscribe(look);
  document.addEventListener("visibilitychange", look);
}

/** Undefined until loaded; the first page contains it. */
export const useShell = (): ShellQuery | undefined => shell.value;

/** How the viewer wants pages; undefined for visitors. */
export const useSettings = () => useShell()?.viewer?.settings;

/** Whether the board shows its posts to the viewer; some boards require login. */
export const isOpenTo = ({ board, viewer }: ShellQuery): boolean => !board.requiresLogin || viewer !== null;

/** What is offered to those who have the right, and to visitors, who are sent to the sign-in page; undefined for others. */
export function useOffer(): (may: boolean, run: () => void) => (() => void) | undefined {
  const viewer = useShell()?.viewer;
  return (may, run) => (viewer ? (may ? run : undefined) : () => go(loginUrl()));
}
