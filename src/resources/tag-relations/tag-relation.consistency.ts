/** What aliases and implications must not become together: chains of aliases, and cycles of implications. */
import { type Db, type Sql, sql } from "../../database/client.js";
import { ValidationErrors } from "../../errors.js";
import { withImplications } from "../../tagging/facts.js";
import type { RelationKind } from "./tag-relation.records.js";

/**
 * Checks a relation against those with some statuses; the caller holds the lock of the key `tagRelations`. The consequent must not be
 * aliased, nor the antecedent of an implication; and no tag may imply itself.
 * @throws BoardError 420
 */
export async function checkConsistency(
  db: Db,
  kind: RelationKind,
  { antecedentName, consequentName }: { antecedentName: string; consequentName: string },
  statuses: Sql,
): Promise<void> {
  const names = kind === "alias" ? [consequentName] : [antecedentName, consequentName];
  const aliased = await db.query<{ name: string }>(sql`
    SELECT antecedent_name AS name FROM tag_aliases
     WHERE antecedent_name = ANY(${names}::text[]) AND status IN ${statuses}`);
  const problems = new ValidationErrors();
  if (aliased.some(({ name }) => name === antecedentName)) problems.add("antecedent_name", "is_aliased");
  if (aliased.some(({ name }) => name === consequentName)) problems.add("consequent_name", "is_aliased");
  if (kind === "alias") {
    if (await wouldCycle(db, [antecedentName, consequentName], statuses))
      problems.add("consequent_name", "implication_cycle");
  } else if ((await withImplications(db, [consequentName], statuses)).includes(antecedentName)) {
    problems.add("consequent_name", "implies_antecedent");
  }
  problems.throwIfAny();
}

/** Whether one of the tags implies the other through a third: as one tag, they would imply themselves. */
async function wouldCycle(db: Db, names: readonly string[], statuses: Sql): Promise<boolean> {
  const others = await db.query<{ name: string }>(sql`
    SELECT consequent_name AS name FROM tag_implications
     WHERE antecedent_name = ANY(${[...names]}::text[]) AND consequent_name <> ALL(${[...names]}::text[])
       AND status IN ${statuses}`);
  const implied = await withImplications(
    db,
    others.map(({ name }) => name),
    statuses,
  );
  return names.some((name) => implied.includes(name));
}
