/** Who is asking: a signed-in user or nobody. Policies are functions of this and a record. */
import { Level } from "./levels.js";

/** How the viewer proved who they are; `cookie` is the one that needs a same-origin check on writes. */
export type Proof = "none" | "basic" | "api_key" | "password_hash" | "cookie";

export interface Viewer {
  /** null when anonymous */
  readonly id: number | null;
  readonly name: string;
  /** effective level; a banned user keeps it, `isBanned` takes the rights away */
  readonly level: number;
  readonly isBanned: boolean;
  readonly proof: Proof;
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

export const isSignedIn = (viewer: Viewer): viewer is SignedIn => viewer.id !== null;
