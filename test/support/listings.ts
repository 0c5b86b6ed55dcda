/** Every listing that has pages, in REST and GraphQL, and a way to add records to it that differ only in their ids. */
import { getNullableType, isObjectType } from "graphql";
import { operationOf } from "../../rest/adapter/execute.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { sharedSchema } from "../../src/http/server.js";
import type { Client, Params } from "./client.js";
import { fieldsOf } from "./permission-walk.js";
import { fieldOf, rows } from "./rest-rows.js";
import { type Columns, fresh, type Stage } from "./stage.js";

/** A listing of the REST interface. */
export interface Listing {
  name: string;
  /** the field of the GraphQL schema that its document asks for */
  field: string;
  path: string;
  /** the parameter that chooses it among the listings of the path, if there are several */
  choice: Params;
}

const hasPages = ({ document }: ResourceRow): boolean =>
  (operationOf(document).variableDefinitions ?? []).some(({ variable }) => variable.name.value === "page");

/** All rows that take `page`; those within a record list the same as others. */
export const listings: Listing[] = rows
  .filter(([, row]) => hasPages(row) && !row.path.includes(":"))
  .map(([name, row, choice]) => ({ name, field: fieldOf(row), path: `${row.path}.json`, choice }));

/** The connections of the schema, but for the viewer's own sessions, which signing in makes (`test/graphql/sessions.test.ts`). */
export const connections = fieldsOf(sharedSchema().getQueryType()).filter(({ name, type }) => {
  const named = getNullableType(type);
  return isObjectType(named) && named.name.endsWith("Connection") && name !== "sessions";
});

/**
 * Listings that stand in an order of their own, in which a record's place changes without its doing, so that no id marks a
 * place between pages; all others are newest first. `page=b<id>` and `page=a<id>` put every listing in the order of ids.
 */
export const OWN_ORDER: Readonly<Record<string, string>> = {
  bannedArtists: "by name",
  commentedPosts: "last comment first",
  forumTopics: "sticky ones, then last change first",
  notedPosts: "last note first",
  popularPosts: "best score first",
  wikiPages: "last change first",
};

/** The records of a listing, and the attributes of added ones. */
export interface Records {
  table: string;
  columns?: () => Columns | Promise<Columns>;
  /** what else belongs to a new one */
  also?: (id: number) => Promise<unknown>;
  /** parameters, and arguments alike, with which the listing shows them */
  params?: Params;
}

let serial = 1_000_000;
/** A name that sorts after all previous ones. */
const nextName = (): string => `ship_${(serial += 1)}`;

/** By the listing's field. Unique columns apart, the records of one listing are equals in every order. */
export async function makeRecords(stage: Stage, viewer: { id: number }): Promise<Record<string, Records>> {
  const { database } = stage.test.board;
  const url = "https://example.com/by";
  await database.artistUrl.create({ data: { artistId: stage.records.artists, url, normalizedUrl: url } });
  await database.favorite.create({ data: { postId: stage.records.posts, userId: viewer.id } });
  await database.postVote.create({ data: { postId: stage.records.posts, userId: viewer.id, score: 1 } });
  await database.commentVote.create({ data: { commentId: stage.records.comments, userId: viewer.id, score: 1 } });
  return recordsOf(stage, viewer);
}

