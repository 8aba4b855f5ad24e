import type { Hono } from "hono";
import { createProofSigner } from "@/console/proof/proof-signer";
import type { ApiEnv, HttpDeps } from "../env";
import { jsonAnswer } from "../profiles/plain";

/** The public keys that proofs are signed with, for everybody: whoever keeps one checks a proof without asking again. */
export function registerProofKeys(app: Hono<ApiEnv>, deps: HttpDeps): void {
  const keys = { keys: [createProofSigner(deps.config.secret).jwk] };
  app.get("/api/v1/proof-keys", (c) => jsonAnswer(c, keys));
}
