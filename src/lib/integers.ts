/** The greatest number that an `int` of PostgreSQL, and so an id, and an `Int` of GraphQL can be. */
export const MAX_INT = 2_147_483_647;
