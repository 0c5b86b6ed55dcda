/** Says that others changed a text since its edit began. */
interface Props {
  /** what has the text */
  record: string;
  /** the text as the edit began, and as it was sent */
  known: ReadonlySet<string>;
  /** the text as it is */
  now: string;
}

export const ChangedByOthers = ({ record, known, now }: Props) =>
  known.has(now) ? null : (
    <div role="status" aria-label="Changed by others">
      <p>Others changed the {record} since you began to edit it. Your text replaces this:</p>
      <p dir="auto">{now}</p>
    </div>
  );
