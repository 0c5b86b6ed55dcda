/** `tag_string` -> `tagString` */
export const toCamel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `tagString` -> `tag_string` */
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
export const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `tag_string` -> `tag-string` */
export const toDashed = (name: string): string => name.replaceAll("_", "-");

/** `urls` -> `url`, `added_tags` -> `added_tag`, `categories` -> `category`. */
export const singular = (name: string): string =>
  name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.replace(/s$/, "");

/** `ForumPost` -> `forum post` */
export const toWords = (name: string): string =>
  toSnake(lowerFirst(name))
    .replaceAll("_", " ")
    .replace(/\burl(?=s?$)/, "URL");

/** `wiki page` -> `wiki pages`, `commentary` -> `commentaries`, `alias` -> `aliases` */
export const toPlural = (words: string): string => `${words.replace(/y$/, "ie").replace(/s$/, "se")}s`;

/** With `a` or `an`. */
export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
