/** Rights on wiki pages: every member may edit any page, unless it is locked; Builders lock and delete. */
import { builder, member, withNote, open, right, type Rights } from "../shared/policy.js";

const LOCK = "If the page is locked: Builders and above (422).";

export const mayCreate = member;
export const mayEdit = member;
export const mayLock = builder;
export const mayDelete = builder;

/** Whether an edit would succeed: the page may be locked. */
export const mayUpdate = right<{ isLocked: boolean }>({
  minimum: "member",
  also: ({ isLocked }) => (isLocked ? "builder" : null),
});

export const wikiPageRights: Rights = {
  reads: { wikiPage: open, wikiPages: open, wikiPageVersion: open, wikiPageVersions: open },
  writes: {
    createWikiPage: withNote(mayCreate, "`is_locked`: Builders and above."),
    deleteWikiPage: mayDelete,
    revertWikiPage: withNote(mayEdit, `${LOCK} To a version where \`is_locked\` differs: Builders and above.`),
    updateWikiPage: withNote(mayEdit, `${LOCK} Locking and deleting: Builders and above.`),
  },
};
