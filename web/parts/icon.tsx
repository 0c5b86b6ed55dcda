/** Icons, drawn in lines on a grid of 24. They are decorative: their meaning is in the text beside them or in a label. */
const PATHS = {
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20 20l-4-4",
  heart: "M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.3 4.3 4.3 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10Z",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  note: "M5 4h14v11l-5 5H5zM14 20v-5h5",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  close: "M6 6l12 12M18 6L6 18",
  play: "M8 5l11 7-11 7z",
  check: "M5 12l5 5L19 7",
  family: "M4 8h10v12H4zM10 8V4h10v12h-6",
  hide: "M3 12s3.5-6 9-6c1.6 0 3 .5 4.3 1.2M21 12s-3.5 6-9 6c-1.6 0-3-.5-4.3-1.2M4 20L20 4",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  upload: "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, isFilled = false, size = 18 }: { name: IconName; isFilled?: boolean; size?: number }) => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill={isFilled ? "currentColor" : "none"}>
    <path d={PATHS[name]} />
  </svg>
);
