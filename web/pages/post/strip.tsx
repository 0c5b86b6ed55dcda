/** The posts beside this one in the search that it was found by, as a film strip; arrow keys walk along it. */
import { useEffect } from "preact/hooks";
import { ask } from "../../lib/graphql.js";
import { useShortcuts } from "../../lib/keys.js";
import { type Ref, unmask } from "../../lib/mask.js";
import { meanColour } from "../../lib/placeholder.js";
import { go } from "../../lib/router.js";
import { Icon } from "../../parts/icon.js";
import { postUrl, postVariables, searchUrl } from "../../routes.js";
import { PostDocument } from "./__generated__/post.js";
import type { Strip_PostFragment, StripTile_PostFragment } from "./__generated__/strip.js";
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

export function Strip({ post: reference, search }: { post: Ref<Strip_PostFragment>; search: string }) {
  const post = unmask<Strip_PostFragment>(reference);
  const tile = (each: Ref<StripTile_PostFragment>) => unmask<StripTile_PostFragment>(each);
  const previous = post.postsBefore.map(tile);
  const next = post.postsAfter.map(tile);
  const step = (to: StripTile_PostFragment | undefined) => to && go(postUrl(to.id, search));
  useShortcuts([
    { keys: "ArrowRight d", does: "Next post", run: () => step(next[0]) },
    { keys: "ArrowLeft a", does: "Previous post", run: () => step(previous[0]) },
  ]);
  useAhead(next.slice(0, AHEAD), search);
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
        <Frame post={tile(post)} search={search} isHere />
        {next.map((each) => (
          <Frame key={each.id} post={each} search={search} />
        ))}
      </ol>
      {beside(next[0], "Next post", "right")}
      <SlideShow onNext={next[0] && (() => step(next[0]))} />
      <a class="Strip-search" href={searchUrl(search)} dir="auto">
        {search === "" ? "All posts" : search}
      </a>
    </nav>
  );
}
