/** The posts of one page of a gallery. */
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { holdPage } from "../../lib/cache.js";
import { useDrawings } from "../../lib/drawn.js";
import { aMinuteAgo, useDocument } from "../../lib/graphql.js";
import { useIntersections } from "../../lib/intersection.js";
import { openedAt } from "../../lib/router.js";
import { postsInWords } from "../../lib/time.js";
import { RefusalOf } from "../../parts/refusal.js";
import { Tile } from "../../parts/tile.js";
import { galleryVariables, RANDOM, searchUrl } from "../../routes.js";
import { FIRST_VIEW } from "../../thumbnails.js";
import { pageTitle } from "../../titles.js";
import { GalleryDocument, type GalleryQuery } from "./__generated__/gallery.js";
import { Hints } from "./hints.js";
import { NothingFound } from "./nothing-found.js";

/** The state of a page, as reported to the gallery. */
export interface PageState {
  posts: GalleryQuery["posts"];
  next: string | null;
  /** as text */
  total: string;
}

export interface PageEvents {
  onPool: (pool: GalleryQuery["posts"]["pool"]) => void;
  onState: (page: string, state: PageState) => void;
  onOpen: (id: number) => void;
  /** the end of a page that has a next one comes near */
  onEnd: (page: string, next: string) => void;
}

interface Props {
  tags: string;
  page: string;
  isFirst: boolean;
  /** pixels, until it is loaded */
  height: number | undefined;
  /** the post to whose tile one returns, which is rendered in the first frame */
  opened: number | undefined;
  events: PageEvents;
}

/** How near the end of a page the next one is loaded, in heights of the window. */
const NEAR = "200% 0px";
/** How many tiles are rendered in the first frame, in the second, and so on. */
const DRAWN = [8, 16, 26, Number.POSITIVE_INFINITY];

const totalOf = ({ totalCount, isTotalCountEstimate }: GalleryQuery["posts"]): string =>
  `${isTotalCountEstimate ? "About " : ""}${postsInWords(totalCount)}`;

export function GalleryPage({ tags, page, isFirst, height, opened, events }: Props) {
  // random posts are on return those that were left
  const since = Math.max(openedAt(), tags.includes(RANDOM) ? 0 : aMinuteAgo());
  const { data, problem, again } = useDocument(GalleryDocument, galleryVariables(tags, page), false, since);
  const drawn = DRAWN[useDrawings(0, DRAWN.length - 1)] ?? 0;
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(events);
  latest.current = events;
  // a stable function, so that only changed tiles are rendered again
  const onOpen = useCallback((id: number) => latest.current.onOpen(id), []);
  const posts = data?.posts;
  const next = posts?.pageInfo.nextPage ?? null;

  const pool = posts?.pool;

  useLayoutEffect(() => holdPage({ tags, page }), [tags, page]);
  // before the first frame
  useLayoutEffect(() => {
    if (pool) events.onPool(pool);
  }, [pool]);
  useEffect(() => {
    if (posts) events.onState(page, { posts, next, total: totalOf(posts) });
  }, [posts]);
  useIntersections(root, ".Gallery-end", NEAR, (_end, isIn) => isIn && next && events.onEnd(page, next), [next]);

  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (posts && posts.nodes.length === 0 && isFirst) return <NothingFound tags={tags} page={page} hints={posts.hints} />;
  return (
    <div ref={root} style={posts || height === undefined ? {} : { minHeight: `${height}px` }}>
      {!isFirst && (
        <p class="Gallery-mark">
          <a href={searchUrl(tags, page)}>{pageTitle(page)}</a>
        </p>
      )}
      {isFirst && posts && <Hints tags={tags} hints={posts.hints} />}
      <ul class="Tiles" aria-busy={!posts}>
        {posts?.nodes.map((post, index) => (
          <Tile
            key={post.id}
            post={post}
            tags={tags}
            isFirst={isFirst && index < FIRST_VIEW}
            isLater={index >= drawn && post.id !== opened}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {!posts && <p class="Gallery-wait">Loading …</p>}
      {next && <div class="Gallery-end" />}
      {!next && posts?.pageInfo.hasNextPage && (
        <p class="Gallery-wait">
          Lists in this order end here. <a href={searchUrl(tags)}>Back to the first page</a>
        </p>
      )}
    </div>
  );
}
