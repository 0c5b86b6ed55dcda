/** Wiki pages: descriptions of tags, and help pages. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Db, type Sql, sql } from "../../database/client.js";
import { ifTaken } from "../../database/faults.js";
import { failure, invalid, requireText, requireFound } from "../../errors.js";
import { isStorable } from "../../lib/text.js";
import { requireRight } from "../shared/policy.js";
import { mayCreate, mayDelete, mayEdit, mayLock, mayUpdate } from "./wiki-page.policy.js";
import { isSearchable } from "../../search/bounds.js";
import * as by from "../../search/filters.js";
import { anyOf, indexed, indexedBy, isIndexed, namesLike } from "../../search/indexed.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import { likePattern } from "../../search/pattern.js";
import type { PageRequest } from "../shared/paging.js";
import { reading } from "../shared/read-model.js";
import type { Change } from "../shared/history.js";
import { wikiPageHistory, type WikiPageRecord, wikiPages, type WikiPageState } from "./wiki-page.records.js";
import { checkWikiPage, edited, normalizeTitle, type WikiPageEdit } from "./wiki-page.state.js";
import { composed, lowerAsSql, toTagSpelling } from "../../lib/names.js";

const ORDERS = {
  title: sql`t.title ASC`,
  date: sql`t.updated_at DESC`,
};

const filters = {
  id: by.ids,
  /** pattern with `*` */
  title: by.patternOf(toTagSpelling),
  ...by.user("creator"),
  bodyMatches: by.on(sql`t.title || ' ' || t.body`, by.words),
  /** any of several other names, separated by spaces; with `*` they are patterns */
  otherNamesMatch: (names: string) => by.ofText(names, otherNamesMatch),
  otherNamesPresent: by.on(sql`(t.other_names <> '{}')`, by.flag),
  isDeleted: by.flag,
  isLocked: by.flag,
  hideDeleted: (wanted: boolean) => (wanted ? sql`NOT t.is_deleted` : null),
};
export type WikiPageSearch = SearchOf<typeof filters> & { order?: keyof typeof ORDERS | null };

export interface NewWikiPage {
  title: string;
  body: string;
  otherNames?: string[] | null;
  isLocked?: boolean | null;
}

/** A page by its id, or else by its title. */
export interface WikiPageKey {
  id?: number | null;
  title?: string | null;
}

const EMPTY: WikiPageState = { title: "", body: "", otherNames: [], isLocked: false, isDeleted: false };

export class WikiPageService extends reading(wikiPages) {
  /** Last changed first, unless there is another order. @throws BoardError 424 for too deep a page */
  search(search: WikiPageSearch, request: PageRequest): Promise<Page<WikiPageRecord>> {
    const options = { where: conditionsOf(filters, search), orderBy: ORDERS[search.order ?? "date"] };
    return wikiPages.list(this.parts, options, request);
  }

  /** The page with this title, which is normalised first; or null. */
  async byTitle(title: string): Promise<WikiPageRecord | null> {
    const name = normalizeTitle(title);
    return isSearchable(name) ? wikiPages.find(this.parts.database, sql`t.title = ${name}`) : null;
  }

  /** @throws BoardError 403, 420, 423 for a title that there is already, 424 without title or body */
  async create(context: RequestContext, input: NewWikiPage): Promise<WikiPageRecord> {
    const creator = requireRight(context.viewer, mayCreate);
    const state = edited(EMPTY, input);
    authorizeChange(creator, EMPTY, state);
    requireText("wiki_page[title]", state.title);
    requireText("wiki_page[body]", state.body);
    checkWikiPage(EMPTY, state);
    return this.parts
      .transact(async (db) => {
        const users = { creatorId: creator.id, updaterId: creator.id };
        return wikiPages.get(db, await wikiPageHistory.create(db, context, state, users));
      })
      .catch(ifTaken((details) => failure("name_taken", { parameter: "title" }, details)));
  }

