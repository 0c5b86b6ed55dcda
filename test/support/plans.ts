/** The SQL statements of a request, and PostgreSQL's plans for them. */
import pg from "pg";

export interface RecordedStatement {
  text: string;
  values: unknown[];
}

/** A node of a plan, as `EXPLAIN (ANALYZE, FORMAT JSON)` names its parts. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** The queries that this process sends while the work runs. */
export async function recordStatements(work: () => Promise<void>): Promise<RecordedStatement[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const statements: RecordedStatement[] = [];
  prototype.query = function record(...args) {
    const [first, second] = args;
    const { text, values } = (typeof first === "string" ? { text: first } : first) as Partial<RecordedStatement>;
    if (text) statements.push({ text, values: Array.isArray(second) ? second : (values ?? []) });
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements.filter(({ text }) => /^\s*(?:SELECT|WITH)\b/i.test(text));
}

/** The plan of a statement with its values, and what came of it. The statement is run. */
export async function explain(client: pg.Client, { text, values }: RecordedStatement): Promise<PlanNode> {
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  if (!plan) throw new Error(`no plan of ${text}`);
  return plan;
}

/** As `explain`, of the plan that a prepared statement has for all values. */
export async function explainPrepared(client: pg.Client, { text, values }: RecordedStatement): Promise<PlanNode> {
  const given = values.map((value) => pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)));
  await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE asked AS ${text}`);
  try {
    return await explain(client, { text: `EXECUTE asked${given.length > 0 ? `(${given.join()})` : ""}`, values: [] });
  } finally {
    await client.query("DEALLOCATE asked; RESET plan_cache_mode");
  }
}

/** A statement that has run, of this process or of a trigger, with its plan. */
interface ExecutedPlan {
  "Query Text": string;
  Plan: PlanNode;
}

const AUTO_EXPLAIN = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_nested_statements": "on",
  "auto_explain.log_format": "json",
  "auto_explain.log_level": "notice",
};

/** Makes PostgreSQL send every client of a database the plans of its statements, for `recordPlans`. Ends all other sessions. */
export async function sendPlans(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  for (const [setting, value] of Object.entries(AUTO_EXPLAIN))
    await session.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting} = '${value}'`);
  await session.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`);
}

/** The plans of all statements of this process, and of the triggers and functions that they run, while the work runs. */
export async function recordPlans(work: () => Promise<void>): Promise<ExecutedPlan[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const plans: ExecutedPlan[] = [];
  const clients = new Set<pg.Client>();
  const onNotice = ({ message = "" }: { message?: string }) => {
    const [, plan] = message.split("plan:\n");
    if (plan) plans.push(JSON.parse(plan) as ExecutedPlan);
  };
  prototype.query = function listen(...args) {
    if (!clients.has(this)) this.on("notice", onNotice);
    clients.add(this);
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
    for (const client of clients) client.off("notice", onNotice);
  }
  return plans;
}

/**
 * The nodes of a plan that read much of a table, with or without an index, or that compare many pairs of rows, each in a few words.
 * @param much number of rows that is too high, including rows removed by a filter
 */
export function scansOf(plan: PlanNode, much: number): string[] {
  const { "Actual Rows": rows, "Actual Loops": loops, "Rows Removed by Filter": removed = 0 } = plan;
  const read = Math.round((rows + removed) * loops);
  const name = [plan["Node Type"], plan["Index Name"], plan["Relation Name"]].filter(Boolean).join(" ");
  const isScan = plan["Node Type"].includes("Scan");
  const own = isScan && read > much ? [`${name}: ${read} rows`] : [];
  const compared = Math.round((plan["Rows Removed by Join Filter"] ?? 0) * loops);
  if (compared > much) own.push(`${name}: ${compared} pairs`);
  return [...own, ...(plan.Plans ?? []).flatMap((node) => scansOf(node, much))];
}
