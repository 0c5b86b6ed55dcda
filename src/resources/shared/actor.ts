/** Who makes a change: the viewer of a request, or the board itself, in a job or by command. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { authorize } from "./policy.js";

/** The board itself may do everything; it has neither a user id nor an address. */
export type Actor = RequestContext | "board";

export const viewerOf = (actor: Actor): Viewer | null => (actor === "board" ? null : actor.viewer);

export const userIdOf = (actor: Actor): number | null => viewerOf(actor)?.id ?? null;

/** Checks that the rule allows it to the viewer; the board itself may do everything. @throws BoardError 403 */
export function authorizeActor(actor: Actor, isAllowed: (viewer: Viewer) => boolean): void {
  if (actor !== "board") authorize(actor.viewer, isAllowed(actor.viewer));
}
