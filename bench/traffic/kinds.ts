/** The kinds of measured requests, as rows: the request, its sender, and the random values from the board. */
import { GalleryDocument, PostDocument } from "../../web/server/__generated__/documents.js";
import type { TrafficSamples } from "./samples.js";
import { byCookie, byKey, type Member, scattered, type Sent, wire } from "./requests.js";

/** Posts per page. */
export const PER_PAGE = 20;

export interface Kind {
  name: string;
  /** its requests, all different */
  requests: (samples: TrafficSamples) => Iterable<string>;
  /** requests to warm up, if not the first ones: those of the most frequent tags have to be measured */
  warmUp?: Kind["requests"];
  /** requests before those, which fill the cache with the newest posts for the same document */
  before?: (samples: TrafficSamples) => Iterable<string>;
  /** whether it changes the board, and so is measured on a copy */
  isWriting?: boolean;
}

/** A request for each item of a list, by the members in turns. */
const each = <T>(
  things: (samples: TrafficSamples) => Iterable<T>,
  ask: (thing: T, member: Member, index: number) => Sent,
): Kind["requests"] =>
  function* (samples) {
    let index = 0;
    for (const thing of things(samples)) {
      yield wire(ask(thing, samples.members[index % samples.members.length] as Member, index));
      index += 1;
    }
  };

/** Pages of the newest posts, before or after an id. */
function* newestPages({ posts, newest, seed }: TrafficSamples): Generator<string> {
  for (const place of scattered(newest - PER_PAGE, seed)) yield `b${posts - place + 1}`;
  for (const place of scattered(newest - PER_PAGE, seed + 1)) yield `a${posts - newest + place}`;
}

/** All of the newest posts, by page numbers. */
function* numberedPages({ newest }: TrafficSamples): Generator<string> {
  for (let page = 1; page <= newest / PER_PAGE; page += 1) yield String(page);
}

/** Older posts. */
function* olderPosts({ posts, newest, seed }: TrafficSamples): Generator<number> {
  for (const place of scattered(posts - newest - PER_PAGE, seed + 2)) yield place + PER_PAGE + 1;
}

function* editablePosts(samples: TrafficSamples): Generator<number> {
  for (const id of newestPosts(samples)) if (!samples.banned.has(id)) yield id;
}

function* newestPosts({ posts, newest, seed }: TrafficSamples): Generator<number> {
  for (const place of scattered(newest, seed + 3)) yield posts - place;
}

/** A page of each tag, those with many posts early. */
const byTags = (ask: (name: string, page?: number) => Sent): Pick<Kind, "requests" | "warmUp"> => ({
  warmUp: each(
    ({ tags }) => tags,
    ({ name }) => ask(name, 2),
  ),
  requests: each(
    ({ tags }) => tags,
    ({ name }) => ask(name),
  ),
});

const pagePath = (page: string): string => `/posts.json?limit=${PER_PAGE}&page=${page}`;

const graphql = (body: object, headers: readonly string[] = []): Sent => ({
  method: "POST",
  path: "/graphql",
  headers,
  body: { type: "application/json", text: JSON.stringify(body) },
});

