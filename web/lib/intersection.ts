import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

type Found = (element: HTMLElement, isIn: boolean, height: number) => void;

/**
 * Reports when elements enter or leave the window, extended by margins, until their page is left.
 * @param selector of the elements within a root @param again when to look for new elements
 */
export function useIntersections(
  root: RefObject<HTMLElement | null>,
  selector: string,
  rootMargin: string,
  onFound: Found,
  again: readonly unknown[],
): void {
  const latest = useRef(onFound);
  latest.current = onFound;
  const observer = useRef<IntersectionObserver | null>(null);
  useEffect(() => {
    observer.current ??= new IntersectionObserver(
      (entries) => {
        if (root.current?.closest(".is-left")) return;
        for (const { target, isIntersecting, boundingClientRect } of entries)
          latest.current(target as HTMLElement, isIntersecting, boundingClientRect.height);
      },
      { rootMargin },
    );
    // an element that is already observed is not reported again
    for (const element of root.current?.querySelectorAll(selector) ?? []) observer.current.observe(element);
  }, again);
  useEffect(() => () => observer.current?.disconnect(), []);
}
