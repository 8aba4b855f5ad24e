import type { Hono } from "hono";
import { createProofSigner } from "@/engine/proof/proof-signer";
import { readProof } from "@/engine/proof/read-proof";
import type { AdminEnv } from "../env";
import type { Services } from "../services";
import { read } from "./declare";
import { found } from "./read-input";

/** The proof of one operation, signed: what a person attaches to a ticket and a third party checks without us. */
export function registerProof(app: Hono<AdminEnv>, services: Services): void {
  const { secret, publicUrl: deployment } = services.deps.config;
  const signer = createProofSigner(secret);
  const proof = { id: "readProof", summary: "The signed proof of an operation", errors: ["operation.not_found"] };
  read(app, "/operations/:id/proof", proof, async (c) => {
    const view = await readProof(c.get("ctx"), { operationId: c.req.param("id") ?? "", signer, deployment });
    return found(view, "operation").proof;
  });
}
