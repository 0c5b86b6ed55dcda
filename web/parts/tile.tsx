/** A post in a gallery, in its picture's own shape. */
import { isHidden, reveal } from "../lib/hidden.js";
import { clock } from "../lib/time.js";
import { type Ref, unmask } from "../lib/mask.js";
import { postUrl } from "../routes.js";
import { words } from "../titles.js";
import type { Tile_PostFragment } from "./__generated__/tile.js";
import { Icon } from "./icon.js";
import "./tile.css";

/** Wider and higher ones are cut, so that a row stays a row. */
const [NARROWEST, WIDEST] = [0.4, 3];
const MAX_NAME = 120;

const shapeOf = ({ imageWidth, imageHeight }: Tile_PostFragment): number =>
  Math.min(Math.max(imageWidth / imageHeight, NARROWEST), WIDEST);

/** What is said of a post that not everybody is to find. */
function stateOf({ isDeleted, isBanned, isFlagged, isPending }: Tile_PostFragment): string | null {
  if (isDeleted) return "Deleted";
  if (isBanned) return "Banned";
  if (isFlagged) return "Flagged";
  return isPending ? "Pending" : null;
}

/** What the tile is called: the post's tags. */
function nameOf({ id, tagString }: Tile_PostFragment): string {
  const tags = words(tagString.split(" ").join(", "));
  return `Post ${id}: ${tags.length > MAX_NAME ? `${tags.slice(0, MAX_NAME).replace(/,[^,]*$/, "")} …` : tags}`;
}

/** In the place of a post that the viewer does not want to see: why, and a way to see it. */
const HiddenTile = ({ id, hiddenBy, ...tile }: { id: number; hiddenBy: readonly string[]; shape: string }) => (
  <li class="Tile" style={{ "--r": tile.shape }} data-id={id}>
    <button
      class="Tile-link Tile-hidden"
      type="button"
      aria-label={`Post ${id} is hidden by ${hiddenBy.join(" and ")}. Show it`}
      onClick={() => reveal(id)}
    >
      <Icon name="hide" />
      <span dir="auto">{hiddenBy.join(", ")}</span>
    </button>
  </li>
);

interface Props {
  post: Ref<Tile_PostFragment>;
  /** the search in which it is looked at */
  tags?: string;
  isFirst?: boolean;
  onOpen?: () => void;
}

export function Tile({ post: reference, tags = "", isFirst = false, onOpen }: Props) {
  const post = unmask<Tile_PostFragment>(reference);
  const { id, previewFileUrl, mediaFile, favCount } = post;
  const state = stateOf(post);
  const duration = mediaFile?.duration ?? null;
  const shape = shapeOf(post).toFixed(4);
  if (isHidden(post)) return <HiddenTile id={id} hiddenBy={post.hiddenBy} shape={shape} />;
  const hasFamily = post.parentId !== null || post.hasVisibleChildren;
  return (
    <li
      class="Tile"
      style={{ "--r": shape }}
      data-state={state?.toLowerCase()}
      data-rating={post.rating.toLowerCase()}
      data-id={id}
    >
      <a class="Tile-link" href={postUrl(id, tags)} aria-label={nameOf(post)} onClick={onOpen}>
        {previewFileUrl ? (
          <img src={previewFileUrl} alt="" decoding="async" loading={isFirst ? "eager" : "lazy"} draggable={false} />
        ) : (
          <span class="Tile-hidden">Not shown to you</span>
        )}
        <span class="Tile-facts" aria-hidden="true">
          {state && <span>{state}</span>}
          {duration !== null && (
            <span>
              <Icon name="play" size={12} isFilled /> {clock(duration)}
            </span>
          )}
          {favCount > 0 && (
            <span class="Tile-more">
              <Icon name="heart" size={12} isFilled /> {favCount}
            </span>
          )}
          {hasFamily && (
            <span class="Tile-more">
              <Icon name="family" size={12} />
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
