import type { Hono } from "hono";
import { z } from "zod";
import { createProofSigner } from "@/console/proof/proof-signer";
import { declare } from "../declare";
import type { ApiEnv, Container } from "../env";
import { jsonAnswer } from "../profiles/plain";

/** The public keys that proofs are signed with, for everybody: whoever keeps one checks a proof without asking again. */
export function registerProofKeys(app: Hono<ApiEnv>, deps: Container): void {
  const keys = { keys: [createProofSigner(deps.config.secret).jwk] };
  const declaration = {
    id: "listProofKeys",
    summary: "The public keys that proofs are signed with",
    access: "public",
    answers: {
      200: { text: "JSON Web Keys", schema: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }) },
    },
  } as const;
  declare(app, "GET /api/v1/proof-keys", declaration, (c) => jsonAnswer(c, keys));
}
