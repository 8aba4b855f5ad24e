import type { Hono } from "hono";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import type { Services } from "../services";
import { act, read } from "./declare";
import type { AdminEnv, ApiEnv } from "../env";
import { readChecklist } from "@/console/read/deployment/read-checklist";
import { deploymentFacts } from "./deployment-facts";
import { ownersOf } from "./policies";
import { readInvariants, readInvariantsPage } from "@/console/read/deployment/read-invariants";
import { noBody } from "./action-bodies";
import { actionAnswer } from "./action-answer";
import { checkInvariantsNow } from "@/console/invariants/run-invariants";

/** The proof of one operation, signed: what a person attaches to a ticket and a third party checks without us. */
export function registerProof(app: Hono<AdminEnv>, services: Services): void {
  const { secret, publicUrl: deployment } = services.deps.config;
  const signer = createProofSigner(secret);
  const proof = { id: "readProof", summary: "The signed proof of an operation", notFound: "operation" };
  read(app, "operations.read", "/operations/:id/proof", proof, async (ctx, c) => {
    const view = await readProof(ctx, { operationId: c.req.param("id") ?? "", signer, deployment });
    return view?.proof;
  });
}

/** The review checklist, checked now. @param whole the app that it is about */
export function registerAdminChecklist(app: Hono<AdminEnv>, whole: Pick<Hono<ApiEnv>, "routes" | "request">): void {
  const checklist = { id: "readChecklist", summary: "The review checklist, checked now" };
  read(app, "invariants.read", "/checklist", checklist, async (ctx, c) => {
    const deps = c.get("deps");
    return readChecklist(ctx, { owners: ownersOf(deps), deployment: await deploymentFacts(whole, deps) });
  });
}

/** What must hold: what the last checks found, their history, and a check now. */
export function registerAdminInvariants(app: Hono<AdminEnv>): void {
  const last = { id: "readInvariants", summary: "What must hold, as it was checked last" };
  read(app, "invariants.read", "/invariants", last, (ctx) => readInvariants(ctx));
  const runs = { id: "listInvariantRuns", summary: "The last checks, and the runs before" };
  read(app, "invariants.read", "/invariants/runs", runs, (ctx) => readInvariantsPage(ctx));
  const check = { id: "checkInvariants", summary: "Check now what must hold", body: noBody, bodyOptional: true };
  act(app, "invariants.run", "/invariants/check", check, async ({ c, ctx, origin }) =>
    actionAnswer(c, await checkInvariantsNow(ctx, origin)),
  );
}
