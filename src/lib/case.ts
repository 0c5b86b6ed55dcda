/** Spellings of names. */

/** `tag_string` -> `tagString` */
export const toCamel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
