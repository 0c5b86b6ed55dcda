/** The posts of a search: pages below one another, each with its number; the URL follows the page in view. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { watchFlight } from "../../lib/flight.js";
import { isHidden, type Listed, revealed } from "../../lib/hidden.js";
import { whenLoaded } from "../../lib/idle.js";
import { useShortcuts } from "../../lib/keys.js";
import { go, keep, kept, readdress } from "../../lib/router.js";
import { selection, toggle } from "../../lib/selection.js";
import { useShell } from "../../lib/shell.js";
import { useTitle } from "../../lib/title.js";
import { Icon } from "../../parts/icon.js";
import { later } from "../../parts/later.js";
import { scriptKeys } from "../../parts/tag-script.js";
import { keepFocus } from "../../parts/tile.js";
import { openFrom, walkAlong } from "../../parts/walk.js";
import { pageBefore, pageOf, type Place, searchUrl } from "../../routes.js";
import { galleryTitle, pageTitle, words } from "../../titles.js";
import type { GalleryQuery } from "./__generated__/gallery.js";
import type { PageState } from "./gallery-page.js";
import { type Heights, heightsNow, Pages, without } from "./pages.js";
import { Rail } from "./rail.js";
import { ViewOptions } from "./view-options.js";
import "./gallery.css";

const SelectBar = later(async () => (await import("./select-bar.js")).SelectBar);
const PoolAbout = later(async () => (await import("./pool-about.js")).PoolAbout);

/** What is kept of a gallery, to restore it on return. */
interface Kept {
  pages: readonly string[];
  heights: Heights;
  /** the post that was opened */
  focus: number;
}

/** On return only the page that was in view and those beside it are rendered; the others have their heights. */
const awayFrom = ({ pages = [], heights = {} }: Partial<Kept>, page: string): Heights =>
  Object.fromEntries(
    Object.entries(heights).filter(([each]) => Math.abs(pages.indexOf(each) - pages.indexOf(page)) > 1),
  );

const tiles = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".Tile-link")];

