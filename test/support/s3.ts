/**
 * An S3-compatible store of a test's own on free ports: Ceph's gateway (radosgw) on one monitor and one object store in
 * memory. Up in about a second. Where it is not installed, the reason to skip.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { Folder } from "./folder.js";
import { freePort } from "./redis.js";

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= "true";

const PROGRAMS = ["ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "monmaptool", "ceph", "setpriv"];

const isHere = (program: string): boolean => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const missing = PROGRAMS.find((program) => !isHere(program));

/** Why tests with an S3 store can't run here; null when they can. */
export const noS3: string | null = missing === undefined ? null : `no ${missing}`;

const KEYS = { accessKeyId: "test-key", secretAccessKey: "test-secret" };

/** Everything in memory, nothing done in the background, every change agreed on at once by the one monitor there is. */
const configuration = (folder: string, monitor: number, gateway: number): string => `[global]
fsid = ${randomUUID()}
mon_host = [v2:127.0.0.1:${monitor}]
public_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
mon_data = ${folder}/mon
mon_data_avail_crit = 1
mon_data_avail_warn = 1
mon_max_pg_per_osd = 1000
mon_allow_pool_size_one = true
mon_cluster_log_file = /dev/null
paxos_propose_interval = 0.01
paxos_min_wait = 0.01
osd_data = ${folder}/osd
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
rgw_data = ${folder}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
rgw_rados_pool_pg_num_min = 1
rgw_run_sync_thread = false
rgw_dynamic_resharding = false
rgw_enable_quota_threads = false
rgw_enable_lc_threads = false
rgw_gc_max_objs = 2
rgw_objexp_hints_num_shards = 1
log_file = /dev/null
run_dir = ${folder}
crash_dir = ${folder}
heartbeat_file = ${folder}/$name.heartbeat
admin_socket = ${folder}/$name.asok
keyring = ${folder}/keyring
`;

let buckets = 0;

export class TestS3 implements AsyncDisposable {
  private readonly children: ChildProcess[] = [];

  private constructor(
    private readonly folder: Folder,
    /** `http://host:port` */
    readonly endpoint: string,
  ) {}

  static async start(): Promise<TestS3> {
    const folder = await Folder.make();
    const [monitor, gateway] = [await freePort(), await freePort()];
    const store = new TestS3(folder, `http://127.0.0.1:${gateway}`);
    await folder.write("ceph.conf", configuration(folder.path, monitor, gateway));
    await folder.write("keyring", "");
    for (const name of ["mon", "osd", "rgw"]) await mkdir(folder.at(name));
    try {
      await store.boot(monitor);
    } catch (error) {
      await store[Symbol.asyncDispose]();
      throw error;
    }
    return store;
  }

  private async boot(monitor: number): Promise<void> {
    const map = this.folder.at("monmap");
    await this.run("monmaptool", "--create", "--addv", "a", `[v2:127.0.0.1:${monitor}]`, map);
    await this.run("ceph-mon", "--mkfs", "-i", "a", "--monmap", map);
    this.daemon("ceph-mon", "-i", "a");
    await this.run("ceph", "osd", "create");
    await this.run("ceph-osd", "-i", "0", "--mkfs");
    this.daemon("ceph-osd", "-i", "0");
    const user = ["--uid=test", "--display-name=test"];
    await this.run(
      "radosgw-admin",
      "user",
      "create",
      ...user,
      `--access-key=${KEYS.accessKeyId}`,
      `--secret-key=${KEYS.secretAccessKey}`,
    );
    this.daemon("radosgw", "-n", "client.rgw");
    while (!(await this.answers())) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** Creates a bucket. @returns the settings of a board with this bucket @param endpoint another way to the store */
  async bucket(endpoint = this.endpoint): Promise<Record<string, string>> {
    const name = `board-${(buckets += 1)}`;
    await this.client().send(new CreateBucketCommand({ Bucket: name }));
    return {
      STORAGE: "s3",
      S3_ENDPOINT: endpoint,
      S3_BUCKET: name,
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    };
  }

  /** Past the board. */
  client(): S3Client {
    return new S3Client({
      endpoint: this.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: KEYS,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const living = this.children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = living.map((child) => once(child, "exit"));
    for (const child of living) child.kill("SIGKILL");
    await Promise.all(ended);
    await this.folder[Symbol.asyncDispose]();
  }

  private get env(): NodeJS.ProcessEnv {
    return { ...process.env, CEPH_CONF: this.folder.at("ceph.conf") };
  }

  private async run(program: string, ...args: string[]): Promise<void> {
    await promisify(execFile)(program, args, { env: this.env, timeout: 60_000, killSignal: "SIGKILL" });
  }

  /** Ends with the tests, however they end. */
  private daemon(program: string, ...args: string[]): void {
    const command = ["--pdeathsig", "KILL", program, "-f", ...args];
    this.children.push(spawn("setpriv", command, { env: this.env, stdio: "ignore" }));
  }

  private async answers(): Promise<boolean> {
    const dead = this.children.find(({ exitCode }) => exitCode !== null);
    if (dead) throw new Error(`${dead.spawnargs.join(" ")} ended before it served`);
    return fetch(this.endpoint).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
