/** The posts of a search: pages below one another, each under its mark; the address follows what is looked at. */
import { useEffect, useRef, useState } from "preact/hooks";
import { isHidden, revealed } from "../../lib/hidden.js";
import { useShortcuts } from "../../lib/keys.js";
import { go, keep, kept, readdress } from "../../lib/router.js";
import { selection, toggle } from "../../lib/selection.js";
import { useShell } from "../../lib/shell.js";
import { useTitle } from "../../lib/title.js";
import { Icon } from "../../parts/icon.js";
import { pageOf, type Place, searchUrl } from "../../routes.js";
import { galleryTitle } from "../../titles.js";
import { GalleryPage, type PageState } from "./gallery-page.js";
import { SelectBar } from "./select-bar.js";
import { Rail } from "./rail.js";
import { ViewOptions } from "./view-options.js";
import "./gallery.css";

/** What is kept of a gallery for who comes back. */
interface Kept {
  from: number;
  to: number;
  /** the post that was opened */
  focus: number;
}

const tiles = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".Tile-link")];

/** Moves the focus by tiles. */
function move(step: number): void {
  const all = tiles();
  const at = all.findIndex((tile) => tile === document.activeElement);
  const seen = all.findIndex((tile) => tile.getBoundingClientRect().bottom > 60);
  const next = all[at < 0 ? seen : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.focus();
}

/** Begins to select, with the tile that has the focus; once begun, takes it or leaves it. */
function selectByKey(): void {
  const id = Number(document.activeElement?.closest<HTMLElement>(".Tile")?.dataset.id);
  selection.value ??= new Set();
  if (!id) return;
  toggle(id);
  // the tile becomes another element
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`.Tile[data-id="${id}"] .Tile-link`)?.focus());
}

/** Back at the tile that was opened. */
function useReturn(focus: number | undefined): void {
  useEffect(() => {
    if (focus === undefined) return;
    const tile = document.querySelector<HTMLElement>(`.Tile[data-id="${focus}"] .Tile-link`);
    tile?.focus({ preventScroll: true });
    tile?.scrollIntoView({ block: "center" });
  }, []);
}

/** How many of the posts are hidden, and a way to see them all. */
function Hidden({ states }: { states: readonly PageState[] }) {
  const hidden = states.flatMap(({ posts }) => posts.nodes).filter(isHidden).length;
  if (hidden === 0) return null;
  return (
    <button class="Button is-bare" type="button" onClick={() => (revealed.value = "all")}>
      <Icon name="hide" /> Show {hidden} hidden
    </button>
  );
}

export function Page({ place }: { place: Place }) {
  const tags = place.query.get("tags") ?? "";
  const restored = useRef(kept() as Kept | null);
  const start = restored.current?.from ?? pageOf(place.query);
  const [last, setLast] = useState(restored.current?.to ?? start);
  const [shown, setShown] = useState(pageOf(place.query));
  const [states, setStates] = useState<Readonly<Record<number, PageState>>>({});
  const current = states[shown];

  const mayEdit = useShell()?.board.viewerCan.editMany ?? false;
  const isSelecting = selection.value !== null;
  useEffect(() => () => void (selection.value = null), []);

  useTitle(tags || shown > 1 ? galleryTitle(tags, shown) : "");
  useReturn(restored.current?.focus);
  useShortcuts([
    { keys: "j", does: "Next post", run: () => move(1) },
    { keys: "k", does: "Previous post", run: () => move(-1) },
    ...(mayEdit ? [{ keys: "x", does: "Select posts", run: () => selectByKey() }] : []),
    ...(isSelecting ? [{ keys: "Escape", does: "End selecting", run: () => (selection.value = null) }] : []),
    { keys: "ArrowRight d", does: "Next page", run: () => current?.hasNext && go(searchUrl(tags, shown + 1)) },
    { keys: "ArrowLeft a", does: "Previous page", run: () => shown > 1 && go(searchUrl(tags, shown - 1)) },
  ]);

  const onCurrent = (page: number) => {
    setShown(page);
    readdress(searchUrl(tags, page));
  };
  const onState = (page: number, state: PageState) => setStates((all) => ({ ...all, [page]: state }));
  const onOpen = (id: number) => keep({ from: start, to: last, focus: id } satisfies Kept);
  const numbers = Array.from({ length: last - start + 1 }, (_, index) => start + index);
  const total = states[start]?.total;
  return (
    <div class="Gallery">
      <h1 class="Unseen">{tags === "" ? "Posts" : `Posts: ${tags}`}</h1>
      <Rail page={current} search={tags} />
      <div class="Gallery-posts">
        <div class="Gallery-bar">
          <span aria-live="polite">{total}</span>
          <Hidden states={Object.values(states)} />
          <button class="Gallery-tags Button is-bare" type="button" popovertarget="tags">
            <Icon name="tag" /> Tags
          </button>
          {mayEdit && (
            <button
              class="Button is-bare"
              type="button"
              aria-pressed={isSelecting}
              onClick={() => (selection.value = isSelecting ? null : new Set())}
            >
              <Icon name="check" /> Select
            </button>
          )}
          <ViewOptions />
        </div>
        {start > 1 && (
          <p class="Gallery-mark">
            <a href={searchUrl(tags, start - 1)}>Page {start - 1}</a>
          </p>
        )}
        {numbers.map((page) => (
          <GalleryPage
            key={page}
            tags={tags}
            page={page}
            isFirst={page === start}
            onCurrent={onCurrent}
            onState={onState}
            onOpen={onOpen}
            {...(page === last ? { onEnd: () => setLast(page + 1) } : {})}
          />
        ))}
        {isSelecting && <SelectBar page={current?.posts.nodes.map(({ id }) => id) ?? []} />}
      </div>
    </div>
  );
}

export { GalleryDocument as document } from "./__generated__/gallery.js";
