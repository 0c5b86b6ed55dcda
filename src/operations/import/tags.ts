/** Imports tags: names, categories, and which are deprecated. Post counts are this board's own. */
import { type Db, sql } from "../../database/client.js";
import { TagCategory, type TagCategoryNumber } from "../../tagging/categories.js";
import type { TagRow } from "../../tagging/facts.js";
import { applyCategories, findOrCreateTags } from "../../tagging/store.js";
import { checkTagNames, normalizeTagName } from "../../tagging/tag-name.js";
import { simpleImporter, timesOf, type Work } from "./importer.js";
import { SHAPES, type TagShape } from "./records.js";

interface Tag {
  category: number;
  isLocked: boolean;
  isDeprecated: boolean;
}

/** Whether the import would change nothing. A tag of the general category takes the imported category. */
const isUpToDate = (here: Tag, there: TagShape): boolean =>
  (here.isDeprecated || !there.is_deprecated) &&
  (here.isLocked || here.category !== TagCategory.general || there.category === TagCategory.general);

export const tagImporter = simpleImporter<TagShape>("tags", SHAPES.tags, {
  async find(db, _work, tag) {
    const name = nameOf(tag);
    const here = await db.tag.findUnique({ where: { name } });
    return here && isUpToDate(here, tag) ? here.id : null;
  },
  async create(db, work, tag) {
    const name = nameOf(tag);
    const here = await db.tag.findUnique({ where: { name } });
    const keepsCategory = here !== null && here.category !== TagCategory.general;
    const { id } = await categorised(
      db,
      work,
      name,
      keepsCategory ? (here.category as TagCategoryNumber) : tag.category,
    );
    await db.execute(sql`UPDATE tags SET is_deprecated = is_deprecated OR ${tag.is_deprecated} WHERE id = ${id}`);
    if (here) return { outcome: "completed", localId: id };
    const { created } = timesOf(tag);
    await db.execute(sql`UPDATE tags SET created_at = ${created}, is_locked = ${tag.is_locked} WHERE id = ${id}`);
    return { localId: id };
  },
});

/** @throws BoardError 420 for an invalid name */
function nameOf(tag: TagShape): string {
  const name = normalizeTagName(tag.name);
  checkTagNames([name]);
  return name;
}

async function categorised(db: Db, work: Work, name: string, category: TagCategoryNumber): Promise<TagRow> {
  const categories = new Map([[name, category]]);
  const tags = await findOrCreateTags(db, [name], categories);
  const [row] = await applyCategories(db, tags, categories, work.context.viewer);
  if (!row) throw new Error("the created tag is missing");
  return row;
}
