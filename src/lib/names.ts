/** User names as keys: compared without case, blanks are underscores. */
export const normalizeUserName = (name: string): string => name.trim().replace(/\s/gu, "_").toLowerCase();
