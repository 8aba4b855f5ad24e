const OPERATIONS = "payments/sentences/claims.db.test.ts";
const CLIENTS = "presentation/client/client-report.test.ts";
const PLANS = "payments/sentences/plan-sentences.db.test.ts";
const REFERENCES = "console/read/operations/reference-claims.db.test.ts";
const MESSAGES = "console/read/messages/message-claims.db.test.ts";
const PLACES = "console/read/messages/place-claims.db.test.ts";
const FLOW = "console/read/messages/read-flow.db.test.ts";
const HEATMAP = "console/read/deployment/read-heatmap.db.test.ts";
const CHANGES = "console/read/deployment/read-changes.db.test.ts";
const RISK = "console/read/deployment/read-risk.db.test.ts";

/** The test that holds a list of claims against rows or generated facts, and what of ours it calls to have them said. */
interface Held {
  readonly test: string;
  readonly by: string;
}
const held = (test: string, by: string): Held => ({ test, by });

/** Every list of claims, by its file and name. `sentences.test.ts` keeps this true: a list without its test fails, and so does a line too much. */
export const HELD_CLAIMS: Readonly<Record<string, Held>> = {
  "domain/messages/correction-verdict.ts CORRECTION_REFUSALS": held(
    "console/plans/correction.db.test.ts",
    "createPlan",
  ),
  "domain/messages/requeue-outlook.ts OUTLOOK_CLAIMS": held(MESSAGES, "listDeadLetters"),
  "presentation/checks/data-checks.ts DATA_CHECKS": held(
    "console/read/deployment/read-checklist.db.test.ts",
    "lookNow",
  ),
  "presentation/client/client-advice.ts CLIENT_ADVICE_CLAIMS": held(CLIENTS, "adviceFor"),
  "presentation/client/client-verdict.ts CLIENTS_CLAIMS": held(CLIENTS, "clientsVerdict"),
  "presentation/client/client-verdict.ts CLIENT_CLAIMS": held(CLIENTS, "CLIENT_CLAIMS"),
  "presentation/client/client-verdict.ts FAULT_CLAIMS": held(CLIENTS, "CLIENT_CLAIMS"),
  "presentation/conflict/conflict-pattern.ts CONFLICT_MESSAGE_CLAIMS": held(
    "payments/conflict-message.db.test.ts",
    "readConflict",
  ),
  "presentation/conflict/conflict-verdict.ts FIRST": held(OPERATIONS, "FIRST"),
  "presentation/flow/flow-claims.ts ARRIVALS": held(FLOW, "readFlow"),
  "presentation/flow/flow-claims.ts BESIDE": held(FLOW, "readFlow"),
  "presentation/flow/flow-claims.ts NOT_DRAWN": held(FLOW, "leftOutWords"),
  "presentation/flow/flow-claims.ts WORST": held(FLOW, "readFlow"),
  "presentation/flow/flow-state.ts QUIET": held("presentation/flow/flow-state.test.ts", "flowState"),
  "presentation/flow/flow-state.ts TROUBLES": held("presentation/flow/flow-state.test.ts", "flowState"),
  "presentation/message/dead-letters-verdict.ts DEAD_LETTERS_CLAIMS": held(MESSAGES, "deadLettersVerdict"),
  "presentation/message/dead-letters-verdict.ts GROUP_CLAIMS": held(MESSAGES, "groupAdvice"),
  "presentation/message/places-verdict.ts HOUR": held(PLACES, "readTopic"),
  "presentation/message/places-verdict.ts PLACES_CLAIMS": held(PLACES, "placesVerdict"),
  "presentation/message/places-verdict.ts PLACE_CLAIMS": held(PLACES, "readTopic"),
  "presentation/message/places-verdict.ts TOPIC_DIALOG_CLAIMS": held(PLACES, "TOPIC_DIALOG_CLAIMS"),
  "presentation/message/places-verdict.ts TROUBLES": held(PLACES, "placesVerdict"),
  "presentation/metrics/distribution.ts DISTRIBUTION_CLAIMS": held(
    "presentation/metrics/distribution.test.ts",
    "distributionWords",
  ),
  "presentation/metrics/heatmap-verdict.ts COUNT_CLAIMS": held(HEATMAP, "heatmapWords"),
  "presentation/metrics/heatmap-verdict.ts FIND_CLAIMS": held(HEATMAP, "findWords"),
  "presentation/metrics/heatmap-verdict.ts LEDE_CLAIMS": held(HEATMAP, "heatmapWords"),
  "presentation/metrics/heatmap-verdict.ts MORE_CLAIMS": held(HEATMAP, "heatmapWords"),
  "presentation/metrics/heatmap-verdict.ts PACE_CLAIMS": held(HEATMAP, "readHeatmap"),
  "presentation/metrics/overview-verdict.ts OVERVIEW_CLAIMS": held(MESSAGES, "readOverview"),
  "presentation/metrics/overview-verdict.ts OVERVIEW_NOTES": held(MESSAGES, "readOverview"),
  "presentation/operation/allowed-actions.ts REASONS": held(OPERATIONS, "readOperation"),
  "presentation/operation/chain-claims.ts ASKED_FACTS": held(OPERATIONS, "ASKED_FACTS"),
  "presentation/operation/chain-claims.ts DOUBT_FACTS": held(OPERATIONS, "DOUBT_FACTS"),
  "presentation/operation/chain-claims.ts DUPLICATE_FACTS": held(OPERATIONS, "DUPLICATE_FACTS"),
  "presentation/operation/chain-claims.ts ENTRY_FACTS": held(
    "payments/sentences/operation-words.db.test.ts",
    "readOperation",
  ),
  "presentation/operation/chain-claims.ts INBOX_FACTS": held(OPERATIONS, "INBOX_FACTS"),
  "presentation/operation/chain-claims.ts KEY_FACTS": held(OPERATIONS, "KEY_FACTS"),
  "presentation/operation/chain-claims.ts LEDGER_FACTS": held(OPERATIONS, "LEDGER_FACTS"),
  "presentation/operation/chain-claims.ts OPERATION_FACTS": held(OPERATIONS, "OPERATION_FACTS"),
  "presentation/operation/chain-claims.ts OUTBOX_FACTS": held(OPERATIONS, "OUTBOX_FACTS"),
  "presentation/operation/chain-claims.ts PROVIDER_FACTS": held(OPERATIONS, "PROVIDER_FACTS"),
  "presentation/operation/evidence.ts EVIDENCE_CLAIMS": held(OPERATIONS, "readOperation"),
  "presentation/operation/known-facts.ts KNOWN_CLAIMS": held(OPERATIONS, "listAttention"),
  "presentation/operation/operation-claims.ts ANSWERS": held(OPERATIONS, "OPERATION_CLAIMS"),
  "presentation/operation/operation-claims.ts EFFECT": held(OPERATIONS, "OPERATION_CLAIMS"),
  "presentation/operation/operation-claims.ts MESSAGES": held(OPERATIONS, "OPERATION_CLAIMS"),
  "presentation/operation/operation-claims.ts PROVIDER": held(OPERATIONS, "OPERATION_CLAIMS"),
  "presentation/operation/retries-text.ts RETRY_CLAIMS": held(OPERATIONS, "RETRY_CLAIMS"),
  "presentation/plan/plan-advice.ts ADVICE_CLAIMS": held(PLANS, "ADVICE_CLAIMS"),
  "presentation/plan/plan-forecast.ts ANSWER_CLAIMS": held(PLANS, "PLAN_CLAIMS"),
  "presentation/plan/plan-forecast.ts FORECAST_CLAIMS": held(PLANS, "PLAN_CLAIMS"),
  "presentation/plan/plan-summary.ts PLAN_CLAIMS": held(PLANS, "PLAN_CLAIMS"),
  "presentation/proof/proof-sentence.ts PROOF_SENTENCES": held(OPERATIONS, "readProof"),
  "presentation/reference/customer-text.ts CUSTOMER": held(REFERENCES, "CUSTOMER"),
  "presentation/reference/headline.ts CAVEATS": held(REFERENCES, "headline"),
  "presentation/reference/headline.ts CHARGED": held(REFERENCES, "headline"),
  "presentation/reference/lanes.ts LANE": held(REFERENCES, "effectLane"),
  "presentation/reference/lanes.ts WEBHOOKS": held(REFERENCES, "readReference"),
  "presentation/reference/lede.ts LEDE": held(REFERENCES, "lede"),
  "presentation/risk/change-claims.ts COMPARISON_CLAIMS": held(CHANGES, "readOverview"),
  "presentation/risk/change-claims.ts MARK_CLAIMS": held(CHANGES, "readOverview"),
  "presentation/risk/change-claims.ts REST_CLAIMS": held(CHANGES, "readOverview"),
  "presentation/risk/changes.ts OFTEN_CLAIMS": held(
    "console/read/deployment/became-unknown.db.test.ts",
    "readOverview",
  ),
  "presentation/risk/risk-claims.ts CHART_NOTES": held(RISK, "readOverview"),
  "presentation/risk/risk-claims.ts END_AGE_CLAIMS": held(RISK, "readOverview"),
  "presentation/risk/risk-claims.ts NO_CHART_CLAIMS": held(RISK, "readOverview"),
};
