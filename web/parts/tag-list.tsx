/** Tags by category: artists first, then copyrights, characters, general tags and meta tags. */
import { useEffect } from "preact/hooks";
import { rememberTag } from "../lib/seen-tags.js";
import { type Ref, unmask } from "../lib/mask.js";
import { postsInWords, shortCount } from "../lib/time.js";
import { narrowed, searchUrl } from "../routes.js";
import { words } from "../titles.js";
import { HideTag } from "./hide-tag.js";
import type { TagList_TagFragment } from "./__generated__/tag-list.js";
import "./drawer.css";
import "./tag-list.css";

const CATEGORIES = ["ARTIST", "COPYRIGHT", "CHARACTER", "GENERAL", "META"] as const;
const HEADINGS = { ARTIST: "Artist", COPYRIGHT: "Copyright", CHARACTER: "Character", GENERAL: "General", META: "Meta" };

export interface ListedTag {
  tag: Ref<TagList_TagFragment>;
  /** share of the page's posts that have it, from 0 to 1 */
  share?: number;
}

interface Props {
  tags: readonly ListedTag[];
  /** names of further ones, of which nothing else is known */
  more?: readonly string[];
  /** the search to which a tag is added, or from which it is excluded */
  search?: string;
}

function Item({ tag, share, search }: { tag: TagList_TagFragment; share?: number; search?: string }) {
  const isIn = search !== undefined;
  return (
    <li class="TagList-tag" style={share === undefined ? {} : { "--share": share.toFixed(3) }}>
      {isIn && (
        <a
          class="TagList-add"
          href={searchUrl(narrowed(search, tag.name))}
          aria-label={`Add ${words(tag.name)} to the search`}
        >
          +
        </a>
      )}
      {isIn && (
        <a
          class="TagList-add"
          href={searchUrl(narrowed(search, `-${tag.name}`))}
          aria-label={`Exclude ${words(tag.name)}`}
        >
          −
        </a>
      )}
      <a class="TagList-name" href={searchUrl(tag.name)} dir="auto" title={tag.isDeprecated ? "Deprecated" : undefined}>
        {words(tag.name)}
      </a>
      <HideTag name={tag.name} />
      <span class="TagList-count" title={postsInWords(tag.postCount)}>
        {shortCount(tag.postCount)}
      </span>
    </li>
  );
}

const More = ({ names }: { names: readonly string[] }) => (
  <section>
    <h2>More</h2>
    <ul>
      {names.map((name) => (
        <li class="TagList-tag" key={name}>
          <a class="TagList-name" href={searchUrl(name)} dir="auto">
            {words(name)}
          </a>
        </li>
      ))}
    </ul>
  </section>
);

export function TagList({ tags, more = [], search }: Props) {
  const known = tags.map(({ tag, ...rest }) => ({ tag: unmask<TagList_TagFragment>(tag), ...rest }));
  useEffect(() => {
    for (const { tag } of known) rememberTag(tag);
  }, [tags]);
  return (
    <div class="TagList">
      {CATEGORIES.map((category) => {
        const own = known.filter(({ tag }) => tag.category === category);
        if (own.length === 0) return null;
        return (
          <section key={category} data-category={category.toLowerCase()}>
            <h2>{HEADINGS[category]}</h2>
            <ul>
              {own.map(({ tag, share }) => (
                <Item
                  key={tag.id}
                  tag={tag}
                  {...(share === undefined ? {} : { share })}
                  {...(search === undefined ? {} : { search })}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {more.length > 0 && <More names={more} />}
    </div>
  );
}
