/** Tag categories: the specification's numbers (and 5, meta, which current clients send), names and prefixes. */
export const TagCategory = { general: 0, artist: 1, copyright: 3, character: 4, meta: 5 } as const;
export type TagCategoryName = keyof typeof TagCategory;
export type TagCategoryNumber = (typeof TagCategory)[TagCategoryName];

const { general, artist, copyright, character } = TagCategory;
/** Prefixes besides the names. */
const SHORT = { gen: general, art: artist, copy: copyright, co: copyright, char: character, ch: character };

const PREFIXES = new Map<string, TagCategoryNumber>(Object.entries({ ...TagCategory, ...SHORT }));

/** The category of a prefix (`art` in `art:bob`), or null. */
export const categoryOfPrefix = (prefix: string): TagCategoryNumber | null => PREFIXES.get(prefix) ?? null;
