import { idOf } from "../histories.js";

/** The nearest integer that GraphQL can send, so that the board can say what is wrong with a number that is too large. */
export const withinInt = (number: number): number => Math.min(Math.max(number, -2_147_483_648), 2_147_483_647);

/** The ID in a field for a parent, 0 if it is too large for one; null if the field is empty. */
export const parentIn = (text: string): number | null => (text.trim() === "" ? null : idOf(text));
