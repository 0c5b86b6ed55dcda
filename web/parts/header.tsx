/** The header of each page: home, search, and links for the viewer. */
import { computed } from "@preact/signals";
import type { TargetedMouseEvent, TargetedSubmitEvent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useShortcuts } from "../lib/keys.js";
import { recentSearches, rememberSearch } from "../lib/recent.js";
import { go, place } from "../lib/router.js";
import { loginUrl } from "../lib/session.js";
import { isOpenTo, useShell } from "../lib/shell.js";
import { narrowed, type PageName, RANDOM, searchUrl } from "../routes.js";
import { Icon } from "./icon.js";
import { TagField } from "./tag-field.js";

/** The search that the page shows, or from which it was opened. */
const searched = computed(() => place.value?.query.get("tags") ?? place.value?.query.get("q") ?? "");

const LINKED: readonly PageName[] = ["upload", "account", "login"];
/** The current page, if the header links to it; other navigation does not render the links again. */
const linked = computed(() => LINKED.find((page) => page === place.value?.page));

function Search() {
  const shown = searched.value;
  const [text, setText] = useState(shown);
  useLayoutEffect(() => setText(shown), [shown]); // before anything can be typed
  const search = (tags: string) => {
    setText(tags);
    rememberSearch(tags);
    go(searchUrl(tags));
    (document.activeElement as HTMLElement | null)?.blur();
  };
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    search(text);
  };
  useShortcuts([
    {
      keys: "/",
      does: "Search",
      run: () => {
        const field = document.querySelector<HTMLInputElement>(".Search-field");
        field?.focus();
        field?.select();
      },
    },
    {
      keys: "r",
      does: "Random posts",
      run: () => go(searchUrl(narrowed(shown, RANDOM))),
    },
  ]);
  return (
    <form class="Search" action="/posts" role="search" onSubmit={onSubmit}>
      <TagField
        name="tags"
        label="Search posts by tags"
        placeholder="Search: harbour -night"
        class="Search-field"
        value={text}
        onChange={setText}
        recent={recentSearches}
        onRecent={search}
        kind="TAG_QUERY"
      />
      <button class="Search-go Button is-bare" type="submit" aria-label="Search">
        <Icon name="search" />
      </button>
    </form>
  );
}

/** The link to the sign-in page leads back to the page where it is followed; from those that lead on to another one, to that one. */
function leadBack({ currentTarget }: TargetedMouseEvent<HTMLAnchorElement>): void {
  const { pathname, search } = location;
  currentTarget.href = /^\/(login|signup|recover)$/.test(pathname) ? `/login${search}` : loginUrl();
}

export function Header() {
  const shell = useShell();
  const link = (url: string, name: string, own: PageName, onClick?: typeof leadBack) => (
    <a href={url} aria-current={linked.value === own ? "page" : undefined} onClick={onClick}>
      <span dir="auto">{name}</span>
    </a>
  );
  return (
    <header class="Header">
      <a class="Header-home" href="/">
        <img src="/icon.svg" alt="" width="24" height="24" />
        {shell?.board.name ?? "Home"}
      </a>
      {(!shell || isOpenTo(shell)) && <Search />}
      <nav class="Header-nav" aria-label="Account">
        {shell?.board.viewerCan.upload && link("/upload", "Upload", "upload")}
        {shell?.viewer ? link("/account", shell.viewer.name, "account") : link("/login", "Sign in", "login", leadBack)}
      </nav>
    </header>
  );
}
