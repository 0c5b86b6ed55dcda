/**
 * The metrics as data: one row for each family. `docs/metrics.md` is generated from it, and a test compares it with `/metrics`.
 *
 * Labels have few values, which never come from requests: patterns instead of paths, fields of the schema
 * instead of clients' names for operations.
 */

/** How the values of several processes are aggregated. */
export type Across = "sum" | "max" | "min";

export interface MetricDefinition {
  kind: "counter" | "gauge" | "histogram";
  /** by the conventions of Prometheus: base units, `_total` for counters */
  name: string;
  help: string;
  /** label -> description of its values */
  labels?: Readonly<Record<string, string>>;
  /** upper bounds of a histogram, in seconds */
  buckets?: readonly number[];
  /** by default the sum; counters and histograms are always summed */
  across?: Across;
  /** read from the database on request, and the same for all processes */
  isShared?: boolean;
}

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STATEMENT_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];

const REQUEST = {
  method: "HTTP method, as overridden by `_method`",
  route:
    "pattern of the path, such as `/posts/:id`, without the extension, with ` (page)` if a browser got it as a page; `unmatched` for unknown paths",
  status: "status of the response; `499` if the client disconnected before it was sent",
};
const OPERATION = {
  kind: "`query`, `mutation`, or `invalid` for invalid ones",
  field: "the root field; `several` for more than one, `none` for invalid ones",
};
const POOL = {
  server: "`primary` or `replica`",
  pool: "`general`, `prepared` for connections with prepared statements, or `shared` for the connection of small reads",
};
const TASK = { task: "name of the task" };

/** Definitions of families of one kind, by name and description. */
const kindOf =
  <Kind extends MetricDefinition["kind"]>(kind: Kind) =>
  (
    name: string,
    help: string,
    options: Omit<MetricDefinition, "kind" | "name" | "help"> = {},
  ): MetricDefinition & { kind: Kind } => ({ kind, name, help, ...options });

const counter = kindOf("counter");
const gauge = kindOf("gauge");
const histogram = kindOf("histogram");

export const DEFINITIONS = {
  requests: counter("graphbooru_http_requests_total", "Finished requests.", { labels: REQUEST }),
  requestSeconds: histogram(
    "graphbooru_http_request_duration_seconds",
    "Time from a request's head to the end of its response.",
    { labels: REQUEST, buckets: REQUEST_BUCKETS },
  ),
  requestsInFlight: gauge(
    "graphbooru_http_requests_in_flight",
    "Requests in progress, including those whose body or response is still being sent.",
  ),
  failures: counter("graphbooru_failures_total", "Failures reported to clients, by REST and GraphQL.", {
    labels: {
      status: "status of the failure",
      reason: "name of the failure: `hourly_limit`, `login_attempts`, `overloaded`, `internal` ...",
    },
  }),
  connectionsRefused: counter(
    "graphbooru_connections_refused_total",
    "Connections refused because of MAX_CONNECTIONS.",
  ),
  operations: counter("graphbooru_graphql_operations_total", "Operations sent to /graphql.", {
    labels: { ...OPERATION, outcome: "`ok`, or `failed` if the response has errors" },
  }),
  operationSeconds: histogram(
    "graphbooru_graphql_operation_duration_seconds",
    "Time from an operation's parsing to its result.",
    { labels: OPERATION, buckets: REQUEST_BUCKETS },
  ),
  connections: gauge("graphbooru_database_connections", "Open connections to the database.", {
    labels: { ...POOL, state: "`busy` or `idle`" },
  }),
  connectionsMax: gauge("graphbooru_database_connections_max", "Maximum number of connections.", { labels: POOL }),
  connectionWaits: gauge(
    "graphbooru_database_connection_waits",
    "Statements and transactions waiting for a connection.",
    { labels: POOL },
  ),
  statementSeconds: histogram(
    "graphbooru_database_statement_duration_seconds",
    "Time from a statement's start until its rows are read.",
    { labels: POOL, buckets: STATEMENT_BUCKETS },
  ),
  statementErrors: counter(
    "graphbooru_database_statement_errors_total",
    "Failed statements, including those refused by a constraint or cancelled by a timeout.",
    { labels: POOL },
  ),
  databaseUp: gauge("graphbooru_database_up", "Whether the database responded to this scrape: 1 or 0.", {
    isShared: true,
  }),
  queuedJobs: gauge("graphbooru_queue_jobs", "Jobs in the queue, counted up to 10,000.", {
    labels: {
      ...TASK,
      state:
        "`waiting` for its time or a worker, `running`, `retrying` after a failure, `parked` after the last failure",
    },
    isShared: true,
  }),
  queueLag: gauge(
    "graphbooru_queue_oldest_due_seconds",
    "How long the oldest due job has been waiting; 0 without one.",
    { isShared: true },
  ),
  jobs: counter("graphbooru_jobs_total", "Job attempts of this server.", {
    labels: { ...TASK, outcome: "`done` or `failed`" },
  }),
  jobSeconds: histogram("graphbooru_job_duration_seconds", "Duration of a job attempt.", {
    labels: TASK,
    buckets: JOB_BUCKETS,
  }),
  uploads: counter("graphbooru_uploads_total", "Upload attempts.", {
    labels: { outcome: "`completed`, or the failure's name: `duplicate`, `invalid_record`, `upload_limit` ..." },
  }),
  cacheReads: counter("graphbooru_cache_reads_total", "Lookups in the caches of the process.", {
    labels: {
      cache: "`tag_words` for tags by id, `search_tags` for names in searches, `posts` for values derived from posts",
      outcome: "`hit` or `miss`",
    },
  }),
  processes: gauge("graphbooru_processes", "Server processes."),
  eventLoopMean: gauge(
    "nodejs_eventloop_lag_mean_seconds",
    "Mean delay of the event loop since the last scrape, of the slowest process.",
    { across: "max" },
  ),
  eventLoop99: gauge("nodejs_eventloop_lag_p99_seconds", "The same, its 99th percentile.", { across: "max" }),
  eventLoopMax: gauge("nodejs_eventloop_lag_max_seconds", "The same, its maximum.", { across: "max" }),
  residentMemory: gauge("process_resident_memory_bytes", "Resident memory of all processes together."),
  heapUsed: gauge("nodejs_heap_size_used_bytes", "JavaScript heap in use."),
  heapTotal: gauge("nodejs_heap_size_total_bytes", "JavaScript heap allocated."),
  externalMemory: gauge("nodejs_external_memory_bytes", "Memory of buffers and other objects outside the heap."),
  cpuSeconds: counter("process_cpu_seconds_total", "CPU time, user and system."),
  startTime: gauge("process_start_time_seconds", "Start time of the oldest server process, in Unix time.", {
    across: "min",
  }),
};

export type ServerName = "primary" | "replica";
export type PoolName = "general" | "prepared" | "shared";

export type MetricKey = keyof typeof DEFINITIONS;
