import { useEffect, useState } from "preact/hooks";

/**
 * How many frames were drawn since a component rendered something new, up to `most`: what is not urgent is rendered
 * after that, in parts, so that the page stays responsive.
 * @param what the count restarts at 0 when this changes
 */
export function useDrawings(what: number, most: number): number {
  const [drawn, setDrawn] = useState({ what, times: 0 });
  const times = drawn.what === what ? drawn.times : 0;
  useEffect(() => {
    if (times < most) setDrawn({ what, times: times + 1 });
  }, [what, times]);
  return times;
}

/** False until the browser has drawn the first rendering of something. */
export const useDrawn = (what: number): boolean => useDrawings(what, 1) === 1;
