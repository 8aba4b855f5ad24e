import type { Hono } from "hono";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import type { AdminEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import type { Services } from "../services";
import { found } from "./read-input";

/** The proof of one operation, signed: what a person attaches to a ticket and a third party checks without us. */
export function registerProof(app: Hono<AdminEnv>, services: Services): void {
  const { secret, publicUrl: deployment } = services.deps.config;
  const signer = createProofSigner(secret);
  app.get("/operations/:id/proof", async (c) => {
    const view = await readProof(c.get("ctx"), { operationId: c.req.param("id"), signer, deployment });
    return jsonAnswer(c, found(view, "operation").proof);
  });
}
