import type { Hono } from "hono";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import type { Services } from "../services";
import { act, read } from "./declare";
import { found } from "./read-input";
import type { AdminEnv, ApiEnv } from "../env";
import { readChecklist } from "@/console/read/deployment/read-checklist";
import { deploymentFacts } from "./deployment-facts";
import { ownersOf } from "./policies";
import { readInvariants, readInvariantsPage } from "@/console/read/deployment/read-invariants";
import { noBody } from "./action-bodies";
import { actionAnswer, actionOrigin } from "./action-answer";
import { checkInvariantsNow } from "@/console/invariants/run-invariants";

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

/** The review checklist, checked now. @param whole the app that it is about */
export function registerAdminChecklist(app: Hono<AdminEnv>, whole: Pick<Hono<ApiEnv>, "routes" | "request">): void {
  read(app, "/checklist", { id: "readChecklist", summary: "The review checklist, checked now" }, async (c) => {
    const deps = c.get("deps");
    const deployment = await deploymentFacts(whole, deps);
    return readChecklist(c.get("ctx"), { owners: ownersOf(deps), deployment });
  });
}

/** What must hold: what the last checks found, their history, and a check now. */
export function registerAdminInvariants(app: Hono<AdminEnv>): void {
  read(app, "/invariants", { id: "readInvariants", summary: "What must hold, as it was checked last" }, (c) =>
    readInvariants(c.get("ctx")),
  );
  read(app, "/invariants/runs", { id: "listInvariantRuns", summary: "The last checks, and the runs before" }, (c) =>
    readInvariantsPage(c.get("ctx")),
  );
  const check = { id: "checkInvariants", summary: "Check now what must hold", body: noBody, bodyOptional: true };
  act(app, "/invariants/check", check, async (c, body) =>
    actionAnswer(c, await checkInvariantsNow(c.get("ctx"), actionOrigin(c, body?.reason))),
  );
}
