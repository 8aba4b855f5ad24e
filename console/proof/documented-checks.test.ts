import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeProof } from "@/presentation/proof/proof";
import { PROOF_FORMAT, type SignedProof } from "@/presentation/proof/proof-statement";
import { paidFacts } from "@/presentation/proof/testing/proof";
import { createProofSigner } from "./proof-signer";

const TOOLS = ["jq", "openssl", "basenc"];
const hasTools = TOOLS.every((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0);
const TIMEOUT_MS = 30_000;

const signer = createProofSigner("a secret of this test, long enough to be one");
const proof = signer.sign(
  computeProof(paidFacts(), { deployment: "https://pay.example.com", tenant: "acme" }).statement,
);
const guide = readFileSync("docs/PROOF.md", "utf8");
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "onceboard-proof-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a block of the guide as a reader would, on a proof and the answer of the key route. */
function run(
  block: string | undefined,
  document: SignedProof,
): { readonly said: string; readonly status: number | null } {
  writeFileSync(join(directory, "proof.json"), JSON.stringify(document, undefined, 2));
  writeFileSync(join(directory, "keys.json"), JSON.stringify({ keys: [signer.jwk] }));
  const { stdout, stderr, status } = spawnSync("bash", ["-c", block ?? "false"], { cwd: directory, encoding: "utf8" });
  return { said: stdout + stderr, status };
}

describe("PROOF-6 the guide", () => {
  const changed: SignedProof = { ...proof, tenant: "another" };

  it("names every verdict, every status and the format", () => {
    for (const word of [
      PROOF_FORMAT,
      "`proven`",
      "`open`",
      "`partial`",
      "`broken`",
      "`holds`",
      "`fails`",
      "`not_shown`",
    ])
      expect(guide).toContain(word);
    for (const { name } of proof.claims.filter((claim) => claim.name !== "one_payment")) expect(guide).toContain(name);
  });

  it("checks a proof with Node alone", { timeout: TIMEOUT_MS }, () => {
    expect(run(blocks[0], proof)).toEqual({ said: "true\n", status: 0 });
    expect(run(blocks[0], changed)).toEqual({ said: "false\n", status: 0 });
  });

  it.skipIf(!hasTools)("checks a proof with jq and OpenSSL", { timeout: TIMEOUT_MS }, () => {
    expect(run(blocks[1], proof).said).toContain("Signature Verified Successfully");
    expect(run(blocks[1], changed).said).toContain("Signature Verification Failure");
  });
});
