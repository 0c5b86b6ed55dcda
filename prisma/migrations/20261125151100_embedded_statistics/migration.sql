-- How few have notes embedded in the picture; PostgreSQL would assume that nearly all do.
CREATE STATISTICS posts_embedded_statistics ON (bit_flags & 1) FROM posts;
