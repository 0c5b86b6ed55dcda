/** Normalizes URLs of artists for comparison, and finds the parents of a URL. */

/** Hosts shared by many artists: only the first path component (or more) identifies one. */
const SHARED_HOSTS = new Set([
  "artstation.com",
  "blog.fc2.com",
  "deviantart.com",
  "deviantart.net",
  "facebook.com",
  "fanbox.cc",
  "hentai-foundry.com",
  "img.pixiv.net",
  "instagram.com",
  "lofter.com",
  "nicovideo.jp",
  "nijie.info",
  "patreon.com",
  "pixiv.net",
  "pximg.net",
  "tumblr.com",
  "twitter.com",
  "weibo.com",
  "x.com",
]);
const SHARED_PREFIX = /^(?:www|m|mobile|pictures|seiga|touch|i\d*|img\d*)\./;

/** Folders of shared hosts that hold the works of many artists. */
const SHARED_FOLDERS = [
  /^http:\/\/(?:[\w-]+\.)*pixiv\.net\/(?:img|users|en|en\/users|en\/artworks|artworks|stacc)\/$/,
  /^http:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/(?:i|i\/user|intent)\/$/,
  /^http:\/\/(?:www\.)?(?:artstation\.com\/artwork|facebook\.com\/people|instagram\.com\/p|nicovideo\.jp\/user|patreon\.com\/posts|weibo\.com\/[pu])\/$/,
  /^http:\/\/lohas\.nicoseiga\.jp\/(?:priv|o|thumb)\/$/,
  /^http:\/\/seiga\.nicovideo\.jp\/(?:user|user\/illust|seiga|image|image\/source)\/$/,
  /^http:\/\/(?:data|media|\d+\.media)\.tumblr\.com\/(?:[a-z0-9]+\/)?$/,
  /^http:\/\/(?:[\w-]+\.)*deviantart\.net\//,
  /^http:\/\/(?:www\.|pictures\.)?hentai-foundry\.com\/(?:user|pictures|pictures\/user)\/$/,
];

/** Sites with case-insensitive paths. */
const CASELESS = /^http:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\//;

/** ASCII only: other letters may become longer, and the column has room for one more character than the URL. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const REWRITES: [RegExp, string][] = [
  [/^http:\/\/blog(?:\d+|-imgs-\d+(?:-\w+)?)\.fc2/, "http://blog.fc2"],
  [/^(http:\/\/seiga\.nicovideo\.jp\/user\/illust\/\d+)\?.+/, "$1"],
  [/^http:\/\/pictures\.hentai-foundry\.com\/{2,}/, "http://pictures.hentai-foundry.com/"],
  [/^http:\/\/i\d+\.pixiv\.net\/img\d+/, "http://img.pixiv.net"],
  [/^http:\/\/img\d+\.pixiv\.net/, "http://img.pixiv.net"],
];

/** True for http and https URLs with a host. */
export const isHttpUrl = (text: string): boolean => /^https?:\/\/[^\s/?#]+/i.test(text);

/**
 * The form of a URL that is compared: http, the host in lower case, mirrors of a site as one, and one slash at the end. Never
 * more than one character longer than the URL.
 */
export function normalizeArtistUrl(url: string): string {
  const plain = url.trim().replace(/^https?:\/\/[^/?#]*/i, (origin) => lower(origin).replace(/^https:/, "http:"));
  const rewritten = REWRITES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), plain);
  const cased = CASELESS.test(rewritten) ? lower(rewritten) : rewritten;
  return `${withoutSlashes(cased)}/`;
}

/** Maximum number of parents of a URL that a search looks up. */
const MAX_STEPS = 20;
/** Maximum length of an artist's URL in UTF-16 units; of a longer URL, only the parents are looked up. */
const LONGEST = 1_202;
/** The shortest URL that can identify an artist: `http://a.b`. */
const SHORTEST = 10;

/**
 * The URLs to look up for a URL until one is found: itself and those of its parents that can belong to one artist, each with one
 * slash at the end. `http://bob.com/a/b.jpg` -> itself, `http://bob.com/a/`, `http://bob.com/`.
 */
export function urlsToFind(url: string): string[] {
  const first = normalizeArtistUrl(url);
  const steps = [first];
  for (
    let step = parentOf(first.slice(0, LONGEST + 1));
    step.length > SHORTEST && !isShared(step);
    step = parentOf(step)
  )
    steps.push(step);
  return [first, ...steps.slice(1).slice(-MAX_STEPS)];
}

/** Without trailing slashes. Not by a pattern, which would start again at each slash of a long row. */
function withoutSlashes(url: string): string {
  let { length } = url;
  while (url[length - 1] === "/") length -= 1;
  return url.slice(0, length);
}

function parentOf(url: string): string {
  const folder = withoutSlashes(url);
  const above = folder.slice(0, folder.lastIndexOf("/") + 1);
  return above && `${withoutSlashes(above)}/`;
}

/** Whether many artists share a URL. */
function isShared(url: string): boolean {
  const host = /^http:\/\/([^/?#:]+)(?::\d+)?\/$/.exec(url)?.[1];
  if (host !== undefined && SHARED_HOSTS.has(host.replace(SHARED_PREFIX, ""))) return true;
  return SHARED_FOLDERS.some((folder) => folder.test(url));
}
