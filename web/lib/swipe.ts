/** Turning pages with a finger: what is shown follows it, and goes on or back where it is lifted. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Goes to what is beside; undefined at the ends. */
export interface Steps {
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
}

/** Pixels before it is clear where a finger goes. */
const UNDECIDED = 10;
/** A share of the width, or pixels a millisecond, from which on it goes on. */
const [FAR, FAST] = [0.25, 0.5];
/** Where there is nothing, it follows reluctantly. */
const RELUCTANCE = 4;

/** What a finger that went so far, in so many milliseconds, means. */
function meaningOf(by: number, width: number, milliseconds: number): "previous" | "next" | null {
  const isMeant = Math.abs(by) > width * FAR || (Math.abs(by) > UNDECIDED && Math.abs(by) / milliseconds > FAST);
  if (!isMeant) return null;
  return by < 0 ? "next" : "previous";
}

const isZoomed = (): boolean => (visualViewport?.scale ?? 1) > 1.01;

/** @param isOn false while the finger scrolls what is shown */
export function useSwipe(element: RefObject<HTMLElement | null>, beside: Steps, isOn: boolean): void {
  useLayoutEffect(() => {
    const { current: shown } = element;
    if (!shown || !isOn) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let from: { id: number; x: number; y: number; time: number; isSwipe: boolean } | null = null;
    const show = (by: number) => {
      shown.style.transform = by === 0 ? "" : `translateX(${by}px)`;
    };
    const stop = () => {
      from = null;
      show(0);
    };
    const begin = ({
      pointerId: id,
      pointerType,
      isPrimary,
      clientX: x,
      clientY: y,
      timeStamp: time,
    }: PointerEvent) => {
      if (!isPrimary) return stop(); // a second finger zooms
      if (pointerType === "touch" && !isZoomed()) from = { id, x, y, time, isSwipe: false };
    };
    const move = ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (!from || pointerId !== from.id) return;
      const [across, down] = [clientX - from.x, clientY - from.y];
      if (!from.isSwipe && Math.abs(down) > UNDECIDED && Math.abs(down) > Math.abs(across)) return stop();
      from.isSwipe ||= Math.abs(across) > UNDECIDED;
      const hasMore = across < 0 ? beside.next : beside.previous;
      if (from.isSwipe) show(hasMore ? across : across / RELUCTANCE);
    };
    const end = ({ pointerId, clientX, timeStamp }: PointerEvent) => {
      if (!from || pointerId !== from.id) return;
      const meant = from.isSwipe ? meaningOf(clientX - from.x, shown.clientWidth, timeStamp - from.time) : null;
      stop();
      if (meant) beside[meant]?.();
    };
    shown.addEventListener("pointerdown", begin, { signal });
    shown.addEventListener("pointermove", move, { signal });
    shown.addEventListener("pointerup", end, { signal });
    shown.addEventListener("pointercancel", stop, { signal });
    return () => {
      listening.abort();
      show(0);
    };
  });
}
