/**
 * The metrics, as data: one row for each family. `docs/metrics.md` is generated from it, and a test holds `/metrics` to it.
 *
 * Every label has few values, and none of them comes from a request: patterns in place of paths, fields of the schema in
 * place of the names that callers give their operations.
 */

/** How the values of several processes become one. */
export type Across = "sum" | "max" | "min";

export interface MetricDefinition {
  kind: "counter" | "gauge" | "histogram";
  /** by the conventions of Prometheus: base units, `_total` for what is counted */
  name: string;
  help: string;
  /** label -> what its values are */
  labels?: Readonly<Record<string, string>>;
  /** upper bounds of a histogram, in seconds */
  buckets?: readonly number[];
  /** by default the sum; counters and histograms are always summed */
  across?: Across;
  /** read from the database by the process that is asked, and the same for all processes */
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
  pool: "`general`, or `prepared` for connections with prepared statements",
};
const TASK = { task: "name of the task" };

export const DEFINITIONS = {
  requests: {
    kind: "counter",
    name: "graphbooru_http_requests_total",
    help: "Requests answered.",
    labels: REQUEST,
  },
  requestSeconds: {
    kind: "histogram",
    name: "graphbooru_http_request_duration_seconds",
    help: "Time from a request's head to the end of its response.",
    labels: REQUEST,
    buckets: REQUEST_BUCKETS,
  },
  requestsInFlight: {
    kind: "gauge",
    name: "graphbooru_http_requests_in_flight",
    help: "Requests in progress, including those whose body or response is still being sent.",
  },
  failures: {
    kind: "counter",
    name: "graphbooru_failures_total",
    help: "Failures reported to clients, by REST and GraphQL.",
    labels: {
      status: "status of the failure",
      reason: "name of the failure: `hourly_limit`, `login_attempts`, `overloaded`, `internal` ...",
    },
  },
  connectionsRefused: {
    kind: "counter",
    name: "graphbooru_connections_refused_total",
    help: "Connections refused because of MAX_CONNECTIONS.",
  },
  operations: {
    kind: "counter",
    name: "graphbooru_graphql_operations_total",
    help: "Operations sent to /graphql.",
    labels: { ...OPERATION, outcome: "`ok`, or `failed` if the response has errors" },
  },
  operationSeconds: {
    kind: "histogram",
    name: "graphbooru_graphql_operation_duration_seconds",
    help: "Time from an operation's parsing to its result.",
    labels: OPERATION,
    buckets: REQUEST_BUCKETS,
  },
  connections: {
    kind: "gauge",
    name: "graphbooru_database_connections",
    help: "Open connections to the database.",
    labels: { ...POOL, state: "`busy` or `idle`" },
  },
  connectionsMax: {
    kind: "gauge",
    name: "graphbooru_database_connections_max",
    help: "Maximum number of connections.",
    labels: POOL,
  },
  connectionWaits: {
    kind: "gauge",
    name: "graphbooru_database_connection_waits",
    help: "Statements and transactions waiting for a connection.",
    labels: POOL,
  },
  statementSeconds: {
    kind: "histogram",
    name: "graphbooru_database_statement_duration_seconds",
    help: "Time from a statement's start until its rows are read.",
    labels: POOL,
    buckets: STATEMENT_BUCKETS,
  },
  statementErrors: {
    kind: "counter",
    name: "graphbooru_database_statement_errors_total",
    help: "Failed statements, including those refused by a constraint or cancelled by a timeout.",
    labels: POOL,
  },
  databaseUp: {
    kind: "gauge",
    name: "graphbooru_database_up",
    help: "Whether the database answered this scrape: 1 or 0.",
    isShared: true,
  },
  queuedJobs: {
    kind: "gauge",
    name: "graphbooru_queue_jobs",
    help: "Jobs in the queue, counted up to 10,000.",
    labels: {
      ...TASK,
      state:
        "`waiting` for its time or a worker, `running`, `retrying` after a failure, `parked` after the last failure",
    },
    isShared: true,
  },
  queueLag: {
    kind: "gauge",
    name: "graphbooru_queue_oldest_due_seconds",
    help: "How long the oldest due job has been waiting; 0 without one.",
    isShared: true,
  },
  jobs: {
    kind: "counter",
    name: "graphbooru_jobs_total",
    help: "Job attempts of this server.",
    labels: { ...TASK, outcome: "`done` or `failed`" },
  },
  jobSeconds: {
    kind: "histogram",
    name: "graphbooru_job_duration_seconds",
    help: "Duration of a job attempt.",
    labels: TASK,
    buckets: JOB_BUCKETS,
  },
  uploads: {
    kind: "counter",
    name: "graphbooru_uploads_total",
    help: "Upload attempts.",
    labels: { outcome: "`completed`, or the failure's name: `duplicate`, `invalid_record`, `upload_limit` ..." },
  },
  cacheReads: {
    kind: "counter",
    name: "graphbooru_cache_reads_total",
    help: "Lookups in the caches of the process.",
    labels: {
      cache: "`tag_words` for tags by id, `search_tags` for names in searches, `posts` for what was made of posts",
      outcome: "`hit` or `miss`",
    },
  },
  processes: {
    kind: "gauge",
    name: "graphbooru_processes",
    help: "Server processes.",
  },
  eventLoopMean: {
    kind: "gauge",
    name: "nodejs_eventloop_lag_mean_seconds",
    help: "Mean delay of the event loop since the last scrape, of the slowest process.",
    across: "max",
  },
  eventLoop99: {
    kind: "gauge",
    name: "nodejs_eventloop_lag_p99_seconds",
    help: "The same, its 99th percentile.",
    across: "max",
  },
  eventLoopMax: {
    kind: "gauge",
    name: "nodejs_eventloop_lag_max_seconds",
    help: "The same, its maximum.",
    across: "max",
  },
  residentMemory: {
    kind: "gauge",
    name: "process_resident_memory_bytes",
    help: "Resident memory of all processes together.",
  },
  heapUsed: {
    kind: "gauge",
    name: "nodejs_heap_size_used_bytes",
    help: "JavaScript heap in use.",
  },
  heapTotal: {
    kind: "gauge",
    name: "nodejs_heap_size_total_bytes",
    help: "JavaScript heap allocated.",
  },
  externalMemory: {
    kind: "gauge",
    name: "nodejs_external_memory_bytes",
    help: "Memory of buffers and other objects outside the heap.",
  },
  cpuSeconds: {
    kind: "counter",
    name: "process_cpu_seconds_total",
    help: "CPU time, user and system.",
  },
  startTime: {
    kind: "gauge",
    name: "process_start_time_seconds",
    help: "Start time of the first process, in Unix time.",
    across: "min",
  },
} as const satisfies Record<string, MetricDefinition>;

/** Whose pool it is. */
export type ServerName = "primary" | "replica";
/** Which of a server's pools. */
export type PoolName = "general" | "prepared";

export type MetricKey = keyof typeof DEFINITIONS;
