import { existsSync } from "node:fs";
import { writeKeyPair } from "../startup/audit-dir";
import { readArguments } from "../startup/arguments";
import { typed } from "../startup/installation";
import { readPublicKeys } from "@/engine/audit/signing-key";

const USAGE = typed("audit key --out audit-key.pem [--public audit-key.pub.pem]");

/** Makes a key pair: the private key in a file of mode 0600, the public one beside it. */
export function makeAuditKey(argv: readonly string[]): Promise<void> {
  const { out, public: given } = readArguments(argv, USAGE, { needed: ["out"], optional: ["public"] });
  const publicFile = given ?? `${out.replace(/\.pem$/, "")}.pub.pem`;
  for (const file of [out, publicFile])
    if (existsSync(file)) throw new Error(`${file} is there already: a key that is in use must not be lost.`);
  writeKeyPair(out, publicFile);
  const [id] = readPublicKeys(publicFile).keys();
  process.stdout.write(`${out} is the private key: AUDIT_KEY_FILE names it, and nobody else may read it\n`);
  process.stdout.write(`${publicFile} is the public key ${id ?? ""}: give it to whoever verifies\n`);
  return Promise.resolve();
}
