import { useEffect, useState } from "preact/hooks";

/**
 * False until the browser has drawn what a component rendered first of something: what is not urgent is rendered after that.
 * @param what it is false again where this is another
 */
export function useDrawn(what: number): boolean {
  const [drawn, setDrawn] = useState<number | null>(null);
  useEffect(() => setDrawn(what), [what]);
  return drawn === what;
}
