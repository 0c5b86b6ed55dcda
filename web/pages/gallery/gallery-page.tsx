/** One page of a gallery. Far from what is looked at, its tiles are put away, and only its height stays. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useDocument } from "../../lib/graphql.js";
import { useIntersection } from "../../lib/intersection.js";
import { count } from "../../lib/time.js";
import { RefusalOf } from "../../parts/refusal.js";
import { Tile } from "../../parts/tile.js";
import { galleryVariables, searchUrl } from "../../routes.js";
import { GalleryDocument, type GalleryQuery } from "./__generated__/gallery.js";
import { Hints } from "./hints.js";
import { NothingFound } from "./nothing-found.js";

/** What the gallery knows of a page. */
export interface PageState {
  posts: GalleryQuery["posts"];
  hasNext: boolean;
  /** in words */
  total: string;
}

interface Props {
  tags: string;
  page: number;
  isFirst: boolean;
  onCurrent: (page: number) => void;
  onState: (page: number, state: PageState) => void;
  onOpen: (id: number) => void;
  /** of the last page: its end is near */
  onEnd?: () => void;
}

/** How near what is loaded, and what is not put away, is: in heights of the window. */
const NEAR = "200% 0px";
const KEPT = "300% 0px";
/** The page across the middle of the window is the one that is looked at. */
const MIDDLE = "-50% 0px -50% 0px";
const EAGER = 12;

const totalOf = ({ totalCount, isTotalCountEstimate }: GalleryQuery["posts"]): string =>
  `${isTotalCountEstimate ? "About " : ""}${count(totalCount)} ${totalCount === 1 ? "post" : "posts"}`;

export function GalleryPage({ tags, page, isFirst, onCurrent, onState, onOpen, onEnd }: Props) {
  const { data, problem, again } = useDocument(GalleryDocument, galleryVariables(tags, page));
  const section = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const posts = data?.posts;
  const hasNext = posts?.pageInfo.hasNextPage ?? false;

  useEffect(() => {
    if (posts) onState(page, { posts, hasNext, total: totalOf(posts) });
  }, [posts]);
  useIntersection(section, MIDDLE, (isIn) => isIn && onCurrent(page));
  useIntersection(section, KEPT, (isIn) => setHeight(isIn ? null : (section.current?.offsetHeight ?? null)));
  useIntersection(end, NEAR, (isIn) => isIn && hasNext && onEnd?.(), [hasNext, onEnd === undefined]);

  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (posts && posts.nodes.length === 0 && isFirst) return <NothingFound tags={tags} page={page} hints={posts.hints} />;
  const isAway = height !== null;
  return (
    <section
      class="Gallery-page"
      ref={section}
      aria-label={`Page ${page}`}
      style={isAway ? { height: `${height}px` } : {}}
    >
      {!isFirst && !isAway && (
        <p class="Gallery-mark">
          <a href={searchUrl(tags, page)}>{page}</a>
        </p>
      )}
      {isFirst && posts && <Hints tags={tags} hints={posts.hints} />}
      {!isAway && (
        <ul class="Tiles" aria-busy={!posts}>
          {posts?.nodes.map((post, index) => (
            <Tile
              key={post.id}
              post={post}
              tags={tags}
              isFirst={isFirst && index < EAGER}
              onOpen={() => onOpen(post.id)}
            />
          ))}
        </ul>
      )}
      {!posts && <p class="Gallery-wait">Loading …</p>}
      <div ref={end} />
    </section>
  );
}
