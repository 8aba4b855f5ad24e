import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { AnswersSparkline } from "./answers-sparkline";
import { Id } from "./id";
import { JsonView } from "./json-view";
import { CodeBlock } from "./masked";
import { MiniChain } from "./mini-chain";
import { StateTag } from "./state-tag";
import { Time } from "./time";

const MANY = JSON.stringify(Array.from({ length: 203 }, (_, index) => index));

export const valueParts: readonly Part[] = [
  {
    name: "StateTag",
    states: [
      {
        name: "unknown is the only filled one",
        shows: <StateTag name="UNKNOWN_REQUIRES_RECOVERY" />,
        says: ["Unknown"],
        hasNot: ["span[data-tone]"],
      },
      {
        name: "unknown beside other words is not filled",
        shows: (
          <StateTag name="UNKNOWN_REQUIRES_RECOVERY" tone="ink">
            Payment
          </StateTag>
        ),
        says: ["Payment"],
        has: ['[data-tone="ink"]'],
      },
      { name: "completed", shows: <StateTag name="COMPLETED" />, says: ["Completed"], has: ["[data-tone]"] },
    ],
  },
  {
    name: "Id",
    states: [
      {
        name: "cut in the middle, copies the whole",
        shows: <Id value={SAMPLE_ID} />,
        says: ["018f…2e3f4a5b", `Copy ${SAMPLE_ID}`],
        has: ["button"],
      },
      { name: "plain, in a row", shows: <Id value={SAMPLE_ID} plain />, says: ["018f…2e3f4a5b"], hasNot: ["button"] },
      { name: "in full", shows: <Id value={SAMPLE_ID} full plain />, says: [SAMPLE_ID], lacks: ["…"] },
      { name: "short enough", shows: <Id value="order-7" plain />, says: ["order-7"] },
    ],
  },
  {
    name: "Time",
    states: [
      {
        name: "age",
        shows: <Time at="2026-11-22T13:49:00Z" now={SAMPLE_NOW} />,
        says: ["41 min", "22 Nov 2026, 13:49:00"],
        lacks: ["ago"],
      },
      { name: "ago", shows: <Time at="2026-11-22T13:49:00Z" now={SAMPLE_NOW} form="ago" />, says: ["41 min ago"] },
      {
        name: "ahead",
        shows: <Time at="2026-11-22T14:35:00Z" now={SAMPLE_NOW} form="ago" />,
        says: ["in 5 min"],
        lacks: ["ago"],
      },
      {
        name: "clock",
        shows: <Time at="2026-11-22T13:49:07.114Z" now={SAMPLE_NOW} form="clock" />,
        says: ["13:49:07"],
      },
      {
        name: "exact already",
        shows: <Time at={SAMPLE_NOW} now={SAMPLE_NOW} form="exact" />,
        hasNot: ["time[data-exact]"],
      },
    ],
  },
  {
    name: "JsonView",
    states: [
      {
        name: "keeps the digits",
        shows: <JsonView label="Body" text='{"amount":12.50,"note":null}' />,
        says: ["12.50", "null", "2 members"],
      },
      {
        name: "no JSON is shown as it is",
        shows: <JsonView label="Body" text="<html>" />,
        says: ["<html>"],
        hasNot: ["details"],
      },
      { name: "empty list and object", shows: <JsonView label="Body" text='{"a":[],"b":{}}' />, says: ["[]", "{}"] },
      { name: "one item", shows: <JsonView label="Body" text="[7]" />, says: ["1 item"], lacks: ["1 items"] },
      {
        name: "more than is drawn",
        shows: <JsonView label="Body" text={MANY} />,
        says: ["203 items", "3 more, in the copy"],
      },
      {
        name: "deep levels are folded",
        shows: <JsonView label="Body" text='{"a":{"b":{"c":1}}}' />,
        has: ["details[open] details[open] details:not([open])"],
      },
    ],
  },
  {
    name: "CodeBlock",
    states: [
      {
        name: "a value that is not shown",
        shows: (
          <CodeBlock
            lines={[
              { name: "amount", value: "12.00" },
              { name: "card", note: "kept" },
            ]}
          />
        ),
        says: ["12.00", "••••", "Not shown here.", "kept"],
      },
      { name: "all shown", shows: <CodeBlock lines={[{ name: "amount", value: "12.00" }]} />, lacks: ["••••"] },
    ],
  },
  {
    name: "MiniChain",
    states: [
      {
        name: "whole",
        shows: <MiniChain stations={["done", "done", "done", "done", "done", "done"]} />,
        says: ["key done"],
        hasNot: ["rect"],
      },
      {
        name: "unknown at the provider",
        shows: <MiniChain stations={["done", "done", "unknown", "missing", "missing", "missing"]} />,
        says: ["provider unknown", "outbox missing"],
        has: ['circle[stroke="var(--ob-doubt-mark)"]'],
      },
      {
        name: "settled by hand, and the provider has not confirmed it",
        shows: <MiniChain stations={["done", "done", "unconfirmed", "done", "done", "done"]} />,
        says: ["provider not confirmed", "outbox done"],
        has: ['circle[stroke="var(--ob-doubt-mark)"]'],
      },
      {
        name: "a dead message",
        shows: <MiniChain stations={["done", "done", "done", "dead", "not_due", "done"]} />,
        says: ["outbox dead"],
        has: ['rect[fill="var(--ob-broken)"]'],
      },
    ],
  },
  {
    name: "AnswersStrip",
    states: [
      { name: "none", shows: <AnswersSparkline answers={[]} total={0} />, says: ["none"], hasNot: ["svg"] },
      {
        name: "first and replays",
        shows: <AnswersSparkline answers={["executed", "replayed", "replayed"]} total={3} />,
        says: ["Answers: 1 ", "2 "],
        lacks: ["more"],
      },
      {
        name: "more than six",
        shows: <AnswersSparkline answers={["executed", ...Array<"replayed">(9).fill("replayed")]} total={14} />,
        says: ["+8", "and 8 more"],
        has: ["svg > *:nth-child(6)"],
        hasNot: ["svg > *:nth-child(7)"],
      },
    ],
  },
];
