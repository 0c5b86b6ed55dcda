/** Swiping between pages: the content follows the finger, and moves on or back when it is lifted. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Opens the next or previous page; undefined at the ends. */
export interface Steps {
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
}

/** Pixels before the direction of a finger is clear. */
const UNDECIDED = 10;
/** Share of the width, or pixels a millisecond, from which on a swipe counts. */
const [FAR, FAST] = [0.25, 0.5];
/** Resistance where there is no further page. */
const RELUCTANCE = 4;

/** The result of a swipe of so many pixels and milliseconds. */
function meaningOf(by: number, width: number, milliseconds: number): "previous" | "next" | null {
  const isMeant = Math.abs(by) > width * FAR || (Math.abs(by) > UNDECIDED && Math.abs(by) / milliseconds > FAST);
  if (!isMeant) return null;
  return by < 0 ? "next" : "previous";
}

const isZoomed = (): boolean => (visualViewport?.scale ?? 1) > 1.01;

/** @param isOn false while the finger scrolls the content */
export function useSwipe(element: RefObject<HTMLElement | null>, beside: Steps, isOn: boolean): void {
  const latest = useRef(beside); // a rendering during a swipe does not end it
  latest.current = beside;
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
      const hasMore = across < 0 ? latest.current.next : latest.current.previous;
      if (from.isSwipe) show(hasMore ? across : across / RELUCTANCE);
    };
    const end = ({ pointerId, clientX, timeStamp }: PointerEvent) => {
      if (!from || pointerId !== from.id) return;
      const meant = from.isSwipe ? meaningOf(clientX - from.x, shown.clientWidth, timeStamp - from.time) : null;
      stop();
      if (meant) latest.current[meant]?.();
    };
    shown.addEventListener("pointerdown", begin, { signal });
    shown.addEventListener("pointermove", move, { signal });
    shown.addEventListener("pointerup", end, { signal });
    shown.addEventListener("pointercancel", stop, { signal });
    return () => {
      listening.abort();
      show(0);
    };
  }, [isOn]);
}
