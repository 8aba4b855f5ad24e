import { OPERATION_SORTS } from "@/domain/lists/filters";
import { chainWords } from "@/presentation/operation/chain-words";
import type { AttentionRow, OperationRow } from "@/presentation/views/operations";
import { ACTION, type Fields, declareList, SENTENCE } from "./columns";

interface OperationFacts {
  readonly currency?: string | undefined;
  readonly responseStatus?: number | undefined;
}

const OPERATION_FIELDS = {
  operation_id: (row) => row.operationId,
  key: (row) => row.key,
  operation: (row) => row.operation,
  state: (row) => row.state,
  client: (row) => row.client,
  account: (row) => row.account,
  reference: (row) => row.reference,
  amount: (row) => row.money?.amount,
  currency: (row) => row.currency,
  error_code: (row) => row.errorCode,
  http_status: (row) => row.responseStatus,
  created_at: (row) => row.createdAt,
  requests: (row) => row.answers.total,
  answers: (row) => row.answers.answers.join(" "),
  chain: (row) => chainWords(row.chain),
} satisfies Fields<string, OperationRow, OperationFacts>;

const CLIENT = { label: "Client", choice: "off", plain: true, fields: ["client"] } as const;
const ACCOUNT = { label: "Account", choice: "off", fields: ["account"] } as const;
const REFERENCE = { label: "Reference", choice: "off", fields: ["reference"] } as const;
const AMOUNT = { label: "Amount", align: "right", phone: "right", fields: ["amount", "currency"] } as const;
const CHAIN = { label: "Key to ledger", choice: "on", fields: ["chain"] } as const;
const ANSWERS = { label: "Answers", choice: "on", fields: ["requests", "answers"] } as const;

export const OPERATIONS = declareList<OperationRow, OperationFacts>()({
  id: "operation_id",
  sorts: OPERATION_SORTS,
  fields: OPERATION_FIELDS,
  columns: {
    state: { label: "State", phone: "left", width: 140, fields: ["state"] },
    what: { label: "Operation and key", phone: "left", grow: true, fields: ["operation", "key"] },
    client: CLIENT,
    account: ACCOUNT,
    reference: REFERENCE,
    error: { label: "Error code", choice: "off", fields: ["error_code"] },
    amount: { ...AMOUNT, choice: "on", sort: { by: "amount" } },
    chain: CHAIN,
    answers: { ...ANSWERS, width: 116 },
    age: {
      label: "Age",
      align: "right",
      phone: "right",
      width: 64,
      fields: ["created_at"],
      sort: { by: "created", reversed: true },
    },
  },
});

export const ATTENTION = declareList<AttentionRow, OperationFacts & { readonly lastFinding?: string | undefined }>()({
  id: "operation_id",
  fields: {
    ...OPERATION_FIELDS,
    doubt_since: (row) => row.since,
    known: (row) => row.known,
    checks: (row) => row.checks,
    last_finding: (row) => row.lastFinding,
    next_check_at: (row) => row.nextCheckAt,
    assigned_to: (row) => row.assignedTo,
  },
  columns: {
    state: { label: "State", phone: "left", width: 116, fields: ["state"] },
    operation: { label: "Operation and key", phone: "left", link: true, fields: ["operation", "key"] },
    amount: AMOUNT,
    for: { label: "In doubt for", align: "right", phone: "right", fields: ["doubt_since"] },
    client: CLIENT,
    account: { ...ACCOUNT, plain: true },
    reference: { ...REFERENCE, plain: true },
    chain: { ...CHAIN, wide: true, roomy: true },
    answers: { ...ANSWERS, wide: true, roomy: true },
    known: {
      label: "What is known",
      ...SENTENCE,
      phone: "left",
      fields: ["known", "checks", "last_finding", "next_check_at", "assigned_to"],
    },
    act: { ...ACTION, label: "Actions", phone: "right" },
  },
});

/** Names of the fields that differ, never their values. */
interface ConflictRecord {
  readonly id: string;
  readonly at: string;
  readonly client: string;
  readonly operation: string;
  readonly operationId: string;
  readonly differing: readonly string[];
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Shown as groups: its files have one shape. */
export const CONFLICTS = declareList<ConflictRecord>()({
  id: "event_id",
  fields: {
    event_id: (row) => row.id,
    at: (row) => row.at,
    client: (row) => row.client,
    operation: (row) => row.operation,
    operation_id: (row) => row.operationId,
    differing_fields: (row) => row.differing.join(" "),
    http_status: (row) => row.status,
    request_id: (row) => row.requestId,
  },
  columns: {},
});
