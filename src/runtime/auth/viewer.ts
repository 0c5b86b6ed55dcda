/** The viewer: a signed-in user or a visitor. Policies are functions of this and a record. */
import { Level } from "./levels.js";

/** How the viewer was authenticated: `session` by a session's cookie, `cookie` by those of the specification. */
export type Proof = "none" | "basic" | "api_key" | "password_hash" | "session" | "cookie";

export interface Viewer {
  /** null when anonymous */
  readonly id: number | null;
  readonly name: string;
  /** effective level; a banned user keeps it, `isBanned` takes the rights away */
  readonly level: number;
  readonly isBanned: boolean;
  readonly proof: Proof;
  /** when the account was created; unknown for accounts in whose name the board itself acts */
  readonly createdAt?: Date;
  /** the session, if the viewer was authenticated by one */
  readonly sessionId?: number;
}

export interface SignedIn extends Viewer {
  readonly id: number;
}

export const ANONYMOUS: Viewer = Object.freeze({
  id: null,
  name: "Anonymous",
  level: Level.Anonymous,
  isBanned: false,
  proof: "none",
});

/** Browsers send cookies automatically, so writes authenticated by them need a same-site check. */
export const reliesOnCookies = ({ proof }: Viewer): boolean => proof === "session" || proof === "cookie";

export const isSignedIn = (viewer: Viewer): viewer is SignedIn => viewer.id !== null;
