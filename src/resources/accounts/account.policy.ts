/** Accounts are their users' own, banned or not; nobody else changes them over the interface, whatever the level. */
import { isSignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import type { Rule } from "../shared/policy.js";

export const mayChange: Rule<{ id: number }> = (viewer: Viewer, { id }) => isSignedIn(viewer) && viewer.id === id;