/** A document of the pages, by its hash. */
const known = ({ hash, text }: { hash: string; text: string }, variables: object): Sent => {
  const [, operationName] = /^\w+ (\w+)/.exec(text) ?? [];
  return graphql({ operationName, variables, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
};

const GALLERY = `query($tags: String, $page: String) { posts(tags: $tags, page: $page, first: ${PER_PAGE}) { nodes {
  id createdAt rating score favCount uploaderName tagString previewFileUrl fileUrl } } }`;
const knownGallery = (page: string): Sent => known(GalleryDocument, { tags: "", first: PER_PAGE, page });
const unknownGallery = (page: string): Sent => graphql({ query: GALLERY, variables: { page } });

const POST = `query($id: Int!) { post(id: $id) { id createdAt rating score favCount tagString fileUrl uploader { name level } } }`;

/** Writes of members: votes, favorites and edits. */
const WRITES: readonly ((id: number, member: Member, index: number) => Sent)[] = [
  (id, member) => form(`/posts/${id}/votes.json`, "POST", { score: "up" }, member),
  (id, member) => form("/favorites.json", "POST", { post_id: String(id) }, member),
  (id, member, index) =>
    form(`/posts/${id}.json`, "PUT", { "post[source]": `https://source.example/${index}` }, member),
];

const form = (path: string, method: "POST" | "PUT", fields: Record<string, string>, member: Member): Sent => ({
  method,
  path,
  headers: [byKey(member)],
  body: { type: "application/x-www-form-urlencoded", text: new URLSearchParams(fields).toString() },
});

/** One in this many requests is a write. */
const WRITE_EVERY = 50;

/** Pages of the newest posts for visitors and members in turns; two percent are writes of these posts. */
const mix: Kind["requests"] = function* (samples) {
  const pages = newestPages({ ...samples, seed: samples.seed + 11 });
  const written = editablePosts(samples);
  for (let index = 1; ; index += 1) {
    const member = samples.members[index % samples.members.length] as Member;
    if (index % WRITE_EVERY === 0) {
      const id = written.next();
      if (id.done) return;
      const write = WRITES[(index / WRITE_EVERY) % WRITES.length] as (typeof WRITES)[number];
      yield wire(write(id.value, member, index));
      continue;
    }
    const page = pages.next();
    if (page.done) return;
    // another page size than other kinds, so that no request is repeated
    const path = `/posts.json?limit=${PER_PAGE + 1}&page=${page.value}`;
    yield wire({ path, headers: index % 2 === 0 ? [byKey(member)] : [] });
  }
};

export const NEWEST = "newest posts, visitors";
export const NEWEST_MEMBERS = "newest posts, members by key";
export const NEWEST_SESSIONS = "newest posts, members by cookie";
export const RANDOM = "pages by random id";
export const TAGS = "tags by frequency, first pages";
export const KNOWN_GALLERY = "GraphQL gallery, known document";
export const UNKNOWN_GALLERY = "GraphQL gallery, unknown document";

export const KINDS: readonly Kind[] = [
  { name: NEWEST, requests: each(newestPages, (page) => ({ path: pagePath(page) })) },
  {
    name: NEWEST_MEMBERS,
    requests: each(newestPages, (page, member) => ({ path: pagePath(page), headers: [byKey(member)] })),
  },
  {
    name: NEWEST_SESSIONS,
    requests: each(newestPages, (page, member) => ({ path: pagePath(page), headers: [byCookie(member)] })),
  },
  {
    name: "newest posts, compressed",
    requests: each(newestPages, (page) => ({ path: pagePath(page), headers: ["Accept-Encoding: gzip, br"] })),
  },
  { name: RANDOM, requests: each(olderPosts, (id) => ({ path: pagePath(`b${id}`) })) },
  {
    name: TAGS,
    ...byTags((name, page) => ({
      path: `/posts.json?limit=${PER_PAGE}&tags=${encodeURIComponent(name)}${page ? `&page=${page}` : ""}`,
    })),
  },
  {
    name: "common tags, deep pages",
    requests: each(
      ({ deepPages }) => deepPages,
      ({ name, page }) => ({ path: `/posts.json?limit=${PER_PAGE}&tags=${encodeURIComponent(name)}&page=${page}` }),
    ),
  },
  { name: "a post of the newest", requests: each(newestPosts, (id) => ({ path: `/posts/${id}.json` })) },
  { name: "a post by random id", requests: each(olderPosts, (id) => ({ path: `/posts/${id}.json` })) },
  {
    name: KNOWN_GALLERY,
    before: each(numberedPages, knownGallery),
    requests: each(newestPages, knownGallery),
  },
  {
    name: "GraphQL gallery, known, by tags",
    ...byTags((name, page) => known(GalleryDocument, { tags: name, first: PER_PAGE, page: page && String(page) })),
  },
  {
    name: UNKNOWN_GALLERY,
    before: each(numberedPages, unknownGallery),
    requests: each(newestPages, unknownGallery),
  },
  {
    name: "GraphQL gallery, unknown, by tags",
    ...byTags((name, page) => graphql({ query: GALLERY, variables: { tags: name, page: page && String(page) } })),
  },
  { name: "GraphQL post, known document", requests: each(newestPosts, (id) => known(PostDocument, { id, tags: "" })) },
  {
    name: "GraphQL post, unknown document",
    requests: each(newestPosts, (id) => graphql({ query: POST, variables: { id } })),
  },
  { name: "newest posts, 2 % writes", requests: mix, isWriting: true },
];
