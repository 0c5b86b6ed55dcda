/** Votes up and down by one user: the same vote again removes it, the other one replaces it. */
export type VoteName = "UP" | "DOWN";

interface Votable {
  score: number;
  viewerVote: VoteName | null;
}

const WORTH: Readonly<Record<VoteName, number>> = { UP: 1, DOWN: -1 };

/** The score and vote of a record after a click on a vote button. */
export function voted({ score, viewerVote }: Votable, vote: VoteName): Votable {
  const without = score - (viewerVote ? WORTH[viewerVote] : 0);
  return viewerVote === vote
    ? { score: without, viewerVote: null }
    : { score: without + WORTH[vote], viewerVote: vote };
}
