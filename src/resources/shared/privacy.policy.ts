/** What users keep to themselves: their votes, and favorites that are private. Everybody sees the own ones. */
import { admin, type Rule } from "./policy.js";

export const maySeePrivateFavorites: Rule<unknown> = admin;
export const maySeeVotes: Rule<unknown> = admin;
