/** A post in a gallery, in the shape of its picture. */
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
import { pictureName } from "../titles.js";
import type { Tile_PostFragment } from "./__generated__/tile.js";
import { Icon } from "./icon.js";
import "./tile.css";

/** The label of a post that is not active. */
function stateOf({ isDeleted, isBanned, isFlagged, isPending }: Tile_PostFragment): string | null {
  if (isDeleted) return "Deleted";
  if (isBanned) return "Banned";
  if (isFlagged) return "Flagged";
  return isPending ? "Pending" : null;
}

const NOT_VISIBLE = "Not visible";

/** What a tile shows beside the picture, as text, in the order that it is shown in. */
function labelsOf(post: Tile_PostFragment): string[] {
  const { thumbnail, mediaFile, favCount } = post;
  const duration = mediaFile?.duration ?? null;
  const labels = [
    thumbnail ? null : NOT_VISIBLE.toLowerCase(),
    stateOf(post)?.toLowerCase() ?? null,
    duration === null ? null : clock(duration),
    favCount > 0 ? `${favCount} ${favCount === 1 ? "favorite" : "favorites"}` : null,
  ];
  return labels.filter((label) => label !== null);
}

/** The accessible name of a tile: the post's tags and labels. */
function nameOf(post: Tile_PostFragment): string {
  return [`Post ${post.id}: ${pictureName(post.tagString)}`, ...labelsOf(post)].join("; ");
}

/** Makes a change that removes what has the focus, and focuses the tile again that had it, as another element, else the posts. */
export function keepFocus(change: () => void): void {
  const { id } = document.activeElement?.closest<HTMLElement>(".Tile")?.dataset ?? {};
  change();
  requestAnimationFrame(() => {
    const next = document.querySelector<HTMLElement>(id ? `.Tile[data-id="${id}"] .Tile-link` : "#posts");
    if (document.activeElement === document.body) next?.focus({ preventScroll: true });
  });
}

/** The tile of a post that the viewer's blacklist hides: why, and a button to show it. */
const HiddenTile = ({ id, hiddenBy, ...tile }: { id: number; hiddenBy: readonly string[]; shape: string }) => (
  <li class="Tile" style={{ "--r": tile.shape }} data-id={id}>
    <button
      class="Tile-link Tile-hidden"
      type="button"
      aria-label={`Post ${id} is hidden by ${hiddenBy.join(" and ")}. Show it`}
      onClick={() => keepFocus(() => reveal(id))}
    >
      <Icon name="hide" />
      <span dir="auto">{hiddenBy.join(", ")}</span>
    </button>
  </li>
);

/** Whether the whole tile is rendered, not just its box: not while the page scrolls fast, but always once it was rendered. */
function useSeen(isLater: boolean): boolean {
  const isSeen = useRef(false);
  if (!isSeen.current) isSeen.current = !isLater && !isFlying.value;
  return isSeen.current;
}

function Picture({ post, isFirst }: { post: Tile_PostFragment; isFirst: boolean }) {
  if (!post.thumbnail) return <span class="Tile-hidden">{NOT_VISIBLE}</span>;
  const { url, srcSet } = post.thumbnail;
  const sizes = sizesOf(shapeOf(post), preferences.value);
  const loading = isFirst ? "eager" : "lazy";
  return <img loading={loading} sizes={sizes} srcSet={srcSet} src={url} alt="" decoding="async" draggable={false} />;
}

interface Props {
  post: Ref<Tile_PostFragment>;
  /** the search that lists it */
  tags?: string;
  /** whether it is in the first view */
  isFirst?: boolean;
  /** whether only its box and colour are rendered for now */
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
