-- Ways back into accounts whose password is lost. The table has the hash of the token, so that who reads the table, or a copy
-- of it, gets into nobody's account.
CREATE TABLE "account_recoveries" (
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_recoveries_pkey" PRIMARY KEY ("user_id")
);

CREATE UNIQUE INDEX "account_recoveries_token_hash_key" ON "account_recoveries"("token_hash");

ALTER TABLE "account_recoveries" ADD CONSTRAINT "account_recoveries_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
