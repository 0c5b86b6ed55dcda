/** A box beside an element, above everything else, and within the window at every size. */
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { placeBeside } from "../lib/placing.js";
import "./beside.css";

interface Props {
  /** the element */
  of: RefObject<Element | null>;
  isShown: boolean;
  children: ComponentChildren;
}

/** The visible part of the page, without a phone's on-screen keyboard. */
const windowSize = () => ({
  width: document.documentElement.clientWidth,
  height: visualViewport?.height ?? innerHeight,
});

export function Beside({ of, isShown, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const place = () => {
    const { current } = box;
    if (!current || !of.current || !current.matches(":popover-open")) return;
    const { x, y } = placeBeside(of.current.getBoundingClientRect(), current.getBoundingClientRect(), windowSize());
    current.style.left = `${x}px`;
    current.style.top = `${y}px`;
  };
  useLayoutEffect(() => {
    box.current?.togglePopover(isShown);
    if (!isShown) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("scroll", place, { signal, capture: true, passive: true });
    addEventListener("resize", place, { signal });
    visualViewport?.addEventListener("resize", place, { signal });
    const sizes = new ResizeObserver(place);
    if (box.current) sizes.observe(box.current);
    return () => {
      listening.abort();
      sizes.disconnect();
    };
  }, [isShown]);
  useLayoutEffect(place);
  return (
    <div class="Beside" ref={box} popover="manual">
      {children}
    </div>
  );
}
