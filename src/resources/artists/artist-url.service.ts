/** URLs of artists, as they are listed. They are written with their artist. */
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import { type ArtistUrlRecord, artistUrls } from "./artist.records.js";
import type { PageRequest } from "../shared/paging.js";

export interface ArtistUrlSearch {
  id?: number[] | null;
  artistId?: number[] | null;
  /** with `*` a pattern, else the exact URL; in any case */
  urlMatches?: string | null;
  isActive?: boolean | null;
}

export class ArtistUrlService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  search(search: ArtistUrlSearch, request: PageRequest): Promise<Page<ArtistUrlRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.artist_id`, search.artistId)
      .pattern(sql`lower(t.url)`, search.urlMatches?.trim().toLowerCase())
      .flag(sql`t.is_active`, search.isActive);
    return artistUrls.list(this.database, { where: filters.conditions }, request, this.config);
  }
}
