/** Imports active aliases and implications. */
import { isStorable } from "../../lib/text.js";
import { queueApplying } from "../../resources/tag-relations/tag-relation.apply.js";
import type { RelationKind } from "../../resources/tag-relations/tag-relation.records.js";
import { TagRelationService } from "../../resources/tag-relations/tag-relation.service.js";
import { normalizeTagName } from "../../tagging/tag-name.js";
import { type Importer, RecordProblem, simpleImporter, within } from "./importer.js";
import type { Kind } from "./kinds.js";
import { type RelationShape, SHAPES } from "./records.js";

/** A background job applies them to the posts, as after an approval. */
const relationImporter = (kind: Kind, relation: RelationKind): Importer =>
  simpleImporter<RelationShape>(kind, SHAPES[kind as "tag_aliases"], {
    async find(db, _work, record) {
      const names = [normalizeTagName(record.antecedent_name), normalizeTagName(record.consequent_name)];
      const [antecedentName = "", consequentName = ""] = names;
      if (!names.every(isStorable)) return null;
      const where = { antecedentName, consequentName, status: { notIn: ["deleted", "retired"] } };
      const row =
        relation === "alias"
          ? await db.tagAlias.findFirst({ where, select: { id: true } })
          : await db.tagImplication.findFirst({ where, select: { id: true } });
      return row?.id ?? null;
    },
    async create(db, work, record) {
      if (record.status !== "" && record.status !== "active") throw new RecordProblem("status: is not active");
      const { database, config, context } = work;
      const service = new TagRelationService(relation, { database, config, transact: within(db) });
      const { antecedent_name: antecedentName, consequent_name: consequentName, reason } = record;
      const made = await service.createApproved(context.viewer.id, { antecedentName, consequentName, reason });
      await queueApplying(db, relation, made.id);
      return { localId: made.id };
    },
  });

export const aliasImporter = relationImporter("tag_aliases", "alias");
export const implicationImporter = relationImporter("tag_implications", "implication");
