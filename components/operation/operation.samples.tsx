import { SAMPLE_LIVE } from "@/components/parts/live-samples";
import type { Part } from "@/components/parts/part";
import { LiveContext } from "@/components/shell/live-provider";
import { SettleForm, type SettleFormProps } from "./settle-form";
import type { SettleOption } from "./settle-options";

const OPTIONS: readonly SettleOption[] = [
  { decision: "succeeded", label: "It succeeded", text: "Stores 201 as the answer.", off: false },
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
  return (
    <LiveContext value={{ ...SAMPLE_LIVE, whyOff }}>
      <SettleForm {...props} />
    </LiveContext>
  );
}

const RADIO = 'input[type="radio"]';

export const operationParts: readonly Part[] = [
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
