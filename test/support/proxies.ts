/** The examples of deploy/, adapted to run here: with a certificate and free ports. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Folder } from "./folder.js";

const run = promisify(execFile);
const DEPLOY = path.resolve(import.meta.dirname, "../../deploy");

/** The environment, with the folders in which servers are installed. */
export const SYSTEM = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

export const isInstalled = (program: string): boolean => spawnSync("which", [program], { env: SYSTEM }).status === 0;

/** Makes a certificate that nobody has signed. @returns the paths of its files */
export async function makeCertificate(folder: Folder): Promise<{ key: string; certificate: string }> {
  const [key, certificate] = [folder.at("key.pem"), folder.at("certificate.pem")];
  const subject = ["-subj", "/CN=board.example.org", "-days", "2"];
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    key,
    "-out",
    certificate,
    ...subject,
  ]);
  return { key, certificate };
}

/** An example, with a certificate of its own in the place of the one that it names. */
export async function exampleOf(folder: Folder, name: string): Promise<string> {
  const { key, certificate } = await makeCertificate(folder);
  await folder.write("both.pem", readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
  return readFileSync(path.join(DEPLOY, name), "utf8")
    .replaceAll(/\/etc\/letsencrypt\/\S+fullchain\.pem/g, certificate)
    .replaceAll(/\/etc\/letsencrypt\/\S+privkey\.pem/g, key)
    .replaceAll(/\/etc\/haproxy\/\S+\.pem/g, folder.at("both.pem"));
}

/** Writes what nginx needs around an example. @returns the arguments of nginx */
export async function nginxArguments(folder: Folder, example: string): Promise<string[]> {
  const board = await folder.write("board.conf", example);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder.at(name)};`,
  );
  const user = process.getuid?.() === 0 ? "user root root;" : "";
  const around = `${user} daemon off; worker_processes 1; pid ${folder.at("pid")}; error_log stderr; events {}
    http { access_log off; ${paths.join(" ")} include ${board}; }`;
  return ["-p", folder.path, "-c", await folder.write("nginx.conf", around)];
}
