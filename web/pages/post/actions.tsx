/** Favorite and votes, shown at once and undone if refused. */
import type { RefObject } from "preact";
import { change } from "../../lib/graphql.js";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { voted, type VoteName } from "../../lib/vote.js";
import { useSignedIn } from "../../lib/shell.js";
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
  const signedIn = useSignedIn();

  const favorite = () => {
    const was = shown.viewerHasFavorited;
    const favCount = shown.favCount + (was ? -1 : 1);
    const asked = { postId: post.id };
    const run = async () => (was ? change(UnfavoriteDocument, asked) : change(FavoriteDocument, asked));
    attempt("favorite", { ...shown, viewerHasFavorited: !was, favCount }, run);
  };
  const vote = (score: VoteName) =>
    attempt(score, { ...shown, ...voted(shown, score) }, async () => {
      if (shown.viewerVote) await change(UnvoteDocument, { postId: post.id });
      if (shown.viewerVote !== score) await change(VoteDocument, { postId: post.id, score });
    });
  const keys = [
    { keys: "f", does: "Favorite", run: () => signedIn(favorite) },
    { keys: "+ =", does: "Vote up", run: () => signedIn(() => vote("UP")) },
    { keys: "-", does: "Vote down", run: () => signedIn(() => vote("DOWN")) },
    ...(post.viewerCan.update ? [{ keys: "e", does: "Edit", run: onEdit }, scriptKeys(() => [post.id])] : []),
  ];
  useShortcuts(keys);
  return (
    <div class="Actions" role="group" aria-label="Favorite and vote">
      <button
        class="Button"
        type="button"
        aria-pressed={shown.viewerHasFavorited}
        aria-label={`Favorite, ${shown.favCount} so far`}
        title="Favorite (f)"
        onClick={() => signedIn(favorite)}
      >
        <Icon name="heart" isFilled={shown.viewerHasFavorited} />{" "}
        <span class="Actions-count">{count(shown.favCount)}</span>
      </button>
      <span class="Actions-vote">
        <button
          class="Button is-bare"
          type="button"
          aria-pressed={shown.viewerVote === "UP"}
          aria-label="Vote up"
          title="Vote up (+)"
          onClick={() => signedIn(() => vote("UP"))}
        >
          <Icon name="up" />
        </button>
        <span class="Actions-count" aria-live="polite">
          <span class="Unseen">Score </span>
          {count(shown.score)}
        </span>
        <button
          class="Button is-bare"
          type="button"
          aria-pressed={shown.viewerVote === "DOWN"}
          aria-label="Vote down"
          title="Vote down (-)"
          onClick={() => signedIn(() => vote("DOWN"))}
        >
          <Icon name="down" />
        </button>
      </span>
      {post.viewerCan.update && (
        <button class="Button" type="button" ref={opener} aria-expanded={isEdited} title="Edit (e)" onClick={onEdit}>
          <Icon name="edit" /> Edit
        </button>
      )}
      <button class="Drawer-opener Button" type="button" popovertarget={TAGS}>
        <Icon name="tag" /> Tags
      </button>
    </div>
  );
}
