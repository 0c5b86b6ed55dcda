/** Normalizes and validates the input for a wiki page. */
import { validate } from "../../errors.js";
import { composed, hasUnseen } from "../../lib/names.js";
import { checkEach } from "../../lib/check-each.js";
import { isBlank, isStorable } from "../../lib/text.js";
import type { WikiPageState } from "./wiki-page.records.js";
import { MAX_NAME_LENGTH, normalizeTagName } from "../../tagging/tag-name.js";
import type { EditOf } from "../shared/columns.js";
import { checkText } from "../shared/texts.js";

/** An edit; absent fields stay unchanged, null other names are none. */
export type WikiPageEdit = EditOf<WikiPageState>;

const BODY_MAX = 80_000;
const OTHER_NAMES_MAX = 80;
const OTHER_NAME_MAX = 100;

/** A title is written like the name of the tag that it describes. */
export const normalizeTitle = normalizeTagName;

/** Other names keep their case; spaces become underscores, and duplicates in any case are removed. */
export function normalizeOtherNames(names: readonly string[]): string[] {
  const unique = new Map<string, string>();
  for (const each of names) {
    const name = composed(each, "NFKC").trim().replace(/\s+/gu, "_");
    if (name !== "" && !unique.has(name.toLowerCase())) unique.set(name.toLowerCase(), name);
  }
  return [...unique.values()];
}

export function edited(before: WikiPageState, edit: WikiPageEdit): WikiPageState {
  return {
    title: typeof edit.title === "string" ? normalizeTitle(edit.title) : before.title,
    body: edit.body ?? before.body,
    otherNames: edit.otherNames === undefined ? before.otherNames : normalizeOtherNames(edit.otherNames ?? []),
    isLocked: edit.isLocked ?? before.isLocked,
    isDeleted: edit.isDeleted ?? before.isDeleted,
  };
}

/** A title or body from before may break the rules. @throws BoardError 420 */
export const checkWikiPage = (before: WikiPageState, { title, body, otherNames }: WikiPageState): void =>
  validate((problems) => {
    if (title !== before.title) {
      checkText(problems, "title", title, { most: MAX_NAME_LENGTH, isRequired: true });
      if (!isBlank(title) && isStorable(title) && hasUnseen(title)) problems.add("title", "invalid");
    }
    if (body !== before.body) checkText(problems, "body", body, { most: BODY_MAX, isRequired: true });
    if (otherNames.length > OTHER_NAMES_MAX) problems.add("other_names", "too_many", { limit: OTHER_NAMES_MAX });
    checkEach(problems, "other_names", otherNames, (name, own) =>
      checkText(own, "other_names", name, { most: OTHER_NAME_MAX }),
    );
  });
