/** Votes up and down, of one person: the same again takes it back, the other one replaces it. */
export type VoteName = "UP" | "DOWN";

interface Votable {
  score: number;
  viewerVote: VoteName | null;
}

const WORTH: Readonly<Record<VoteName, number>> = { UP: 1, DOWN: -1 };

/** What a vote makes of a record that had one, or none. */
export function voted({ score, viewerVote }: Votable, vote: VoteName): Votable {
  const without = score - (viewerVote ? WORTH[viewerVote] : 0);
  return viewerVote === vote
    ? { score: without, viewerVote: null }
    : { score: without + WORTH[vote], viewerVote: vote };
}
