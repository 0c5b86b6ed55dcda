/** An unsaved edit of a post, stored in this browser, with the post's state when the edit began. */
import { useRef } from "preact/hooks";
import { useDraft } from "../../lib/drafts.js";
import type { Edit_PostFragment } from "./__generated__/edit.js";

export const LOCKS = [
  ["isRatingLocked", "Lock the rating", "lock"],
  ["isNoteLocked", "Lock the notes", "lock"],
  ["isStatusLocked", "Lock the status", "lockStatus"],
] as const;
export type Locks = Partial<Record<(typeof LOCKS)[number][0], boolean>>;

export interface Fields extends Pick<Edit_PostFragment, "tagString" | "rating" | "source"> {
  /** as typed */
  parent: string;
  locks: Locks;
}

/** The post as it was when the edit began, to detect and keep edits made by others meanwhile. */
export type Before = Pick<Edit_PostFragment, "tagString" | "rating" | "source" | "parentId">;

interface Draft {
  fields: Fields;
  before: Before;
}

const begun = ({ tagString, rating, source, parentId }: Edit_PostFragment): Draft => ({
  fields: { tagString: `${tagString} `, rating, source, parent: String(parentId ?? ""), locks: {} },
  before: { tagString, rating, source, parentId },
});

/** A stored draft; null for none, or one of another version of this page. */
function draftIn(text: string): Draft | null {
  try {
    const { fields, before } = JSON.parse(text) as Draft;
    const texts = [fields.tagString, fields.rating, fields.source, fields.parent, before.tagString, before.source];
    return texts.every((each) => typeof each === "string") && typeof fields.locks === "object"
      ? { fields, before }
      : null;
  } catch {
    return null;
  }
}

export interface EditDraft extends Draft {
  /** whether it was stored before the form was opened */
  isOld: boolean;
  change: (fields: Partial<Fields>) => void;
  forget: () => void;
  /** The fields were sent, and the post is as it was saved. @returns whether nothing else was typed meanwhile, which stays a draft */
  sent: (fields: Fields, saved: Edit_PostFragment | null | undefined) => boolean;
}

/** @param post its current state */
export function useEditDraft(post: Edit_PostFragment): EditDraft {
  const [text, keep] = useDraft(`edit ${post.id}`);
  const atFirst = useRef(begun(post));
  const wasKept = useRef(text !== "");
  const draft = draftIn(text) ?? atFirst.current;
  const latest = useRef(draft);
  latest.current = draft;
  const forget = () => {
    wasKept.current = false;
    atFirst.current = begun(post);
    keep("");
  };
  return {
    ...draft,
    isOld: wasKept.current && draft !== atFirst.current,
    change: (fields) => keep(JSON.stringify({ ...draft, fields: { ...draft.fields, ...fields } })),
    forget,
    sent: (fields, saved) => {
      const isSame = JSON.stringify(latest.current.fields) === JSON.stringify(fields);
      if (isSame) forget();
      else if (saved) keep(JSON.stringify({ ...latest.current, before: begun(saved).before }));
      return isSame;
    },
  };
}
