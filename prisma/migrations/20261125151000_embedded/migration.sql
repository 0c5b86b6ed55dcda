-- Few posts have notes embedded in the picture. Without this, finding them reads all posts.
CREATE INDEX CONCURRENTLY "posts_embedded_idx" ON "posts" ("id") WHERE (bit_flags & 1) <> 0;
