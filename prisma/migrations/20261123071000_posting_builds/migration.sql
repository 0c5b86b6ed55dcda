-- How far the lists are that were begun at a time: the blocks before this one are made. A maker that was cut off goes on there.
CREATE TABLE "posting_builds" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "block" INTEGER NOT NULL DEFAULT 0,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "posting_builds_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "posting_builds_id_check" CHECK (id = 1)
);
