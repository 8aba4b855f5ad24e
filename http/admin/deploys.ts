import type { Hono } from "hono";
import { z } from "zod";
import { reportDeploy } from "@/console/actions/report-deploy";
import type { AdminEnv } from "../env";
import { withMessage } from "./action-answer";
import { reason } from "./action-bodies";
import { act } from "./declare";

const NAME_MAX = 100;
const LINK_MAX = 500;
const name = z.string().trim().min(1).max(NAME_MAX);

const deployBody = z.strictObject({
  service: name,
  version: name,
  /** When it went live; without it, now. */
  at: z.iso.datetime({ offset: true }).optional(),
  link: z
    .url({ protocol: /^https?$/ })
    .max(LINK_MAX)
    .optional(),
  reason: reason.optional(),
});

/** What a pipeline reports: that a version went live. */
export function registerAdminDeploys(app: Hono<AdminEnv>): void {
  const report = {
    id: "reportDeploy",
    summary: "Report that a version of a service went live",
    description:
      "A mark above the chart of money at risk and a line of the audit; nothing else changes. Kept for 30 days. A pipeline calls it with " +
      "an API key of the scope `admin` and its run's id as the `Idempotency-Key`, so a run that is repeated leaves one mark.",
    body: deployBody,
    errors: ["validation.deploy"],
  };
  act(app, "deploys.report", "/deploys", report, async ({ c, ctx, origin }, { reason: _, ...deploy }) =>
    withMessage(c, await reportDeploy(ctx, origin, deploy), `Deploy ${deploy.service} ${deploy.version} is marked.`),
  );
}
