/** The pages of a gallery, one below the other. Pages far from the viewport are not rendered; only their heights stay. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useIntersections } from "../../lib/intersection.js";
import { pageTitle } from "../../titles.js";
import { GalleryPage, type PageEvents } from "./gallery-page.js";

/** How near the viewport pages are rendered, in heights of the window. */
const KEPT = "300% 0px";
/** The page across the middle of the window is the current one, unless it is only scrolled past. */
const MIDDLE = "-50% 0px -50% 0px";
const LOOKS_MILLISECONDS = 120;

/** Heights of pages that are not rendered, in pixels. */
export type Heights = Readonly<Record<string, number>>;

const SECTION = ".Gallery-page";
const pageOf = ({ dataset }: HTMLElement): string => dataset.page ?? "";

/** Current heights of all pages. */
export const heightsNow = (): Heights =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>(SECTION)].map((section) => [pageOf(section), section.offsetHeight]),
  );

/** All but one page. */
export const without = <Value,>(pages: Readonly<Record<string, Value>>, page: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(pages).filter(([each]) => each !== page));

interface Props {
  tags: string;
  pages: readonly string[];
  /** pages that are not rendered at first */
  away: Heights;
  /** those of pages before they were left, which pages have until they are loaded again */
  heights: Heights;
  onCurrent: (page: string) => void;
  onAway: (page: string) => void;
  /** the post to whose tile one returns */
  opened: number | undefined;
  events: PageEvents;
}

export function Pages({ tags, pages, away: first, heights, onCurrent, onAway, opened, events }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(first);
  const looks = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(looks.current), []);
  useIntersections(
    root,
    SECTION,
    KEPT,
    (section, isIn, height) => {
      const page = pageOf(section);
      if (!isIn) onAway(page);
      setAway((all) => (isIn ? without(all, page) : { ...all, [page]: height }));
    },
    [pages],
  );
  useIntersections(
    root,
    SECTION,
    MIDDLE,
    (section, isIn) => {
      if (!isIn) return;
      clearTimeout(looks.current);
      const look = () => !section.closest(".is-left") && onCurrent(pageOf(section));
      looks.current = setTimeout(look, LOOKS_MILLISECONDS);
    },
    [pages],
  );
  return (
    <div ref={root}>
      {pages.map((page, index) => {
        const height = away[page];
        return (
          <section
            key={page}
            class="Gallery-page"
            aria-label={pageTitle(page)}
            data-page={page}
            style={height === undefined ? {} : { height: `${height}px` }}
          >
            {height === undefined && (
              <GalleryPage
                tags={tags}
                page={page}
                isFirst={index === 0}
                height={heights[page]}
                opened={opened}
                events={events}
              />
            )}
          </section>
        );
      })}
    </div>
  );
}
