import { useEffect, useState } from "preact/hooks";

/**
 * How many times the browser has drawn what a component rendered of something, up to `most`: what is not urgent is rendered
 * after that, in parts, none of which keeps the page from answering.
 * @param what it begins at 0 where this is another
 */
export function useDrawings(what: number, most: number): number {
  const [drawn, setDrawn] = useState({ what, times: 0 });
  const times = drawn.what === what ? drawn.times : 0;
  useEffect(() => {
    if (times < most) setDrawn({ what, times: times + 1 });
  }, [what, times]);
  return times;
}

/** False until the browser has drawn what a component rendered first of something. */
export const useDrawn = (what: number): boolean => useDrawings(what, 1) === 1;
