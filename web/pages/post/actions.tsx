/** Favorite and votes, shown at once and undone if refused. */
import type { RefObject } from "preact";
import { change } from "../../lib/graphql.js";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { voted, type VoteName } from "../../lib/vote.js";
import { useOffer } from "../../lib/shell.js";
import { count } from "../../lib/time.js";
import { useExpected } from "../../parts/expected.js";
import { Icon } from "../../parts/icon.js";
import { scriptKeys } from "../../parts/tag-script.js";
import {
  type Actions_PostFragment,
  FavoriteDocument,
  UnfavoriteDocument,
  UnvoteDocument,
  VoteDocument,
} from "./__generated__/actions.js";

/** The tags of the post. */
export const TAGS = "post-tags";

type State = Pick<Actions_PostFragment, "score" | "favCount" | "viewerHasFavorited" | "viewerVote">;

interface Props {
  post: Ref<Actions_PostFragment>;
  isEdited: boolean;
  /** the button that opens the form */
  opener: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
}

export function Actions({ post: reference, isEdited, opener, onEdit }: Props) {
  const post = unmask<Actions_PostFragment>(reference);
  const { shown, attempt } = useExpected<State>(post);
  const offer = useOffer();

  const favorite = offer(post.viewerCan.favorite, () => {
    const was = shown.viewerHasFavorited;
    const favCount = shown.favCount + (was ? -1 : 1);
    const asked = { postId: post.id };
    const run = async () => (was ? change(UnfavoriteDocument, asked) : change(FavoriteDocument, asked));
    attempt("favorite", { ...shown, viewerHasFavorited: !was, favCount }, run);
  });
  const vote = (score: VoteName) =>
    offer(post.viewerCan.vote, () =>
      attempt(score, { ...shown, ...voted(shown, score) }, async () => {
        if (shown.viewerVote) await change(UnvoteDocument, { postId: post.id });
        if (shown.viewerVote !== score) await change(VoteDocument, { postId: post.id, score });
      }),
    );
  const [up, down] = [vote("UP"), vote("DOWN")];
  useShortcuts([
    ...(favorite ? [{ keys: "f", does: "Favorite", run: favorite }] : []),
    ...(up ? [{ keys: "+ =", does: "Vote up", run: up }] : []),
    ...(down ? [{ keys: "-", does: "Vote down", run: down }] : []),
    ...(post.viewerCan.update ? [{ keys: "e", does: "Edit", run: onEdit }, scriptKeys(() => [post.id])] : []),
  ]);
  const favorites = (
    <>
      <Icon name="heart" isFilled={shown.viewerHasFavorited} />{" "}
      <span class="Actions-count">
        <span class="Unseen">Favorites </span>
        {count(shown.favCount)}
      </span>
    </>
  );
  const voteButton = (score: VoteName, label: string, key: string, run: (() => void) | undefined) =>
    run && (
      <button
        class="Button is-bare"
        type="button"
        aria-pressed={shown.viewerVote === score}
        aria-label={label}
        title={`${label} (${key})`}
        onClick={run}
      >
        <Icon name={score === "UP" ? "up" : "down"} />
      </button>
    );
  return (
    <div class="Actions" role="group" aria-label="Favorite and vote">
      {favorite ? (
        <button
          class="Button"
          type="button"
          aria-pressed={shown.viewerHasFavorited}
          aria-label={`Favorite, ${shown.favCount} so far`}
          title="Favorite (f)"
          onClick={favorite}
        >
          {favorites}
        </button>
      ) : (
        <span>{favorites}</span>
      )}
      <span class="Actions-vote">
        {voteButton("UP", "Vote up", "+", up)}
        <span class="Actions-count" aria-live="polite">
          <span class="Unseen">Score </span>
          {count(shown.score)}
        </span>
        {voteButton("DOWN", "Vote down", "-", down)}
      </span>
      {post.viewerCan.update && (
        <button class="Button" type="button" ref={opener} aria-expanded={isEdited} title="Edit (e)" onClick={onEdit}>
          <Icon name="edit" /> Edit
        </button>
      )}
      <button class="Drawer-opener Button" type="button" popovertarget={TAGS}>
        <Icon name="tag" /> Tags
      </button>
      <span class="Unseen" role="status">
        {shown.viewerHasFavorited ? "Favorite" : "No favorite"}
      </span>
    </div>
  );
}
