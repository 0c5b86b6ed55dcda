/** What a pool is about, above its posts. */
import { versionsUrl } from "../../histories.js";
import { useDocument } from "../../lib/graphql.js";
import { Prose } from "../../parts/prose.js";
import { PoolAboutDocument } from "./__generated__/pool-about.js";

export function PoolAbout({ id }: { id: number }) {
  const { data } = useDocument(PoolAboutDocument, { id });
  return (
    <>
      {data?.pool && <Prose html={data.pool.descriptionHtml} />}
      <p>
        <a href={versionsUrl("pool", { pool_id: id })}>Edits of the pool</a>
      </p>
    </>
  );
}
