-- New entries of a GIN index wait in a list, which every search by the index reads from end to end, until a writer sorts them in. By
-- default that is at 4 MB, when a search for a rare tag takes 1.5 ms in place of 0.03. Sorting in 64 kB at a time costs writers no more.
ALTER INDEX "posts_tag_ids_idx" SET (gin_pending_list_limit = 64);
ALTER INDEX "pools_post_ids_idx" SET (gin_pending_list_limit = 64);
