/** Previews of tag edits: which tags would be added and removed, and why. Writes nothing. */
import { sql } from "../../database/client.js";
import { BoardError, failure, sentencesOf } from "../../errors.js";
import { without } from "../../lib/lists.js";
import { ownTurn } from "../../lib/own-turn.js";
import { resolveTagEdit } from "../../tagging/edit.js";
import { IN_FORCE, namesWritten, readTagFacts, tagsOfIds, type TagFacts } from "../../tagging/facts.js";
import { type ParsedTagString, readTagString } from "../../tagging/tag-string.js";
import { readPost, ROWS_PER_RECORD } from "./post.records.js";
import { tagsByNames } from "../tags/tag.service.js";
import type { ServiceParts } from "../shared/service.js";

export interface TagEditRequest {
  /** null for a post that does not exist yet */
  postId: number | null;
  tagString: string;
  /** the tags when the client began the edit, for a three-way merge */
  oldTagString: string | null;
}

/** A tag that would be added or removed. */
export interface PlannedTag {
  name: string;
  category: number;
  /** 0 for a new one */
  postCount: number;
  isDeprecated: boolean;
  /** the alias that was entered for it */
  aliasOf: string | null;
  /** a tag of the edit that implies it */
  impliedBy: string | null;
}

export interface PlannedTagEdit {
  added: PlannedTag[];
  removed: PlannedTag[];
  /** why the edit would be refused, in sentences */
  problems: string[];
}

export class TagEditService {
  constructor(private readonly parts: ServiceParts) {}

  /** @throws BoardError 404 for an unknown post */
  async plan({ postId, tagString, oldTagString }: TagEditRequest): Promise<PlannedTagEdit> {
    const { database, config } = this.parts;
    const post = postId === null ? null : await readPost(database.byKeys(ROWS_PER_RECORD), postId);
    if (!post && postId !== null) throw failure("not_found");
    await ownTurn(tagString.length + (oldTagString?.length ?? 0));
    try {
      const submitted = readTagString(tagString, "tag_string") as ParsedTagString;
      const seen = readTagString(oldTagString, "old_tag_string");
      const written = namesWritten(config.TAGS_PER_POST, submitted, seen);
      const facts = await readTagFacts(database, written, post?.tagIds ?? []);
      const current = tagsOfIds(facts, post?.tagIds ?? [])
        .map(({ name }) => name)
        .sort();
      const names = resolveTagEdit({ current, submitted, seen, file: post }, facts, config.TAGS_PER_POST);
      return await this.explained(submitted, facts, names, [without(names, current), without(current, names)]);
    } catch (error) {
      if (!(error instanceof BoardError) || error.status !== 420) throw error;
      return { added: [], removed: [], problems: sentencesOf(error.fields ?? {}) };
    }
  }

  private async explained(
    submitted: ParsedTagString,
    { aliases }: TagFacts,
    names: readonly string[],
    [added, removed]: [string[], string[]],
  ): Promise<PlannedTagEdit> {
    const written = new Set(submitted.names);
    const unwritten = added.filter((name) => !written.has(name));
    const aliasOf = new Map(
      submitted.names.flatMap((name): [string, string][] =>
        aliases.has(name) ? [[aliases.get(name) ?? "", name]] : [],
      ),
    );
    const impliedBy = await this.impliedBy(without(unwritten, [...aliasOf.keys()]), names);
    const facts = await tagsByNames(this.parts.database, [...added, ...removed]);
    const planned = (name: string, isAdded: boolean): PlannedTag => ({
      name,
      category: facts.get(name)?.category ?? submitted.categories.get(name) ?? 0,
      postCount: facts.get(name)?.postCount ?? 0,
      isDeprecated: facts.get(name)?.isDeprecated ?? false,
      aliasOf: isAdded && !written.has(name) ? (aliasOf.get(name) ?? null) : null,
      impliedBy: isAdded ? (impliedBy.get(name) ?? null) : null,
    });
    return {
      added: added.map((name) => planned(name, true)),
      removed: removed.map((name) => planned(name, false)),
      problems: [],
    };
  }

  /** For each implied tag, one of the tags that imply it. */
  private async impliedBy(implied: readonly string[], among: readonly string[]): Promise<Map<string, string>> {
    if (implied.length === 0) return new Map();
    const rows = await this.parts.database.query<{ name: string; by: string }>(sql`
      SELECT consequent_name AS name, min(antecedent_name) AS by FROM tag_implications
       WHERE consequent_name = ANY(${[...implied]}::text[]) AND antecedent_name = ANY(${[...among]}::text[])
         AND status IN ${IN_FORCE} GROUP BY consequent_name`);
    return new Map(rows.map(({ name, by }) => [name, by]));
  }
}
