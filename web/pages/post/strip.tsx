/** The posts beside this one in the search that it was found by, as a film strip; arrow keys walk along it. */
import { useEffect } from "preact/hooks";
import { ask } from "../../lib/graphql.js";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { meanColour } from "../../lib/placeholder.js";
import { go } from "../../lib/router.js";
import type { Beside } from "../../lib/swipe.js";
import { Icon } from "../../parts/icon.js";
import { poolSearch, postUrl, postVariables, searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import { PostDocument } from "./__generated__/post.js";
import type { Strip_PostFragment, StripTile_PostFragment } from "./__generated__/strip.js";
import { scrollPicture } from "./scroll.js";
import { SlideShow } from "./slide-show.js";
import "./strip.css";

/** So many of the next ones are loaded beforehand. */
const AHEAD = 2;

/** Loads what comes next, when the page has nothing else to do. */
function useAhead(next: readonly StripTile_PostFragment[], search: string): void {
  const ids = next.map(({ id }) => id).join();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const { id, largeFileUrl, fileExt } of next) {
        if (largeFileUrl && !/^(mp4|webm)$/.test(fileExt)) new Image().src = largeFileUrl;
        void ask(PostDocument, postVariables(id, search)).catch(() => undefined);
      }
    }, 300);
    return () => clearTimeout(timer);
  }, [ids, search]);
}

/** The posts beside one, and how one goes there. */
export interface Neighbors extends Beside {
  previousPosts: readonly StripTile_PostFragment[];
  nextPosts: readonly StripTile_PostFragment[];
}

export function neighborsIn(reference: Ref<Strip_PostFragment>, search: string): Neighbors {
  const { postsBefore, postsAfter } = unmask<Strip_PostFragment>(reference);
  const previousPosts = postsBefore.map((each) => unmask<StripTile_PostFragment>(each));
  const nextPosts = postsAfter.map((each) => unmask<StripTile_PostFragment>(each));
  const step = (to: StripTile_PostFragment | undefined) => to && (() => go(postUrl(to.id, search)));
  return { previousPosts, nextPosts, previous: step(previousPosts[0]), next: step(nextPosts[0]) };
}

function Frame({ post, search, isHere }: { post: StripTile_PostFragment; search: string; isHere?: boolean }) {
  const { placeholder } = post.thumbnail ?? {};
  const mean = placeholder ? { "--mean": meanColour(placeholder) } : {};
  const style = { "--r": Math.min(Math.max(post.imageWidth / post.imageHeight, 0.5), 2).toFixed(3), ...mean };
  return (
    <li class="Strip-frame" style={style}>
      <a href={postUrl(post.id, search)} aria-current={isHere ? "page" : undefined} aria-label={`Post ${post.id}`}>
        {post.thumbnail && <img src={post.thumbnail.url} alt="" decoding="async" />}
      </a>
    </li>
  );
}

interface Props {
  post: Ref<Strip_PostFragment>;
  search: string;
  neighbors: Neighbors;
}

/** An arrow scrolls a picture that is wider than its frame. */
const isScrolled = ({ key }: KeyboardEvent, by: number): boolean => key.startsWith("Arrow") && scrollPicture(by);

export function Strip({ post: reference, search, neighbors }: Props) {
  const post = unmask<Strip_PostFragment>(reference);
  const { previousPosts: previous, nextPosts: next } = neighbors;
  useShortcuts([
    { keys: "ArrowRight d", does: "Next post", run: (event) => isScrolled(event, 1) || neighbors.next?.() },
    { keys: "ArrowLeft a", does: "Previous post", run: (event) => isScrolled(event, -1) || neighbors.previous?.() },
  ]);
  useAhead(next.slice(0, AHEAD), search);
  const pool = post.pools.find(({ id }) => search === poolSearch(id));
  const beside = (to: StripTile_PostFragment | undefined, name: string, icon: "left" | "right") =>
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
      {beside(previous[0], "Previous post", "left")}
      <ol class="Strip-frames">
        {previous.toReversed().map((each) => (
          <Frame key={each.id} post={each} search={search} />
        ))}
        <Frame post={unmask<StripTile_PostFragment>(post)} search={search} isHere />
        {next.map((each) => (
          <Frame key={each.id} post={each} search={search} />
        ))}
      </ol>
      {beside(next[0], "Next post", "right")}
      <SlideShow onNext={neighbors.next} />
      <a class="Strip-search" href={searchUrl(search)} dir="auto">
        {pool ? words(pool.name) : search === "" ? "All posts" : search}
      </a>
    </nav>
  );
}
