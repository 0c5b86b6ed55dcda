/** The rectangle of a note, positioned in fractions of the picture, moved and resized by pointer and keys. */
import type {
  ComponentChildren,
  RefObject,
  TargetedFocusEvent,
  TargetedKeyboardEvent,
  TargetedPointerEvent,
} from "preact";
import { drag } from "../../../lib/drag.js";
import { type Corner, CORNERS, moved, type Point, type Rectangle, resized } from "../../../lib/rectangle.js";

/** How far an arrow key moves a note, as a fraction of the picture. */
const STEP = 0.01;
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

interface Props {
  rectangle: Rectangle;
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  describedBy?: string | undefined;
  isSelected: boolean;
  isMovable: boolean;
  onSelect: () => void;
  /** called while it is moved */
  onChange: (rectangle: Rectangle) => void;
  /** called when it is dropped */
  onPut: (rectangle: Rectangle) => void;
  /** called for keys that it does not handle */
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLElement>) => void;
  onHover?: (isOver: boolean) => void;
  onFocus?: (isIn: boolean) => void;
  children: ComponentChildren;
}

export function NoteFrame(props: Props) {
  const { rectangle, isSelected, isMovable, onChange, onPut } = props;

  const begin = (event: TargetedPointerEvent<HTMLElement>, to: (by: Point) => Rectangle) => {
    const picture = event.currentTarget.closest(".Notes")?.getBoundingClientRect();
    if (!picture || event.button !== 0) return;
    let last = rectangle;
    drag(event, {
      onMove: ({ x, y }) => onChange((last = to({ x: x / picture.width, y: y / picture.height }))),
      onEnd: (isLifted) => (isLifted ? onPut(last) : onChange(rectangle)),
    });
  };
  /** A finger moves a selected note; elsewhere it scrolls the page. */
  const isGrabbed = ({ pointerType }: PointerEvent) => isMovable && (isSelected || pointerType === "mouse");
  const pull = (corner: Corner) => (event: TargetedPointerEvent<HTMLElement>) => {
    event.stopPropagation();
    begin(event, (by) => resized(rectangle, corner, by));
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = event.altKey || event.ctrlKey || event.metaKey ? undefined : ARROWS[event.key]; // else the browser's
    if (!by || !isSelected || !isMovable) return props.onKeyDown?.(event);
    event.preventDefault();
    onPut(event.shiftKey ? resized(rectangle, "se", by) : moved(rectangle, by));
  };

  const leave = ({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget as Node | null)) props.onFocus?.(false);
  };
  const { x, y, width, height } = rectangle;
  return (
    <div
      class={`Note ${isSelected ? "is-selected" : ""} ${isMovable ? "is-movable" : ""}`}
      style={{ "--x": x, "--y": y, "--nw": width, "--nh": height }}
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && props.onHover?.(true)}
      onPointerLeave={() => props.onHover?.(false)}
      onFocusIn={() => props.onFocus?.(true)}
      onFocusOut={leave}
    >
      <button
        class="Note-frame"
        type="button"
        ref={props.button}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-pressed={isMovable ? isSelected : undefined}
        onClick={props.onSelect}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => isGrabbed(event) && begin(event, (by) => moved(rectangle, by))}
      />
      {isSelected &&
        isMovable &&
        CORNERS.map((corner) => <span key={corner} class={`Note-corner is-${corner}`} onPointerDown={pull(corner)} />)}
      {props.children}
    </div>
  );
}
