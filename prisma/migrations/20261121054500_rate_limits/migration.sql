-- Counts of limits that several processes share. UNLOGGED: no write-ahead log for what a crash may forget; and with room in
-- each page, so that a row which changes with every request stays where it is (HOT) and no index is written.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
) WITH (fillfactor = 50);