function recordsOf(stage: Stage, viewer: { id: number }): Record<string, Records> {
  const onPost = async (): Promise<Columns> => ({ post_id: await addPost(stage, {}) });
  const onComment = async (): Promise<Columns> => ({ comment_id: await stage.version("comments", {}) });
  const version = () => ({ version: (serial += 1) });
  const named = () => ({ name: nextName() });
  const today = new Date().toISOString().slice(0, 10);
  const day = "2011-11-11";
  return {
    posts: {
      table: "posts",
      columns: () => ({ rating: "e", score: 2, up_score: 2, created_at: today }),
      also: (post_id) => stage.version("artist_commentaries", { post_id }),
      params: { tags: "rating:e" },
    },
    popularPosts: { table: "posts", columns: () => ({ created_at: `${day}T12:00:00Z` }), params: { date: day } },
    commentedPosts: { table: "posts", columns: () => ({ last_comment_bumped_at: "2012-01-01" }) },
    notedPosts: { table: "posts", columns: () => ({ last_noted_at: "2012-01-01" }) },
    postVersions: { table: "post_versions", columns: version },
    postFlags: { table: "post_flags", columns: onPost },
    postAppeals: { table: "post_appeals", columns: onPost },
    comments: { table: "comments" },
    dmails: { table: "dmails", columns: () => ({ owner_id: viewer.id, to_id: viewer.id }) },
    favoriteGroups: { table: "favorite_groups", columns: named },
    favoriteGroupVersions: { table: "favorite_group_versions", columns: version },
    favorites: { table: "favorites", columns: onPost },
    postVotes: { table: "post_votes", columns: onPost },
    commentVotes: { table: "comment_votes", columns: onComment },
    userFeedbacks: { table: "user_feedbacks" },
    artists: { table: "artists", columns: named },
    bannedArtists: { table: "artists", columns: () => ({ name: nextName(), is_banned: true }) },
    artistUrls: { table: "artist_urls", columns: () => ({ url: `https://example.com/${fresh("by")}` }) },
    artistVersions: { table: "artist_versions", columns: version },
    artistCommentaries: { table: "artist_commentaries", columns: onPost },
    artistCommentaryVersions: { table: "artist_commentary_versions", columns: version },
    notes: { table: "notes" },
    noteVersions: { table: "note_versions", columns: version },
    pools: { table: "pools", columns: named },
    poolVersions: { table: "pool_versions", columns: version },
    uploads: { table: "uploads" },
    users: { table: "users", columns: named },
    tags: { table: "tags", columns: named },
    // there is one in force of each name, and any number of retired ones
    tagAliases: retired("tag_aliases"),
    tagImplications: retired("tag_implications"),
    wikiPages: { table: "wiki_pages", columns: () => ({ title: nextName() }) },
    wikiPageVersions: { table: "wiki_page_versions", columns: version },
    forumTopics: { table: "forum_topics" },
    forumPosts: { table: "forum_posts" },
    bans: { table: "bans" },
    modActions: { table: "mod_actions" },
  };
}

const retired = (table: string): Records => ({
  table,
  columns: () => ({ status: "retired" }),
  params: { search: { status: "retired" } },
});

/** A post that no listing of posts shows unless the columns make it. */
function addPost(stage: Stage, columns: Columns): Promise<number> {
  const hidden = { created_at: "2001-01-01", last_comment_bumped_at: null, last_noted_at: null };
  return stage.anotherPost({ ...hidden, ...columns });
}

/** Adds a record. @returns its id */
export async function addTo(stage: Stage, { table, columns, also }: Records): Promise<number> {
  const own = (await columns?.()) ?? {};
  const id = await (table === "posts" ? addPost(stage, own) : stage.version(table, own));
  await also?.(id);
  return id;
}

/** Writes some of the rows anew, as they are: PostgreSQL then finds them in other places, and equals in another order. */
export const shuffle = (stage: Stage, { table }: Records): Promise<unknown> =>
  stage.test.board.pool.query(
    `UPDATE ${table} SET id = id WHERE id IN (SELECT id FROM ${table} ORDER BY md5(id::text || $1) LIMIT 12)`,
    [fresh("salt")],
  );

/** The numbers on one page of a listing. @throws Error for any answer but 200 */
export async function idsOf(client: Client, { path, choice }: Listing, params: Params): Promise<number[]> {
  const { status, json, text } = await client.get(path, { ...choice, ...params });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return (json as { id: number }[]).map(({ id }) => id);
}
