/**
 * Rows in the order of their ids, a batch at a time: each is read after the one before it was worked on, so that it may be
 * interrupted, and sees what has been written since.
 * @param read the first rows with a larger id
 */
export async function* inBatches<Row extends { id: number }>(
  read: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  let rows = await read(0);
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield rows;
    rows = await read(last.id);
  }
}

/** The same rows one by one. */
export async function* oneByOne<Row extends { id: number }>(
  read: (after: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void> {
  for await (const rows of inBatches(read)) yield* rows;
}
