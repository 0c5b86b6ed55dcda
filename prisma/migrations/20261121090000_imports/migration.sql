-- What `board import` has brought from where, so that it goes on where it was cut off and brings nothing twice.
CREATE TABLE "import_records" (
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "source_id" INTEGER NOT NULL,
    "local_id" INTEGER,
    "problem" TEXT,
    "parent_id" INTEGER,
    "imported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_records_pkey" PRIMARY KEY ("source", "kind", "source_id"),
    -- A record is here, or there is a reason.
    CONSTRAINT "import_records_outcome_check" CHECK ("local_id" IS NOT NULL OR "problem" IS NOT NULL)
);

-- What is to be tried again: few of many.
CREATE INDEX "import_records_problem_idx" ON "import_records" ("source", "kind", "source_id") WHERE "problem" IS NOT NULL;
CREATE INDEX "import_records_parent_idx" ON "import_records" ("source", "parent_id") WHERE "parent_id" IS NOT NULL;

CREATE TABLE "import_cursors" (
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "import_cursors_pkey" PRIMARY KEY ("source", "kind")
);
