/** A surface on the picture, on which the rectangle of a new note is drawn. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TargetedMouseEvent, TargetedPointerEvent } from "preact";
import { drag } from "../../../lib/drag.js";
import { around, LEAST_SIDE, type Point, type Rectangle, spanned } from "../../../lib/rectangle.js";

/** The size of a note created by a tap or a key. */
const [USUAL_WIDTH, USUAL_HEIGHT] = [0.2, 0.12];

interface Props {
  onDrawn: (rectangle: Rectangle) => void;
  onCancel: () => void;
}

export function Drawing({ onDrawn, onCancel }: Props) {
  const [drawn, setDrawn] = useState<Rectangle | null>(null);
  const surface = useRef<HTMLButtonElement>(null);
  const wasDragged = useRef(false);
  useLayoutEffect(() => surface.current?.focus({ preventScroll: true }), []);

  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = surface.current?.getBoundingClientRect();
    return box ? { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height } : { x: 0.5, y: 0.5 };
  };
  const begin = (event: TargetedPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const from = pointOf(event);
    let last: Rectangle | null = null;
    wasDragged.current = false;
    drag(event, {
      onMove: ({ x, y }) => {
        last = spanned(from, { x: from.x + x / box.width, y: from.y + y / box.height });
        setDrawn(last);
      },
      onEnd: (isLifted) => {
        setDrawn(null);
        wasDragged.current = last !== null && last.width >= LEAST_SIDE && last.height >= LEAST_SIDE;
        if (isLifted && last && wasDragged.current) onDrawn(last);
      },
    });
  };
  /** A tap creates the note there, the Enter key in the middle. */
  const put = (event: TargetedMouseEvent<HTMLElement>) => {
    if (wasDragged.current) return;
    const at = event.detail === 0 ? { x: 0.5, y: 0.5 } : pointOf(event);
    onDrawn(around(at, USUAL_WIDTH, USUAL_HEIGHT));
  };
  const { x = 0, y = 0, width = 0, height = 0 } = drawn ?? {};
  return (
    <button
      class="Drawing"
      type="button"
      ref={surface}
      aria-label="Draw a note on the picture; Enter adds one in the middle"
      onPointerDown={begin}
      onClick={put}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onCancel();
      }}
    >
      {drawn && <span class="Drawing-note" style={{ "--x": x, "--y": y, "--nw": width, "--nh": height }} />}
    </button>
  );
}