/** Moves the focus by a number of tiles. */
function move(step: number): void {
  const all = tiles();
  const at = all.findIndex((tile) => tile === document.activeElement);
  const seen = all.findIndex((tile) => tile.getBoundingClientRect().bottom > 60);
  const next = all[at < 0 ? seen : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.focus();
}

/** The id of the focused tile's post; 0 for none. */
const focusedPost = (): number => Number(document.activeElement?.closest<HTMLElement>(".Tile")?.dataset.id ?? 0);

/** Starts selecting with the focused tile; while selecting, toggles the tile. */
function selectByKey(): void {
  const id = focusedPost();
  keepFocus(() => {
    selection.value ??= new Set();
    if (id) toggle(id);
  });
}

const endSelecting = (): void => keepFocus(() => (selection.value = null));

/** The posts that a shortcut edits: the selected ones, else that of the focused tile. */
function meant(): number[] {
  if (selection.value?.size) return [...selection.value];
  const id = focusedPost();
  return id === 0 ? [] : [id];
}

/** Focuses and scrolls to the tile that was opened, once its page is there. */
function useReturn(opened: number | undefined): void {
  const focus = useRef(opened);
  useLayoutEffect(() => {
    const tile = focus.current && document.querySelector<HTMLElement>(`.Tile[data-id="${focus.current}"] .Tile-link`);
    if (!tile) return;
    focus.current = 0;
    tile.focus({ preventScroll: true });
    tile.scrollIntoView({ block: "center" });
  });
}

/** The number of hidden posts, and a button that shows them. */
function Hidden({ posts }: { posts: readonly Listed[] }) {
  const hidden = posts.filter(isHidden).length;
  if (hidden === 0) return null;
  return (
    <button class="Button is-bare" type="button" onClick={() => keepFocus(() => (revealed.value = "all"))}>
      <Icon name="hide" /> Show {hidden} hidden
    </button>
  );
}

type States = Readonly<Record<string, PageState>>;

/** The state of the rendered pages, and of the whole search. */
function useStates() {
  const [states, setStates] = useState<States>({});
  const [hidden, setHidden] = useState<Readonly<Record<string, readonly Listed[]>>>({});
  const [total, setTotal] = useState<string>();
  const onState = (page: string, state: PageState) => {
    setStates((all) => ({ ...all, [page]: state }));
    setTotal(state.total);
    const own = state.posts.nodes.filter(({ hiddenBy }) => hiddenBy.length > 0);
    setHidden((all) => (own.length === 0 && !all[page] ? all : { ...all, [page]: own }));
  };
  const onAway = (page: string) => setStates((all) => without(all, page));
  return { states, hidden: Object.values(hidden).flat(), total, onState, onAway };
}

/** The posts of all pages in their order, and their tags. */
function listOf(states: States, all: readonly string[]) {
  const pages = all.flatMap((page) => states[page]?.posts ?? []);
  const tags = pages.flatMap((page) => page.tags.map(({ tag }) => tag));
  return { posts: pages.flatMap(({ nodes }) => nodes), tags: [...new Map(tags.map((tag) => [tag.id, tag])).values()] };
}

export function Page({ place }: { place: Place }) {
  const tags = place.query.get("tags") ?? "";
  const [restored] = useState(() => kept<Kept>());
  const here = pageOf(place.query);
  const [pages, setPages] = useState(restored?.pages ?? [here]);
  const [shown, setShown] = useState(here);
  const { states, hidden, total, onState, onAway } = useStates();
  const current = states[shown];
  const before = pageBefore(pages[0] ?? here);

  const [pool, setPool] = useState<GalleryQuery["posts"]["pool"]>();
  const name = pool ? words(pool.name) : tags;

  const mayEdit = useShell()?.board.viewerCan.editMany ?? false;
  const isSelecting = selection.value !== null;
  useEffect(() => () => void (selection.value = null), []);

  const turnTo = (page: string | null | undefined) => page && go(searchUrl(tags, page));
  useEffect(watchFlight, []);
  useTitle(tags || shown !== "1" ? galleryTitle(name, shown) : "");
  useReturn(restored?.focus);
  useShortcuts([
    { keys: "j", does: "Next post", run: () => move(1) },
    { keys: "k", does: "Previous post", run: () => move(-1) },
    ...(mayEdit ? [{ keys: "x", does: "Select posts", run: () => selectByKey() }, scriptKeys(meant)] : []),
    ...(isSelecting ? [{ keys: "Escape", does: "Stop selecting", run: endSelecting }] : []),
    { keys: "ArrowRight d", does: "Next page", run: () => turnTo(current?.next) },
    { keys: "ArrowLeft a", does: "Previous page", run: () => turnTo(pageBefore(shown)) },
  ]);

  const onCurrent = (page: string) => {
    setShown(page);
    readdress(place, searchUrl(tags, page));
  };
  const onEnd = (page: string, next: string) =>
    whenLoaded(() => setPages((all) => (all.at(-1) === page ? [...all, next] : all)));
  useLayoutEffect(() => keep((): Kept => ({ pages, heights: heightsNow(), focus: focusedPost() })), [pages]);
  const onOpen = (id: number) => {
    openFrom(id, document.querySelector(`.Tile[data-id="${id}"]`));
    walkAlong({ search: tags, ...listOf(states, pages) });
  };
  return (
    <div class="Gallery">
      <header class={pool ? "Gallery-head" : "Unseen"}>
        <h1 dir="auto">{pool || tags === "" ? name || "Posts" : `Posts: ${tags}`}</h1>
        {pool && <PoolAbout id={pool.id} />}
      </header>
      <Rail page={current} search={tags} />
      <div class="Gallery-posts" id="posts" tabIndex={-1}>
        <div class="Gallery-bar">
          <span aria-live="polite">{total}</span>
          <Hidden posts={hidden} />
          <button class="Drawer-opener Button is-bare" type="button" popovertarget="tags">
            <Icon name="tag" /> Tags
          </button>
          {mayEdit && current?.posts.nodes.length !== 0 && (
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
        {before && (
          <p class="Gallery-mark">
            <a href={searchUrl(tags, before)}>{pageTitle(before)}</a>
          </p>
        )}
        <Pages
          tags={tags}
          pages={pages}
          away={restored ? awayFrom(restored, here) : {}}
          heights={restored?.heights ?? {}}
          onCurrent={onCurrent}
          onAway={onAway}
          opened={restored?.focus}
          events={{ onPool: setPool, onState, onOpen, onEnd }}
        />
        {isSelecting && <SelectBar page={current?.posts.nodes.map(({ id }) => id) ?? []} onDone={endSelecting} />}
      </div>
    </div>
  );
}

export { GalleryDocument as document } from "./__generated__/gallery.js";
