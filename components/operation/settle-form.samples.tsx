import type { Part } from "@/components/parts/part";
import { onConnection } from "@/components/parts/live-samples";
import { OperationDialogs } from "./operation-dialogs";
import { sampleAction, sampleCall, sampleOperation } from "./operation-facts.samples";
import { SettleForm, type SettleFormProps } from "./settle-form";
import type { SettleOption } from "./settle-options";

const OPTIONS: readonly SettleOption[] = [
  { decision: "succeeded", label: "It succeeded", text: "Stores the success as the answer.", off: false },
  { decision: "failed", label: "It failed", text: "The webhook says it succeeded.", off: true },
  { decision: "keep_waiting", label: "Keep waiting", text: "Callers keep getting 409.", off: false },
];

export function sampleSettleForm(changes: Partial<SettleFormProps>, whyOff?: string) {
  const props: SettleFormProps = {
    path: "/api/v1/admin/operations/1/resolve",
    options: OPTIONS,
    evidence: [{ ref: "webhook:1", label: "Signed webhook", at: "2026-11-22T14:02:09Z" }],
    askable: true,
    needsReference: false,
    ...changes,
  };
  return onConnection(<SettleForm {...props} />, { whyOff });
}

const RADIO = 'input[type="radio"]';
const dialogs = (changes: Parameters<typeof sampleOperation>[0] = {}) =>
  onConnection(<OperationDialogs operation={sampleOperation(changes)} callers={undefined} />);

export const settleParts: readonly Part[] = [
  {
    name: "OperationDialogs",
    states: [
      { name: "closed", shows: dialogs(), hasNot: ["dialog[open]", "form"] },
      {
        name: "ask the provider, nothing was sent",
        search: "dialog=reconcile",
        shows: dialogs(),
        says: ["Nothing was sent so far.", "nobody is asked: it ends without effect", "Ask the provider"],
        lacks: ["One look-up"],
        hasNot: ["textarea"],
      },
      {
        name: "ask the provider again",
        search: "dialog=reconcile",
        shows: dialogs({ provider: [sampleCall({ state: "sent" })] }),
        says: [
          "1 provider call is in the journal.",
          "One look-up by the provider key",
          "or runs again as its policy lets it",
        ],
      },
      {
        name: "release is not offered",
        search: "dialog=release",
        shows: dialogs(),
        lacks: ["Its lease ran out"],
        off: ["Release 1 key"],
      },
      {
        name: "a service asks its provider",
        search: "dialog=reconcile",
        shows: dialogs({ service: "invoices-py" }),
        says: [
          "Onceboard asks invoices-py to ask the provider and to settle by its answer.",
          "Only the request is recorded.",
          "Ask invoices-py",
        ],
        lacks: ["Nothing was sent so far."],
      },
      {
        name: "withdraw what a service is asked",
        search: "dialog=withdraw-request",
        shows: dialogs({ service: "invoices-py", actions: [sampleAction("withdraw_request", "Withdraw the request")] }),
        says: ["Withdraw what was asked of invoices-py?", "Withdraw 1 request"],
      },
      { name: "purge is not offered", search: "dialog=purge", shows: dialogs(), off: ["Purge 1 body"] },
      {
        name: "show the bodies",
        search: "dialog=reveal",
        shows: dialogs(),
        says: ["Show the bodies of 1 operation?", "Looking is written down.", "Cancel"],
        has: ["textarea[required]"],
      },
      {
        name: "the bodies may not be shown",
        search: "dialog=reveal",
        shows: dialogs({ actions: [sampleAction("reveal_bodies", "Show", "You need the role operator.")] }),
        says: ["You need the role operator."],
        off: ["Show 1 command"],
      },
    ],
  },
  {
    name: "SettleForm",
    states: [
      {
        name: "what the facts contradict is off, with its reason",
        shows: sampleSettleForm({}),
        says: [
          "Settle 1 operation",
          "Nothing is sent to the provider.",
          "The webhook says it succeeded.",
          "Signed webhook, 14:02:09",
        ],
        off: ["failed"],
        has: ['input[type="checkbox"][checked]'],
        hasNot: [`${RADIO}[checked]`],
      },
      {
        name: "no evidence, the provider can be asked",
        shows: sampleSettleForm({ evidence: [] }),
        says: ["No source says anything yet. Ask the provider first, or name what you have seen."],
        off: ["failed"],
      },
      {
        name: "no evidence, and nobody to ask",
        shows: sampleSettleForm({ evidence: [], askable: false }),
        says: ["No source says anything. Name what you have seen."],
        off: ["failed"],
      },
      {
        name: "a second person approves",
        shows: sampleSettleForm({ secondPersonFrom: "€ 10,000" }),
        says: ["From € 10,000 a second person approves."],
        lacks: ["Nothing is sent to the provider."],
        off: ["failed"],
      },
      {
        name: "a second person approves, then its service is asked",
        shows: sampleSettleForm({ secondPersonFrom: "€ 10,000", service: "invoices-py" }),
        says: ["From € 10,000 a second person approves; then invoices-py is asked."],
        off: ["failed"],
      },
      {
        name: "nothing may be decided",
        shows: sampleSettleForm({ options: OPTIONS.map((option) => ({ ...option, off: true })) }),
        off: [
          "succeeded",
          "failed",
          "keep_waiting",
          "evidence",
          "other",
          "Reason, kept in the audit",
          "Settle 1 operation",
        ],
      },
      {
        name: "the connection is lost",
        shows: sampleSettleForm({}, "The connection is lost."),
        says: ["The connection is lost."],
        lacks: ["Nothing is sent to the provider."],
        off: ["failed", "Settle 1 operation"],
      },
    ],
  },
];
