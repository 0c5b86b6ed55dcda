/** A post in a gallery, in its picture's own shape. */
import { useRef } from "preact/hooks";
import { isFlying } from "../lib/flight.js";
import { isHidden, reveal } from "../lib/hidden.js";
import { type Ref, unmask } from "../lib/mask.js";
import { meanColour } from "../lib/placeholder.js";
import { preferences } from "../lib/preferences.js";
import { isChosen, selection, toggle } from "../lib/selection.js";
import { clock } from "../lib/time.js";
import { postUrl } from "../routes.js";
import { shapeOf, sizesOf } from "../thumbnails.js";
import { words } from "../titles.js";
import type { Tile_PostFragment } from "./__generated__/tile.js";
import { Icon } from "./icon.js";
import "./tile.css";

const MAX_NAME = 120;

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

/** Whether a tile is to show more than its place and colour: not while it flies past, but once it has been seen. */
function useSeen(isLater: boolean): boolean {
  const isSeen = useRef(false);
  if (!isSeen.current) isSeen.current = !isLater && !isFlying.value;
  return isSeen.current;
}

function Picture({ post, isFirst }: { post: Tile_PostFragment; isFirst: boolean }) {
  if (!post.thumbnail) return <span class="Tile-hidden">Not shown to you</span>;
  const { url, srcSet } = post.thumbnail;
  const sizes = sizesOf(shapeOf(post), preferences.value);
  const loading = isFirst ? "eager" : "lazy";
  return <img loading={loading} sizes={sizes} srcSet={srcSet} src={url} alt="" decoding="async" draggable={false} />;
}

interface Props {
  post: Ref<Tile_PostFragment>;
  /** the search in which it is looked at */
  tags?: string;
  /** whether it is in the first view */
  isFirst?: boolean;
  /** shows its place and colour for now */
  isLater?: boolean;
  onOpen?: (id: number) => void;
}

export function Tile({ post: reference, tags = "", isFirst = false, isLater = false, onOpen }: Props) {
  const post = unmask<Tile_PostFragment>(reference);
  const { id, thumbnail, mediaFile, favCount } = post;
  const isSeen = useSeen(isLater);
  const state = stateOf(post);
  const duration = mediaFile?.duration ?? null;
  const shape = shapeOf(post).toFixed(4);
  if (isHidden(post)) return <HiddenTile id={id} hiddenBy={post.hiddenBy} shape={shape} />;
  const mean = thumbnail?.placeholder ? { "--mean": meanColour(thumbnail.placeholder) } : {};
  if (!isSeen) return <li class="Tile" style={{ "--r": shape, ...mean }} data-id={id} />;
  const hasFamily = post.parentId !== null || post.hasVisibleChildren;
  const picture = <Picture post={post} isFirst={isFirst} />;
  if (selection.value)
    return (
      <li class="Tile" style={{ "--r": shape, ...mean }} data-rating={post.rating.toLowerCase()} data-id={id}>
        <button
          class="Tile-link"
          type="button"
          role="checkbox"
          aria-checked={isChosen(id)}
          aria-label={nameOf(post)}
          onClick={() => toggle(id)}
        >
          {picture}
        </button>
      </li>
    );
  return (
    <li
      class="Tile"
      style={{ "--r": shape, ...mean }}
      data-state={state?.toLowerCase()}
      data-rating={post.rating.toLowerCase()}
      data-id={id}
    >
      <a class="Tile-link" href={postUrl(id, tags)} aria-label={nameOf(post)} onClick={() => onOpen?.(id)}>
        {picture}
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
