import { chainParts } from "@/components/chain/chain.samples";
import { chartParts } from "@/components/charts/charts.samples";
import { feedbackParts } from "@/components/feedback/feedback.samples";
import { invariantParts } from "@/components/invariants/invariants.samples";
import { messageParts } from "@/components/messages/messages.samples";
import { metricsParts } from "@/components/metrics/metrics.samples";
import { operationParts } from "@/components/operation/operation.samples";
import { planParts } from "@/components/plans/plans.samples";
import { policyParts } from "@/components/policies/policies.samples";
import { proofParts } from "@/components/proof/proof.samples";
import { settingsParts } from "@/components/settings/settings.samples";
import { tableParts } from "@/components/table/table.samples";
import { uiParts } from "@/components/ui/ui.samples";
import type { Part } from "./part";

/** Every part that has samples, by area. */
export const AREAS: readonly { readonly name: string; readonly parts: readonly Part[] }[] = [
  { name: "ui", parts: uiParts },
  { name: "feedback", parts: feedbackParts },
  { name: "table", parts: tableParts },
  { name: "messages", parts: messageParts },
  { name: "operation", parts: operationParts },
  { name: "chain", parts: chainParts },
  { name: "proof", parts: proofParts },
  { name: "charts", parts: chartParts },
  { name: "metrics", parts: metricsParts },
  { name: "policies", parts: policyParts },
  { name: "invariants", parts: invariantParts },
  { name: "plans", parts: planParts },
  { name: "settings", parts: settingsParts },
];
