/** There is no board in the database, or nobody has an account on it: it is another database than meant. Or there is no database. */
export class NoBoardError extends Error {
  override name = "NoBoardError";
  override message = "There is no board with accounts; check DATABASE_URL, DATA_DIR and ENV_FILE.";
}
