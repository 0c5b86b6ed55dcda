/** The posts before and after this one in its search, as a film strip; arrow keys move along it. */
import { useEffect } from "preact/hooks";
import { ask } from "../../lib/graphql.js";
import { isHidden } from "../../lib/hidden.js";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { memo } from "../../lib/memo.js";
import { meanColour } from "../../lib/placeholder.js";
import type { Steps } from "../../lib/swipe.js";
import { Icon } from "../../parts/icon.js";
import type { KnownPost, ListedPost } from "../../parts/walk.js";
import { postUrl, postVariables, searchUrl } from "../../routes.js";
import { pictureOf } from "../../thumbnails.js";
import { words } from "../../titles.js";
import { PostDocument } from "./__generated__/post.js";
import type { Strip_PostFragment, StripTile_PostFragment } from "./__generated__/strip.js";
import { isVideo } from "./picture.js";
import { scrollPicture } from "./scroll.js";
import { SlideShow } from "./slide-show.js";
import "./strip.css";

/** How many of the next pictures are preloaded. */
const AHEAD = 2;

function fetchPicture(post: ListedPost): void {
  const { src, srcSet = "", sizes = "" } = pictureOf(post);
  Object.assign(new Image(), { sizes, srcset: srcSet, src });
}

/** Preloads the next pictures when the page is idle. */
function useAhead(next: readonly ListedPost[], search: string): void {
  const ids = next.map(({ id }) => id).join();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const post of next) {
        if (post.largeFileUrl && !isVideo(post)) fetchPicture(post);
        void ask(PostDocument, postVariables(post.id, search)).catch(() => undefined);
      }
    }, 300);
    return () => clearTimeout(timer);
  }, [ids, search]);
}

/** A post with those before and after it, the nearest first. */
export type Beside = Pick<KnownPost, "post" | "before" | "after">;

/** From the post's own response. */
export function besideIn(reference: Ref<Strip_PostFragment>): Beside {
  const strip = unmask<Strip_PostFragment>(reference);
  const listed = (each: Ref<StripTile_PostFragment>): ListedPost => unmask<StripTile_PostFragment>(each);
  return { post: listed(strip), before: strip.postsBefore.map(listed), after: strip.postsAfter.map(listed) };
}

interface FrameProps {
  post: ListedPost;
  search: string;
  isHere?: boolean;
}

/** Most tiles stay the same when moving along. The picture is lazy, so that the first frame need not wait for its request. */
const Frame = memo(
  ({ post, search, isHere = false }: FrameProps) => frameOf(post, search, isHere, !isHere && isHidden(post)),
  ({ post, search, isHere = false }) => [post.id, search, isHere, post.hiddenBy.length],
);

function frameOf({ id, thumbnail, ...post }: ListedPost, search: string, isHere: boolean, isAway: boolean) {
  const mean = thumbnail?.placeholder && !isAway ? { "--mean": meanColour(thumbnail.placeholder) } : {};
  const style = { "--r": Math.min(Math.max(post.imageWidth / post.imageHeight, 0.5), 2).toFixed(3), ...mean };
  const name = isAway ? `Post ${id}, hidden by ${post.hiddenBy.join(" and ")}` : `Post ${id}`;
  return (
    <li class="Strip-frame" style={style} data-rating={post.rating.toLowerCase()}>
      <a href={postUrl(id, search)} aria-current={isHere ? "page" : undefined} aria-label={name}>
        {isAway && <Icon name="hide" />}
        {!isAway && thumbnail && <img loading="lazy" src={thumbnail.url} alt="" decoding="async" />}
      </a>
    </li>
  );
}

interface Props {
  beside: Beside;
  steps: Steps;
  search: string;
  /** the name of the pool, if the search is a pool */
  pool: string | undefined;
  /** whether the next pictures may be preloaded */
  isReady: boolean;
}

/** An arrow key scrolls a picture that is wider than its frame. */
const isScrolled = ({ key }: KeyboardEvent, by: number): boolean => key.startsWith("Arrow") && scrollPicture(by);

export function Strip({ beside: { post, before, after }, steps, search, pool, isReady }: Props) {
  useShortcuts([
    { keys: "ArrowRight d", does: "Next post", run: (event) => isScrolled(event, 1) || steps.next?.() },
    { keys: "ArrowLeft a", does: "Previous post", run: (event) => isScrolled(event, -1) || steps.previous?.() },
  ]);
  useAhead(isReady ? after.slice(0, AHEAD) : [], search);
  const step = (to: ListedPost | undefined, name: string, icon: "left" | "right") =>
    to ? (
      <a class="Button is-bare" href={postUrl(to.id, search)} rel={icon === "left" ? "prev" : "next"} aria-label={name}>
        <Icon name={icon} />
      </a>
    ) : (
      <span class="Button is-bare" aria-disabled="true" role="img" aria-label={`No ${name.toLowerCase()}`}>
        <Icon name={icon} />
      </span>
    );
  return (
    <nav class="Strip" aria-label="Posts beside this one">
      {step(before[0], "Previous post", "left")}
      <ol class="Strip-frames">
        {before.toReversed().map((each) => (
          <Frame key={each.id} post={each} search={search} />
        ))}
        <Frame key={post.id} post={post} search={search} isHere />
        {after.map((each) => (
          <Frame key={each.id} post={each} search={search} />
        ))}
      </ol>
      {step(after[0], "Next post", "right")}
      <SlideShow onNext={steps.next} />
      <a class="Strip-search" href={searchUrl(search)} dir="auto">
        {pool ? words(pool) : search === "" ? "All posts" : search}
      </a>
    </nav>
  );
}
