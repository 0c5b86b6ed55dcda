-- Sign-ins of browsers, each of which can be ended. The table has the hash of the cookie's token, so that who reads the
-- table, or a copy of it, can sign in as nobody.
CREATE TABLE "user_sessions" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" INET NOT NULL,
    "user_agent" VARCHAR(300) NOT NULL DEFAULT '',

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "user_sessions_token_hash_key" ON "user_sessions"("token_hash");
CREATE INDEX "user_sessions_user_id_id_idx" ON "user_sessions"("user_id", "id");
CREATE INDEX "user_sessions_last_used_at_idx" ON "user_sessions"("last_used_at");

ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
