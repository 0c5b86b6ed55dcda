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

const names = new Map<number, LevelName>(Object.entries(Level).map(([name, level]) => [level, name as LevelName]));

/** The role's name in the specification; for an unknown number, the nearest role below. */
export function levelName(level: number): LevelName {
  const known = [...names.keys()].filter((number) => number <= level);
  return names.get(Math.max(0, ...known)) ?? "Anonymous";
}

/** The number of a role given as a name in any case ("contributor") or a number ("33"); null if there is none. */
export function parseLevel(text: string): LevelNumber | null {
  const word = text.trim().toLowerCase();
  for (const [name, level] of Object.entries(Level)) {
    if (level >= Level.Member && (name.toLowerCase() === word || String(level) === word)) return level;
  }
  return null;
}
