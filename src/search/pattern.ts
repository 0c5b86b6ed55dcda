/** Patterns as users write them. */

/**
 * The LIKE pattern of a text in which `*` stands for any characters; `%`, `_` and `\` mean themselves. Runs of `*` say no
 * more than one, and PostgreSQL would try them all.
 */
export const likePattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
