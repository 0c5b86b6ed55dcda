-- Addresses from which somebody has signed in to an account, by which guesses of strangers don't keep its user out. The table has
-- a keyed hash of each, so that who reads it learns no address.
CREATE TABLE "known_addresses" (
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "known_addresses_pkey" PRIMARY KEY ("user_id", "digest")
);

CREATE INDEX "known_addresses_last_used_at_idx" ON "known_addresses"("last_used_at");

ALTER TABLE "known_addresses" ADD CONSTRAINT "known_addresses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
