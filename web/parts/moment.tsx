/** Points in time, in the viewer's time zone. */
import { ago, inFull } from "../lib/dates.js";
import { useDrawn } from "../lib/drawn.js";
import { useSettings } from "../lib/shell.js";

/** "3 days ago", with date and time as its title. */
export function Moment({ time }: { time: string }) {
  const zone = useSettings()?.timeZone;
  const isDrawn = useDrawn(0);
  return (
    <time dateTime={time} title={isDrawn ? inFull(time, zone) : undefined}>
      {ago(time)}
    </time>
  );
}

/** Date and time. */
export const FullMoment = ({ time }: { time: string }) => (
  <time dateTime={time}>{inFull(time, useSettings()?.timeZone)}</time>
);
