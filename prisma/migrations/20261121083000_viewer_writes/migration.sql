-- How far the write-ahead log had come when a viewer had last written: a replica that has replayed less is not read from for
-- that viewer. Logged, since a crash must not forget it; with room in each page, so that a row which changes often stays
-- where it is (HOT).
CREATE TABLE "viewer_writes" (
    "viewer" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "viewer_writes_pkey" PRIMARY KEY ("viewer")
) WITH (fillfactor = 50);
