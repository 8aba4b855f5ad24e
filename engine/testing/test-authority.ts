import { spawnSync } from "node:child_process";
import { join } from "node:path";

export interface TestAuthority {
  /** For `NODE_EXTRA_CA_CERTS`. */
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

const DAY = "1";
const SIGNED_WITHIN_MS = 20_000;

/** A certificate for localhost that signs itself, good for a day. @param directory where its files go @throws Error with what openssl said */
export function makeTestAuthority(directory: string): TestAuthority {
  const [key, cert] = [join(directory, "server.key"), join(directory, "server.crt")];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", DAY, "-subj", "/CN=127.0.0.1"];
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const { status, stderr } = spawnSync("openssl", [...args, ...names, "-keyout", key, "-out", cert], {
    encoding: "utf8",
    timeout: SIGNED_WITHIN_MS,
  });
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`);
  return { ca: cert, key, cert };
}
