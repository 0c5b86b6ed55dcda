/** Rights: the rule and its row in the table of permissions are stated once. */
import { describe, expect, it } from "vitest";
import { permits, ROLES, VIEWERS } from "../../scripts/roles.js";
import { RIGHTS } from "../../src/resources/registry.js";
import { from, withNote, right } from "../../src/resources/shared/policy.js";
import type { Viewer } from "../../src/runtime/auth/viewer.js";

interface Owned {
  userId: number;
  isLocked: boolean;
}
const owner = ({ userId }: Owned): number => userId;
const [own, others] = [
  { userId: 1, isLocked: false },
  { userId: 2, isLocked: false },
];

/** Those whom a right lets do it with a record. */
const allowed = <Record>(of: (viewer: Viewer, record: Record) => boolean, record: Record) =>
  ROLES.filter((role) => of(VIEWERS[role], record));

describe("a right", () => {
  it("of a level belongs to that level and above, never to banned users", () => {
    expect(allowed(from("janitor"), undefined)).toEqual(["janitor", "moderator", "admin"]);
    expect(allowed(from("member"), undefined)).toEqual(ROLES.slice(2));
    expect(allowed(from("public"), undefined)).toEqual(ROLES);
  });

  it.each([
    right<Owned>({ minimum: "member", others: "janitor", owner }),
    right<Owned>({ minimum: "janitor", own: "nobody", owner }),
    right<Owned>({ minimum: "public", own: "account", others: "moderator", owner }),
    right<Owned>({ minimum: "member", others: "nobody", owner }),
  ])("allows what its row says: $permission", (stated) => {
    expect(allowed(stated, own)).toEqual(ROLES.filter((role) => permits(stated.permission, role, true)));
    expect(allowed(stated, others)).toEqual(ROLES.filter((role) => permits(stated.permission, role, false)));
  });

  it("may ask for more because of the state of a record", () => {
    const edit = right<Owned>({ minimum: "member", also: ({ isLocked }) => (isLocked ? "builder" : null) });
    expect(allowed(edit, own)).toEqual(ROLES.slice(2));
    expect(allowed(edit, { ...own, isLocked: true })).toEqual(ROLES.slice(5));
  });

  it("may restrict only some records", () => {
    const see = right<Owned>({ minimum: "admin", onlyIf: ({ isLocked }) => isLocked });
    expect(allowed(see, own)).toEqual(ROLES);
    expect(allowed(see, { ...own, isLocked: true })).toEqual(["admin"]);
  });

  it("with another note is the same right", () => {
    const stated = right<Owned>({ minimum: "member", others: "nobody", owner, note: "first" });
    const other = withNote(stated, "second");
    expect([other.permission, allowed(other, others)]).toEqual([{ ...stated.permission, note: "second" }, []]);
  });

  it("of an operation or field is stated by one policy only", () => {
    for (const kind of ["reads", "writes", "subscriptions", "fields"] as const) {
      const names = RIGHTS.flatMap((rights) => Object.keys(rights[kind] ?? {}));
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});
