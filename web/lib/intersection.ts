import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Tells when an element comes into the window, widened by margins, and when it leaves it. */
export function useIntersection(
  element: RefObject<Element | null>,
  rootMargin: string,
  onChange: (isIn: boolean) => void,
  again: readonly unknown[] = [],
): void {
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver((entries) => onChange(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [rootMargin, ...again]);
}
