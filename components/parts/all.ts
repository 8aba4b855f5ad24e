import { alertParts } from "@/components/alerts/alerts.samples";
import { attachmentParts } from "@/components/attachments/attachments.samples";
import { approvalParts } from "@/components/approvals/approvals.samples";
import { attentionParts } from "@/components/attention/attention.samples";
import { auditParts } from "@/components/audit/audit.samples";
import { authParts } from "@/components/auth/auth.samples";
import { checklistParts } from "@/components/checklist/checklist.samples";
import { clientParts } from "@/components/clients/clients.samples";
import { conflictParts } from "@/components/conflicts/conflicts.samples";
import { chainParts } from "@/components/chain/chain.samples";
import { chartParts } from "@/components/charts/charts.samples";
import { findParts } from "@/components/find/find.samples";
import { correctionPlaceParts } from "@/components/corrections/correction-places.samples";
import { correctionParts } from "@/components/corrections/corrections.samples";
import { deadLetterParts } from "@/components/dead-letters/dead-letters.samples";
import { actionParts } from "@/components/feedback/action.samples";
import { feedbackParts } from "@/components/feedback/feedback.samples";
import { distributionParts } from "@/components/heatmap/distribution.samples";
import { heatmapParts } from "@/components/heatmap/heatmap.samples";
import { flowParts } from "@/components/flow/flow.samples";
import { inboxParts } from "@/components/inbox/inbox.samples";
import { invariantParts } from "@/components/invariants/invariants.samples";
import { messageParts } from "@/components/messages/messages.samples";
import { messagesBesideParts } from "@/components/messages/messages-beside.samples";
import { placePageParts } from "@/components/messages/place-pages.samples";
import { openedGroupParts } from "@/components/dead-letters/opened-group.samples";
import { messageViewParts } from "@/components/messages/message-view.samples";
import { placeParts } from "@/components/messages/places.samples";
import { metricsParts } from "@/components/metrics/metrics.samples";
import { operationParts } from "@/components/operation/operation.samples";
import { operationSectionParts } from "@/components/operation/operation-sections.samples";
import { settleParts } from "@/components/operation/settle-form.samples";
import { operationsParts } from "@/components/operations/operations.samples";
import { outboxParts } from "@/components/outbox/outbox.samples";
import { overviewParts } from "@/components/overview/overview.samples";
import { planAnswerParts } from "@/components/plans/plan-answers.samples";
import { planDecisionParts } from "@/components/plans/plan-decision.samples";
import { planItemParts } from "@/components/plans/plan-items.samples";
import { planParts } from "@/components/plans/plans.samples";
import { policyParts } from "@/components/policies/policies.samples";
import { referenceParts } from "@/components/reference/reference.samples";
import { retentionParts } from "@/components/retention/retention.samples";
import { proofParts } from "@/components/proof/proof.samples";
import { settingsParts } from "@/components/settings/settings.samples";
import { riskParts } from "@/components/overview/risk.samples";
import { shellParts } from "@/components/shell/shell.samples";
import { sourceListParts } from "@/components/sources/source-list.samples";
import { sourceFlightParts } from "@/components/sources/source-flight.samples";
import { sourceParts } from "@/components/sources/sources.samples";
import { tableParts } from "@/components/table/table.samples";
import { uiParts } from "@/components/ui/ui.samples";
import { valueParts } from "@/components/ui/values/values.samples";
import { viewParts } from "@/components/views/views.samples";
import { webhookParts } from "@/components/webhooks/webhooks.samples";
import type { Part } from "./part";

/** Every part that has samples, by area. */
export const AREAS: readonly { readonly name: string; readonly parts: readonly Part[] }[] = [
  { name: "ui", parts: [...uiParts, ...valueParts] },
  { name: "feedback", parts: [...actionParts, ...feedbackParts] },
  { name: "table", parts: tableParts },
  { name: "messages", parts: messageParts },
  { name: "operations", parts: operationsParts },
  { name: "a message", parts: [...messageViewParts, ...messagesBesideParts] },
  { name: "topics and consumers", parts: [...placeParts, ...placePageParts] },
  { name: "alerts", parts: alertParts },
  { name: "attachments", parts: attachmentParts },
  { name: "attached databases", parts: [...sourceParts, ...sourceListParts, ...sourceFlightParts] },
  { name: "flow", parts: flowParts },
  { name: "outbox", parts: outboxParts },
  { name: "inbox", parts: inboxParts },
  { name: "dead letters", parts: [...deadLetterParts, ...openedGroupParts] },
  { name: "edit and requeue", parts: [...correctionParts, ...correctionPlaceParts] },
  { name: "webhooks", parts: webhookParts },
  { name: "operation", parts: [...operationParts, ...operationSectionParts, ...settleParts] },
  { name: "chain", parts: chainParts },
  { name: "proof", parts: proofParts },
  { name: "charts", parts: chartParts },
  { name: "money at risk", parts: riskParts },
  { name: "metrics", parts: metricsParts },
  { name: "clients by time", parts: [...heatmapParts, ...distributionParts] },
  { name: "views", parts: viewParts },
  { name: "policies", parts: policyParts },
  { name: "invariants", parts: invariantParts },
  { name: "plans", parts: [...planParts, ...planAnswerParts, ...planDecisionParts, ...planItemParts] },
  { name: "settings", parts: settingsParts },
  { name: "shell", parts: shellParts },
  { name: "auth", parts: authParts },
  { name: "overview", parts: overviewParts },
  { name: "find", parts: findParts },
  { name: "references", parts: referenceParts },
  { name: "attention", parts: attentionParts },
  { name: "conflicts", parts: conflictParts },
  { name: "clients", parts: clientParts },
  { name: "approvals", parts: approvalParts },
  { name: "audit", parts: auditParts },
  { name: "retention", parts: retentionParts },
  { name: "checklist", parts: checklistParts },
];
