-- That an address for mail is taken would tell a stranger who has an account here; nothing is looked up by it.
DROP INDEX "users_email_key";
