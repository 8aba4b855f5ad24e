import type { Check } from "./check";
import { DATA_CHECKS } from "./data-checks";
import { beating } from "./finding";
import * as data from "./service-data";
import * as deployment from "./service-deployment";
import * as policies from "./service-policies";
import * as upkeep from "./service-upkeep";

const served = (statement: string, service: NonNullable<Check["service"]>) =>
  ({ group: "Service", statement, service }) as const satisfies Check;
const loops = (statement: string, ...names: readonly string[]) =>
  served(statement, (facts) => beating(facts, ...names));

/** Everything that must hold, of an operation, of a tenant's rows and of the service: each once. */
export const CHECKS = {
  ...DATA_CHECKS,
  routes_need_key: served(
    "Every route that changes something refuses a request without a key, or is harmless when it is called twice.",
    deployment.routesNeedKey,
  ),
  effects_have_key: served("No effect stands without a key.", data.effectsHaveKey),
  commands_hashed: served("Each key has the hash of its command.", data.commandsHashed),
  conflicts_refused: served("Another command under a used key is refused.", data.conflictsRefused),
  replays_marked: served("A replay says that it is one, whatever the caller's wire profile.", deployment.replaysMarked),
  clients_retry_well: served(
    "Few retries of a client come too early or after what no retry heals.",
    data.clientsRetryWell,
  ),
  unique_constraints: served("The database enforces what two writers are decided by.", upkeep.constraintsEnforced),
  inbox_key: served("The database enforces one inbox row per consumer, source and event id.", upkeep.inboxKeyEnforced),
  answers_traceable: served("Each answer names its operation, request and attempt.", data.answersTraceable),
  metrics_served: served("The metrics of outcomes and retries are served.", deployment.metricsServed),
  spans_exported: served("Whether spans are exported; nothing has to hold.", deployment.spansExported),
  policies_consistent: served("No policy contradicts itself.", policies.policiesConsistent),
  cleaned_up: served("Nothing is left long after it expired, and partitions are made ahead.", upkeep.cleanedUp),
  reversals_alike: served(
    "Creating and reversing need a key alike, and treat it alike after its window.",
    policies.reversalsAlike,
  ),
  unknown_counted: served("How many outcomes are unknown; nothing has to hold.", upkeep.unknownCounted),
  document_declares: served("The API document declares key, window and refusals.", deployment.documentDeclares),
  messages_move: loops(
    "The worker's loops that deliver and handle messages beat.",
    "relay",
    "consume",
    "consume-alone",
  ),
  measures_roll_up: loops("The worker's loops that count beat.", "roll-up"),
  retention_runs: loops("The worker's loops of retention beat.", "retain"),
  recovery_runs: loops("The worker's loops of recovery beat.", "recover"),
} as const satisfies Readonly<Record<string, Check>>;

export type CheckId = keyof typeof CHECKS;
type With<Reader extends keyof Check> = {
  [Id in CheckId]: (typeof CHECKS)[Id] extends Readonly<Record<Reader, unknown>> ? Id : never;
}[CheckId];

/** The proof of an operation reads these, in the order of the way from key to ledger. */
export const PROOF_CHECKS = [
  "one_key_row",
  "executed_once",
  "only_the_last_owner_wrote",
  "one_provider_key",
  "one_execution_per_key",
  "provider_never_contradicts",
  "one_business_row",
  "all_of_the_first_command",
  "other_commands_never_ran",
  "success_has_message",
  "delivered",
  "published_message_arrived",
  "one_ledger_entry",
  "ledger_matches_effects",
  "each_notification_once",
  "replays_byte_equal",
  "answers_kept",
] as const satisfies readonly With<"claim">[];

export type TenantCheckId = With<"tenant">;

export const TENANT_CHECKS = (Object.keys(CHECKS) as CheckId[]).filter(
  (id): id is TenantCheckId => "tenant" in CHECKS[id],
);

interface ChecklistLine {
  readonly id: string;
  readonly line: string;
  /** Judged by `service` where there is one, else by the last run of the invariant. */
  readonly checks: readonly (With<"service"> | TenantCheckId)[];
}

/** The review checklist of the retry playbook, and what the rest of the contract adds. */
export const CHECKLIST: readonly ChecklistLine[] = [
  {
    id: "key-required",
    line: "Idempotency-Key is required on every POST that changes something, refunds and voids included",
    checks: ["routes_need_key", "effects_have_key"],
  },
  {
    id: "payload-hash",
    line: "The command's hash is stored, and another command under the key is refused",
    checks: ["commands_hashed", "conflicts_refused"],
  },
  {
    id: "same-answer",
    line: "A replay has the status and body of the first answer, and is marked",
    checks: ["replays_byte_equal", "replays_marked"],
  },
  {
    id: "retries",
    line: "Clients retry only what a retry heals, and not before Retry-After",
    checks: ["clients_retry_well"],
  },
  {
    id: "outbox-inbox",
    line: "Effects leave through the outbox, and consumers dedupe by event id",
    checks: ["success_has_message", "no_payload_swap", "dead_but_processed", "inbox_key", "messages_move"],
  },
  {
    id: "observability",
    line: "Logs, metrics and traces name the key's operation and the attempt",
    checks: ["answers_traceable", "metrics_served", "measures_roll_up", "spans_exported"],
  },
  {
    id: "cleanup",
    line: "Every key has a lifetime, and what is past it is cleaned up",
    checks: ["policies_consistent", "retention_runs", "cleaned_up"],
  },
  {
    id: "symmetry",
    line: "Creating and reversing are both idempotent, in the same way",
    checks: ["reversals_alike", "refunds_within_payment"],
  },
  {
    id: "unique-keys",
    line: "Races are decided by unique constraints of the database",
    checks: ["unique_constraints"],
  },
  {
    id: "one-effect",
    line: "A key has one execution and one ledger entry at the most",
    checks: ["one_execution_per_key", "one_ledger_entry"],
  },
  {
    id: "unknown",
    line: "An unknown outcome is never taken for a failure, and somebody asks",
    checks: ["stale_leases_taken_over", "open_rows_match", "recovery_runs", "unknown_counted"],
  },
  {
    id: "document",
    line: "The API document declares the header, its window and its refusals",
    checks: ["document_declares"],
  },
];
