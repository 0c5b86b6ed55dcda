/** Tag categories: the specification's numbers (and 5, meta, which current clients send), names and prefixes. */
export const TagCategory = { general: 0, artist: 1, copyright: 3, character: 4, meta: 5 } as const;
export type TagCategoryName = keyof typeof TagCategory;
export type TagCategoryNumber = (typeof TagCategory)[TagCategoryName];

const PREFIXES: Record<string, TagCategoryName> = {
  general: "general",
  gen: "general",
  artist: "artist",
  art: "artist",
  copyright: "copyright",
  copy: "copyright",
  co: "copyright",
  character: "character",
  char: "character",
  ch: "character",
  meta: "meta",
};

/** The category of a prefix (`art` in `art:bob`), or null. */
export const categoryOfPrefix = (prefix: string): TagCategoryNumber | null => {
  const name = Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined;
  return name === undefined ? null : TagCategory[name];
};
