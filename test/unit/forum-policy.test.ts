import { describe, expect, it } from "vitest";
import { Level } from "../../src/runtime/auth/levels.js";
import { ANONYMOUS, type Viewer } from "../../src/runtime/auth/viewer.js";
import {
  mayDelete,
  mayEdit,
  mayModerate,
  maySeeTopic,
  mayUndelete,
  passesLock,
  seesDeleted,
} from "../../src/resources/forum/forum.policy.js";

const viewer = (level: number, more: Partial<Viewer> = {}): Viewer => ({ ...ANONYMOUS, id: 1, level, ...more });
const member = viewer(Level.Member);
const contributor = viewer(Level.Contributor);
const janitor = viewer(Level.Janitor);
const moderator = viewer(Level.Moderator);
const banned = viewer(Level.Moderator, { isBanned: true });
const own = { creatorId: 1, isDeleted: false };
const others = { creatorId: 2, isDeleted: false };

describe("topics and posts of the forum", () => {
  it("are edited and deleted by their creators and by Janitors", () => {
    for (const may of [mayEdit, mayDelete]) {
      expect([may(member, own), may(contributor, others), may(janitor, others)]).toEqual([true, false, true]);
      expect([may(ANONYMOUS, others), may(viewer(Level.Restricted), own), may(banned, own)]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });

  it("can't be edited by their creators once deleted, and are undeleted by Janitors", () => {
    expect(mayEdit(member, { ...own, isDeleted: true })).toBe(false);
    expect(mayEdit(janitor, { ...own, isDeleted: true })).toBe(true);
    expect([mayUndelete(contributor, own), mayUndelete(janitor, own)]).toEqual([false, true]);
  });

  it("are listed when deleted only for Janitors, and are pinned and locked by Moderators", () => {
    expect([seesDeleted(contributor), seesDeleted(janitor)]).toEqual([false, true]);
    expect([mayModerate(janitor, own), mayModerate(moderator, own)]).toEqual([false, true]);
  });

  it("are open to all unless locked, which Janitors bypass", () => {
    expect(passesLock(member, { isLocked: false })).toBe(true);
    expect([passesLock(contributor, { isLocked: true }), passesLock(janitor, { isLocked: true })]).toEqual([
      false,
      true,
    ]);
  });

  it("are visible from their minimum level on, for banned users as for visitors", () => {
    expect(maySeeTopic(ANONYMOUS, { minLevel: 0 })).toBe(true);
    expect([maySeeTopic(janitor, { minLevel: 40 }), maySeeTopic(moderator, { minLevel: 40 })]).toEqual([false, true]);
    expect([maySeeTopic(banned, { minLevel: 40 }), maySeeTopic(banned, { minLevel: 0 })]).toEqual([false, true]);
  });
});
