import { useEffect, useState } from "preact/hooks";

/** False until the browser has drawn what a component rendered first: what is not urgent is rendered after that. */
export function useDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return isDrawn;
}
