import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import { AnswersSparkline } from "./values/answers-sparkline";
import { Button } from "./button";
import { FilterChips } from "./filter-chips";
import { Id } from "./values/id";
import { JsonView } from "./values/json-view";
import { CodeBlock } from "./values/masked";
import { MiniChain } from "./values/mini-chain";
import { AmountBlock, PageHead, PageTitle } from "./page-head";
import { FilterMenu } from "./filter-menu";
import { RangeFields } from "./range-fields";
import { Popup } from "./popup";
import { CopyPlace, DialogLink, PlaceLink } from "./place-link";
import { SecretOnce } from "./secret-once";
import { Tabs } from "./tabs";
import { StateTag } from "./values/state-tag";
import { Time } from "./values/time";
import { Verdict } from "./verdict";

const MANY = JSON.stringify(Array.from({ length: 203 }, (_, index) => index));

export const uiParts: readonly Part[] = [
  {
    name: "Button",
    states: [
      { name: "default", shows: <Button>Ask the provider</Button>, has: ['[data-variant="default"]'] },
      { name: "primary", shows: <Button primary>Settle</Button>, has: ['[data-variant="filled"]'] },
      { name: "off", shows: <Button disabled>Settle</Button>, off: ["Settle"] },
      {
        name: "not offered, with the reason",
        shows: <Button notOffered="You need the role operator.">Requeue</Button>,
        says: ["You need the role operator."],
        off: ["Requeue"],
      },
    ],
  },
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
    name: "Verdict",
    states: [
      {
        name: "only what is wrong is underlined",
        shows: (
          <Verdict as="p" clauses={[{ text: "Two payments are done." }, { text: "One is unknown.", tone: "doubt" }]} />
        ),
        says: ["Two payments are done. One is unknown."],
        has: ['span[data-tone="doubt"]'],
        hasNot: ["h1", "span + span"],
      },
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
        says: ["12.00", "••••", "Masked.", "kept"],
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
  {
    name: "PageHead",
    states: [
      {
        name: "title alone",
        shows: (
          <PageHead>
            <PageTitle>Metrics</PageTitle>
          </PageHead>
        ),
        says: ["Metrics"],
        hasNot: ["p"],
      },
      {
        name: "with its crumb and lede",
        shows: (
          <PageHead crumb="Settings" lede="One line.">
            <PageTitle note="3">People</PageTitle>
          </PageHead>
        ),
        says: ["Settings", "One line.", "3"],
        has: ['p[data-size="small"]'],
      },
    ],
  },
  {
    name: "AmountBlock",
    states: [
      {
        name: "at the right of the head",
        shows: (
          <PageHead aside={<AmountBlock amount="€12.00" note="started" />}>
            <PageTitle>Payment</PageTitle>
          </PageHead>
        ),
        says: ["€12.00", "started"],
      },
    ],
  },
  {
    name: "Popup",
    states: [
      {
        name: "closed, its panel is empty",
        shows: (
          <Popup button="Columns" className={undefined} label="Columns of the list">
            inside
          </Popup>
        ),
        says: ["Columns of the list"],
        lacks: ["inside"],
        has: ['button[aria-expanded="false"]', '[popover="auto"][data-side="right"]'],
      },
    ],
  },
  {
    name: "RangeFields",
    states: [
      {
        name: "shows the time of the page",
        shows: <RangeFields place="24h" from="2026-11-19T14:43" to="2026-11-20T14:43" />,
        says: ["From", "to"],
        has: ['input[name="from"][required]', 'input[name="to"][value="2026-11-20T14:43"]'],
      },
    ],
  },
  {
    name: "FilterMenu",
    states: [
      {
        name: "its form comes when it opens",
        shows: <FilterMenu fields={[{ name: "client", label: "Client" }]} />,
        says: ["Add filter f"],
        hasNot: ["form"],
      },
    ],
  },
  {
    name: "PlaceLink",
    states: [
      {
        name: "keeps what the address says else",
        search: "range=7d&open=a",
        shows: <PlaceLink place={{ open: undefined }}>Close</PlaceLink>,
        has: ['a[href="/?range=7d"]:not([data-variant])'],
      },
      {
        name: "opens a dialog, as a button",
        shows: (
          <DialogLink small dialog="start">
            Start
          </DialogLink>
        ),
        has: ['a[href="/?dialog=start"][data-variant="default"][data-small][data-plain]'],
      },
      { name: "copied", shows: <CopyPlace place={{ open: "a" }}>Copy link</CopyPlace>, says: ["Copy link"] },
    ],
  },
  {
    name: "SecretOnce",
    states: [
      { name: "alone", shows: <SecretOnce secret="sk_1" copy="Copy the key" />, says: ["sk_1"], hasNot: ["p"] },
      {
        name: "with what its loss means",
        shows: (
          <SecretOnce secret="sk_1" copy="Copy the key">
            It is not shown again.
          </SecretOnce>
        ),
        says: ["It is not shown again."],
      },
    ],
  },
  {
    name: "Tabs",
    states: [
      {
        name: "one is current, one is counted",
        shows: (
          <Tabs
            label="Views"
            tabs={[
              { href: "/a", label: "All", current: true },
              { href: "/b", label: "Open", count: "12" },
            ]}
          />
        ),
        says: ["Open12"],
        has: ['a[href="/a"][aria-current="page"]:not(:has(span))', 'a[href="/b"]:not([aria-current]) span'],
      },
    ],
  },
  {
    name: "FilterChips",
    states: [
      {
        name: "one that may be dropped and one that may not",
        shows: (
          <FilterChips
            chips={[
              { name: "state", value: "Unknown", dropHref: "/operations" },
              { name: "client", value: "till" },
            ]}
          />
        ),
        says: ["Remove filter state"],
        lacks: ["Remove filter client"],
      },
    ],
  },
];
