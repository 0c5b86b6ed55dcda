/**
 * The levels of the specification ("User levels") and the checks on them. A level has every right of those below it.
 */
export const Level = {
  Anonymous: 0,
  Restricted: 10,
  Member: 20,
  Gold: 30,
  Platinum: 31,
  Builder: 32,
  Contributor: 33,
  Janitor: 35,
  Moderator: 40,
  Admin: 50,
} as const;

export type LevelName = keyof typeof Level;
export type LevelNumber = (typeof Level)[LevelName];

/** The lowest first. */
const LEVELS = Object.entries(Level) as [LevelName, LevelNumber][];

/** The role's name in the specification; for an unknown number, the nearest role below. */
export const levelName = (level: number): LevelName =>
  LEVELS.findLast(([, number]) => number <= level)?.[0] ?? "Anonymous";

/** The number of a role given as a name in any case ("contributor") or a number ("33"); null if there is none. */
export function parseLevel(text: string): LevelNumber | null {
  const word = text.trim().toLowerCase();
  const isMeant = ([name, level]: [string, number]) => name.toLowerCase() === word || String(level) === word;
  return LEVELS.find((each) => each[1] >= Level.Member && isMeant(each))?.[1] ?? null;
}
