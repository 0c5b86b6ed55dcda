/** The board and the viewer, as every page needs them. */
import { signal } from "@preact/signals";
import { ShellDocument, type ShellQuery } from "../__generated__/shell.js";
import { watch } from "./graphql.js";
import { go } from "./router.js";
import { loginUrl } from "./session.js";

const shell = signal<ShellQuery | undefined>(undefined);

/** Loads them and keeps them up to date, once for all components. */
export const startShell = (): void => watch(ShellDocument, {}, (data) => (shell.value = data));

/** Undefined until it has come, which it has with the first page. */
export const useShell = (): ShellQuery | undefined => shell.value;

/** Whether the board shows its posts to the viewer: some do to users alone. */
export const isOpenTo = ({ board, viewer }: ShellQuery): boolean => !board.requiresLogin || viewer !== null;

/** Does something for who is signed in; others are led there. */
export function useSignedIn(): (run: () => void) => void {
  const viewer = useShell()?.viewer;
  return (run) => (viewer ? run() : go(loginUrl()));
}
