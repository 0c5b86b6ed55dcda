import { OperatorError } from "../errors.js";

/** There is no database, no board in it, or no account on the board: it is probably the wrong database. */
export class NoBoardError extends OperatorError {
  override message = "There is no board with accounts; check DATABASE_URL, DATA_DIR and ENV_FILE.";
}
