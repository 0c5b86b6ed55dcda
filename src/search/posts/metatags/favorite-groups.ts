/** Meta-tags of favorite groups: by id those that the viewer may see, by name the viewer's own. */
import { type Sql, sql } from "../../../database/client.js";
import { nameKey } from "../../../lib/names.js";
import type { Order } from "../orders.js";
import { amongMembers, type Metatag, parseId, type SearchContext } from "./metatag.js";

/** The group with this id or name, as `g`. */
function oneGroup(value: string, { viewer }: SearchContext): Sql | null {
  if (/^\d+$/.test(value)) {
    const id = parseId(value);
    return id === null ? null : sql`g.id = ${id}::int AND (g.is_public OR g.creator_id = ${viewer.id}::int)`;
  }
  const name = nameKey(value);
  return name === "" ? null : sql`g.creator_id = ${viewer.id}::int AND lower(g.name) = ${name}`; // visitors have none
}

function members(value: string, context: SearchContext): Sql | null {
  const group = oneGroup(value, context);
  return group && sql`SELECT unnest(g.post_ids) FROM favorite_groups g WHERE ${group}`;
}

const inGroup = (value: string, context: SearchContext): Sql | null => amongMembers(members(value, context));

function byPlace(value: string, context: SearchContext): Order | null {
  const group = oneGroup(value, context);
  return (
    group && {
      join: sql`JOIN (SELECT member.post_id, member.place
                        FROM favorite_groups g, unnest(g.post_ids) WITH ORDINALITY AS member(post_id, place)
                       WHERE ${group}) kept ON kept.post_id = posts.id`,
      keys: [{ expression: sql`kept.place`, direction: "ASC" }],
    }
  );
}

export const FAVORITE_GROUPS: readonly Metatag[] = [
  {
    name: "favgroup",
    value: "ID, or name of one of your own",
    description: "is in the favorite group",
    examples: ["favgroup:12", "favgroup:my_ships"],
    toSql: inGroup,
    members,
  },
  {
    name: "ordfavgroup",
    value: "ID, or name of one of your own",
    description: "is in the favorite group, sorted in its order",
    examples: ["ordfavgroup:12", "ordfavgroup:my_ships"],
    toSql: inGroup,
    members,
    order: byPlace,
  },
];
