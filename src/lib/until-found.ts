/**
 * The search, whose result is remembered once there is one. Until then, also after an error, each call searches again; calls at the same time share a search.
 */
export function untilFound<T>(search: () => Promise<T | null>): () => Promise<T | null> {
  let found: Promise<T | null> | undefined;
  const forget = () => (found = undefined);
  return () => {
    if (!found) {
      found = search();
      void found.then((result) => result ?? forget(), forget);
    }
    return found;
  };
}
