/** The head of each page: title, metadata for link previews, preloads. */
import type { GalleryQuery, PostQuery } from "./__generated__/documents.js";
import { HISTORIES, type HistoryName, historyOf, versionsTitle, versionsUrl } from "../histories.js";
import { type PageName, pageOf, type Place, POSTS_A_PAGE, searchUrl } from "../routes.js";
import type { readPreferences } from "../preferences.js";
import { FIRST_VIEW, pictureOf, shapeOf, sizesOf } from "../thumbnails.js";
import { galleryTitle, postTitle, words } from "../titles.js";
import { type Html, markup } from "./html.js";

type Preferences = ReturnType<typeof readPreferences>;

export interface Head {
  title: string;
  /** canonical URL, without the reader's own parameters */
  canonical?: string;
  /** URL of the same as JSON */
  alternate?: string;
  description?: string;
  image?: { url: string; width: number; height: number };
  /** pictures to preload */
  preload?: readonly Preload[];
}

/** A picture; with `sizes` if there are several files, or with its aspect ratio as a tile. */
interface Preload {
  url: string;
  srcSet?: string | undefined;
  sizes?: string | undefined;
  shape?: number;
}

/** How many pictures are fetched with high priority: of a gallery the widest ones, which fill most of the screen. */
const URGENT = 6;
const MAX_DESCRIPTION = 200;

function galleryHead({ query }: Place, data: GalleryQuery | null): Head {
  const tags = query.get("tags") ?? "";
  const page = pageOf(query);
  const { pool } = data?.posts ?? {};
  const name = pool ? words(pool.name) : tags;
  const first = data?.posts.nodes.slice(0, FIRST_VIEW).filter(({ hiddenBy }) => hiddenBy.length === 0);
  const pictures = first?.flatMap((post) => (post.thumbnail ? { ...post.thumbnail, shape: shapeOf(post) } : [])) ?? [];
  const widest = pictures.toSorted((one, other) => other.shape - one.shape).slice(0, URGENT);
  return {
    title: tags || page !== "1" ? galleryTitle(name, page) : "",
    canonical: searchUrl(tags, page),
    alternate: `/posts.json?${new URLSearchParams({ tags, page, limit: String(POSTS_A_PAGE) }).toString()}`,
    preload: [...new Set([...widest, ...pictures])],
  };
}

/** The picture as its page shows it; none for a video. */
function preloadOf(post: NonNullable<PostQuery["post"]>): Pick<Head, "preload"> {
  if (!post.largeFileUrl || /^(mp4|webm)$/.test(post.fileExt)) return {};
  const { src, srcSet, sizes } = pictureOf(post);
  return { preload: [{ url: src, srcSet, sizes }] };
}

function postHead(data: PostQuery | null): Head {
  const post = data?.post;
  if (!post) return { title: "Not found" };
  const isShown = post.rating === "SAFE" && !post.isDeleted && !post.isBanned;
  const image = isShown && post.largeFileUrl && !/\.(mp4|webm)$/.test(post.largeFileUrl) ? post.largeFileUrl : null;
  return {
    title: postTitle(post),
    canonical: `/posts/${post.id}`,
    alternate: `/posts/${post.id}.json`,
    description: words(post.tagString.split(" ").join(", ")).slice(0, MAX_DESCRIPTION),
    ...(image ? { image: { url: image, width: post.imageWidth, height: post.imageHeight } } : {}),
    ...preloadOf(post),
  };
}

function versionsHead(name: HistoryName, { query }: Place): Head {
  const url = versionsUrl(name, query, pageOf(query));
  const [path, search] = url.split("?", 2);
  const list = new URLSearchParams(search);
  list.set("limit", String(HISTORIES[name].onPage));
  return { title: versionsTitle(name, query), canonical: url, alternate: `${path}.json?${list.toString()}` };
}

const TITLES: Readonly<Partial<Record<PageName, string>>> = {
  login: "Sign in",
  signup: "Sign up",
  recover: "New password",
  account: "Account",
  upload: "Upload",
};

/** @param data the response of the page's document, if it has one */
export function headOf(place: Place, data: unknown): Head {
  if (place.page === "gallery") return galleryHead(place, data as GalleryQuery | null);
  const history = historyOf(place.page);
  if (history) return versionsHead(history, place);
  if (place.page === "post") return postHead(data as PostQuery | null);
  return { title: TITLES[place.page] ?? "" };
}

function preloadElement({ url, srcSet, sizes, shape = 1 }: Preload, index: number, preferences: Preferences): Html {
  const shown = sizes ?? sizesOf(shape, preferences);
  const chosen = srcSet && markup` imagesrcset="${srcSet}" imagesizes="${shown}"`;
  return markup`<link rel="preload" as="image" href="${url}"${chosen}${index < URGENT && markup` fetchpriority="high"`} />`;
}

/** The elements of a head. @param base scheme and host */
export const headElements = (head: Head, board: string, base: string): Html =>
  markup` <title>${head.title ? `${head.title} · ${board}` : board}</title>
    <meta property="og:site_name" content="${board}" />
    <meta property="og:title" content="${head.title || board}" />
    <meta property="og:type" content="website" />
    ${
      head.canonical &&
      markup`<link rel="canonical" href="${base}${head.canonical}" />
        <meta property="og:url" content="${base}${head.canonical}" />`
    }
    ${
      head.description &&
      markup`<meta name="description" content="${head.description}" />
        <meta property="og:description" content="${head.description}" />`
    }
    ${
      head.image &&
      markup`<meta property="og:image" content="${head.image.url}" />
        <meta name="twitter:card" content="summary_large_image" />`
    }
    ${head.alternate && markup`<link rel="alternate" type="application/json" href="${head.alternate}" />`}`;

/** Preloads of the first pictures. */
export const preloadElements = ({ preload = [] }: Head, preferences: Preferences): Html =>
  markup`${preload.map((picture, index) => preloadElement(picture, index, preferences))}`;
