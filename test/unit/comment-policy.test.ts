/** Rights on comments and dmails. */
import { describe, expect, it } from "vitest";
import { Level } from "../../src/runtime/auth/levels.js";
import { ANONYMOUS, type Viewer } from "../../src/runtime/auth/viewer.js";
import * as comments from "../../src/resources/comments/comment.policy.js";
import * as dmails from "../../src/resources/dmails/dmail.policy.js";

const CREATOR = 1;
const STRANGER = 2;

const viewer = (id: number, level: number = Level.Member, isBanned = false): Viewer => ({
  id,
  name: "somebody",
  level,
  isBanned,
  proof: "basic",
});
const creator = viewer(CREATOR);
const bannedCreator = viewer(CREATOR, Level.Member, true);
const contributor = viewer(STRANGER, Level.Contributor);
const janitor = viewer(STRANGER, Level.Janitor);

const comment = { creatorId: CREATOR, isDeleted: false, updaterId: null };
const deletedByCreator = { ...comment, isDeleted: true, updaterId: CREATOR };
const deletedByStaff = { ...comment, isDeleted: true, updaterId: STRANGER };

/** update, delete, undelete, vote, see the text */
const rights = (who: Viewer, what: typeof comment | typeof deletedByCreator): boolean[] => [
  comments.mayUpdate(who, what),
  comments.mayDelete(who, what),
  comments.mayUndelete(who, what),
  comments.mayVote(who, what),
  comments.maySeeBody(who, what),
];
const [yes, no] = [true, false];

describe("update, delete, undelete, vote, see the text of", () => {
  it.each([
    [
      "a comment",
      comment,
      {
        visitor: [no, no, no, no, yes],
        stranger: [no, no, no, yes, yes],
        own: [yes, yes, yes, yes, yes],
        staff: [yes, yes, yes, yes, yes],
      },
    ],
    [
      "one that its creator deleted",
      deletedByCreator,
      {
        visitor: [no, no, no, no, no],
        stranger: [no, no, no, no, no],
        own: [no, yes, yes, no, yes],
        staff: [yes, yes, yes, no, yes],
      },
    ],
    [
      "one that the staff deleted",
      deletedByStaff,
      {
        visitor: [no, no, no, no, no],
        stranger: [no, no, no, no, no],
        own: [no, yes, no, no, yes],
        staff: [yes, yes, yes, no, yes],
      },
    ],
  ])("%s", (_, what, expected) => {
    expect(rights(ANONYMOUS, what)).toEqual(expected.visitor);
    expect(rights(contributor, what)).toEqual(expected.stranger);
    expect(rights(creator, what)).toEqual(expected.own);
    expect(rights(janitor, what)).toEqual(expected.staff);
    expect(rights(bannedCreator, what)).toEqual([no, no, no, no, yes]);
  });
});

describe("a dmail", () => {
  it("belongs only to its owner, whatever the level of others", () => {
    const rules = [dmails.maySee, dmails.mayUpdate, dmails.mayDelete];
    const may = (who: Viewer) => rules.map((rule) => rule(who, { ownerId: CREATOR }));
    expect(may(creator)).toEqual([yes, yes, yes]);
    for (const who of [ANONYMOUS, bannedCreator, contributor, janitor, viewer(STRANGER, Level.Admin)]) {
      expect(may(who)).toEqual([no, no, no]);
    }
  });
});
