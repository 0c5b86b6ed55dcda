/** The board and the viewer, as every page needs them. */
import { ShellDocument, type ShellQuery } from "../__generated__/shell.js";
import { useDocument } from "./graphql.js";
import { go } from "./router.js";
import { loginUrl } from "./session.js";

/** Undefined until it has come, which it has with the first page. */
export const useShell = (): ShellQuery | undefined => useDocument(ShellDocument, {}).data;

/** Does something for who is signed in; others are led there. */
export function useSignedIn(): (run: () => void) => void {
  const viewer = useShell()?.viewer;
  return (run) => (viewer ? run() : go(loginUrl()));
}
