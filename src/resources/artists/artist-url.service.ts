/** URLs of artists, as they are listed. They are written with their artist. */
import { sql } from "../../database/client.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import { type ArtistUrlRecord, artistUrls } from "./artist.records.js";
import type { PageRequest } from "../shared/paging.js";
import type { ServiceParts } from "../shared/service.js";

const filters = {
  id: by.ids,
  artistId: by.ids,
  /** with `*` a pattern, else the exact URL; in any case */
  urlMatches: by.on(
    sql`lower(t.url)`,
    by.patternOf((url) => url.trim().toLowerCase()),
  ),
  isActive: by.flag,
};
export type ArtistUrlSearch = SearchOf<typeof filters>;

export class ArtistUrlService {
  constructor(private readonly parts: ServiceParts) {}

  /** @throws BoardError 424 for too deep a page */
  search(search: ArtistUrlSearch, request: PageRequest): Promise<Page<ArtistUrlRecord>> {
    const where = conditionsOf(filters, search);
    return artistUrls.list(this.parts, { where }, request);
  }
}
