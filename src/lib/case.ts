/** Spellings of names. */

/** `tag_string` -> `tagString` */
export const toCamel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `tagString` -> `tag_string` */
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