  /** @throws BoardError 403 (locking and deleting are for Builders), 404, 420, 422 (locked page) */
  update(context: RequestContext, key: WikiPageKey, edit: WikiPageEdit): Promise<WikiPageRecord> {
    return this.change(context, key, { allows: mayEdit, next: (before) => edited(before, edit) });
  }

  /** Hides a page; it keeps its title and its history. @throws BoardError 403, 404 */
  delete(context: RequestContext, key: WikiPageKey): Promise<WikiPageRecord> {
    return this.change(context, key, { allows: mayDelete, next: () => ({ isDeleted: true }) });
  }

  /**
   * Reverts a page to a version, except whether it is deleted.
   * @throws BoardError 403 (below Builder, if it would lock the page), 404, 420 (a title taken meanwhile), 422 (locked page)
   */
  revert(context: RequestContext, key: WikiPageKey, versionId: number): Promise<WikiPageRecord> {
    const next = async ({ isDeleted }: WikiPageState, db: Db, id: number) => ({
      ...(await wikiPageHistory.state(db, id, versionId)),
      isDeleted,
    });
    return this.change(context, key, { allows: mayEdit, next, isOwnVersion: true });
  }

  private change(
    context: RequestContext,
    key: WikiPageKey,
    { allows, next, isOwnVersion }: Change<WikiPageState>,
  ): Promise<WikiPageRecord> {
    const { viewer } = context;
    requireRight(viewer, allows);
    return this.parts
      .transact(async (db) => {
        const id = requireFound(await idOf(db, key));
        const before = await wikiPageHistory.lock(db, id);
        if (!mayUpdate(viewer, before)) throw failure("page_locked");
        const after = { ...before, ...(await next(before, db, id)) };
        authorizeChange(viewer, before, after);
        checkWikiPage(before, after);
        await wikiPageHistory.write(db, context, this.parts.config, { id, before, after, isOwnVersion });
        return wikiPages.get(db, id);
      })
      .catch(ifTaken(() => invalid("title", "taken")));
  }
}

/** @throws BoardError 403 for locking, unlocking, deleting and undeleting below Builder */
function authorizeChange(viewer: Viewer, before: WikiPageState, after: WikiPageState): void {
  if (before.isLocked !== after.isLocked) requireRight(viewer, mayLock);
  if (before.isDeleted !== after.isDeleted) requireRight(viewer, mayDelete);
}

/** @throws BoardError 424 when neither number nor title is given */
async function idOf(db: Db, { id, title }: WikiPageKey): Promise<number | null> {
  if (typeof id === "number") return id;
  if (typeof title !== "string") throw failure("missing_parameter", { parameter: "id" });
  const name = normalizeTitle(title);
  if (!isStorable(name)) return null;
  const page = await db.wikiPage.findUnique({ where: { title: name }, select: { id: true } });
  return page?.id ?? null;
}

/** One of the other names in any case; the ones with `*` are patterns. Patterns over all names together use the index. */
function otherNamesMatch(text: string): Sql {
  const names = composed(text, "NFKC").split(/\s+/u).filter(Boolean);
  const exact = names.filter((name) => !name.includes("*"));
  const conditions =
    exact.length > 0 ? [indexed(sql`lower_names(t.other_names) && lower_names(${exact}::text[])`)] : [];
  for (const name of names.filter((each) => each.includes("*"))) {
    const pattern = likePattern(lowerAsSql(name));
    const likely = namesLike(sql`t.other_names`, `%${pattern}%`);
    const condition = sql`(${likely} AND EXISTS (SELECT FROM unnest(lower_names(t.other_names)) AS name WHERE name LIKE ${pattern}))`;
    conditions.push(indexedBy(likely, condition));
  }
  const any = anyOf(conditions);
  return isIndexed(any) ? any : sql`(t.other_names <> '{}' AND ${any})`; // few pages have some
}
