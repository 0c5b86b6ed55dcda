/** The tasks, with each attempt counted, timed and traced. */
import { RequestScope } from "../../database/request-scope.js";
import type { Telemetry } from "../telemetry/metrics.js";
import type { Tasks } from "../../operations/tasks.js";

type Task = Tasks[string];

/** @param deadline milliseconds that a statement of a job may take */
export const observed = (tasks: Tasks, telemetry: Telemetry, deadline: number): Tasks =>
  Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, observe(name, task, telemetry, deadline)]));

function observe(name: string, task: Task, { metrics, tracing }: Telemetry, deadline: number): Task {
  const { jobs, jobSeconds } = metrics.families;
  jobs.inc({ task: name, outcome: "failed" }, 0);
  return async (payload, job) => {
    const span = tracing?.begin(`job ${name}`, "consumer", {
      "graphbooru.job.task": name,
      "graphbooru.job.attempt": job.attempts,
    });
    const started = performance.now();
    const finish = (error?: Error) => {
      jobs.inc({ task: name, outcome: error ? "failed" : "done" });
      jobSeconds.observe({ task: name }, (performance.now() - started) / 1e3);
      span?.end(error?.name);
    };
    try {
      await new RequestScope(deadline, span).run(() => task(payload, job));
      finish();
    } catch (error) {
      finish(error instanceof Error ? error : new Error("unknown"));
      throw error;
    }
  };
}
