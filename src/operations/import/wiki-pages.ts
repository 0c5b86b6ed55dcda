/** Imports wiki pages whose titles don't exist. */
import { sql } from "../../database/client.js";
import { isStorable } from "../../lib/text.js";
import { WikiPageService } from "../../resources/wiki-pages/wiki-page.service.js";
import { normalizeTitle } from "../../resources/wiki-pages/wiki-page.state.js";
import { simpleImporter, timesOf, within } from "./importer.js";
import { SHAPES, type WikiPageShape } from "./records.js";

export const wikiPageImporter = simpleImporter<WikiPageShape>("wiki_pages", SHAPES.wiki_pages, {
  async find(db, _work, page) {
    const title = normalizeTitle(page.title);
    if (!isStorable(title)) return null;
    return (await db.wikiPage.findUnique({ where: { title }, select: { id: true } }))?.id ?? null;
  },
  async create(db, work, page) {
    const service = new WikiPageService({ ...work, transact: within(db) });
    const { title, body, other_names: otherNames, is_locked: isLocked } = page;
    const { id } = await service.create(work.context, { title, body, otherNames, isLocked });
    if (page.is_deleted) await service.delete(work.context, { id });
    const { created, updated } = timesOf(page);
    await db.execute(sql`UPDATE wiki_pages SET created_at = ${created}, updated_at = ${updated} WHERE id = ${id}`);
    return { localId: id };
  },
});
