/** The response of a row to a request. */
import type { GraphQLContext } from "../../graphql/context.js";
import { requireFound } from "../../src/errors.js";
import { andThen, type MaybePromise } from "../../src/lib/maybe-promise.js";
import { chosenRow, type Json, type ResourceRow } from "./row.js";
import { type Format, type RestAnswer, success, successAnswer } from "./envelope.js";
import { type Asked, documentAnswer, type Prepared, type PreparedRows, serialize, viewed } from "./prepared.js";

/** Runs the row, or the one that the parameters choose instead. @throws BoardError errors of its document, 404, 424 */
export function answerRow(
  rows: PreparedRows,
  row: ResourceRow,
  asked: Asked,
  context: GraphQLContext,
  format: Format,
): MaybePromise<RestAnswer> {
  const prepared = requireFound(rows.get(chosenRow(row, asked.params))?.());
  const unknown = prepared.unknownKeys(asked.params);
  const answer = prepared.row.method === "GET" ? answerRead : answerWrite;
  return andThen(answer(prepared, asked, context, format), (given) => {
    if (unknown !== null) given.headers["X-Unknown-Parameters"] = unknown;
    return given;
  });
}

function answerRead(
  prepared: Prepared,
  asked: Asked,
  context: GraphQLContext,
  format: Format,
): MaybePromise<RestAnswer> {
  const text = andThen(valueOfRead(prepared, asked, context), (value) =>
    serialize(prepared, value, asked, context, format),
  );
  return andThen(text, (body) => success(200, format, body));
}

function valueOfRead(prepared: Prepared, asked: Asked, context: GraphQLContext): MaybePromise<Json> {
  const { session, board } = context;
  if (prepared.hasPayload) {
    // browsers follow links from other sites with cookies; a GET that writes refuses them
    if (session.isUsed) session.refuseForeignPage();
    return answerOf(prepared, context, asked);
  }
  return andThen(board.replicas?.choose(context), () => documentAnswer(prepared, context, asked));
}

/** Runs the document; for a mutation, waits until its log position is stored, so that the viewer's next read sees it. */
async function answerOf(prepared: Prepared, context: GraphQLContext, asked: Asked): Promise<Json> {
  try {
    return await documentAnswer(prepared, context, asked);
  } finally {
    if (prepared.hasPayload) await context.board.replicas?.wrote(context);
  }
}

async function answerWrite(
  prepared: Prepared,
  asked: Asked,
  context: GraphQLContext,
  format: Format,
): Promise<RestAnswer> {
  const { row, isCreate } = prepared;
  const record = viewed(row, await answerOf(prepared, context, asked));
  const answer = successAnswer(200, format, record);
  if (isCreate && typeof record.id === "number") answer.headers.Location = `${row.path}/${record.id}`;
  return answer;
}
