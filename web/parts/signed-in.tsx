/** Whose account somebody uses already who is about to sign in or up; nothing for a visitor. */
import { useShell } from "../lib/shell.js";

export function SignedIn() {
  const viewer = useShell()?.viewer;
  return viewer ? (
    <p>
      You are signed in as <bdi>{viewer.name}</bdi>.
    </p>
  ) : null;
}
