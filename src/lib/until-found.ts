/**
 * The search, whose result is remembered once there is one. Until then each call searches again; calls at the same time share a search.
 */
export function untilFound<T>(search: () => Promise<T | null>): () => Promise<T | null> {
  let found: Promise<T | null> | undefined;
  return () =>
    (found ??= search().then((result) => {
      if (result === null) found = undefined;
      return result;
    }));
}
