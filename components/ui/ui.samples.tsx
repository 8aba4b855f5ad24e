import type { Part } from "@/components/parts/part";
import { Button } from "./button";
import { FilterChips } from "./filter-chips";
import { AmountBlock, PageHead, PageTitle } from "./page-head";
import { FilterMenu } from "./filter-menu";
import { RangeForm } from "./time/range-form";
import { Popup } from "./popup";
import { CopyPlace, DialogLink, PlaceLink } from "./place-link";
import { SecretOnce } from "./secret-once";
import { Tabs } from "./tabs";
import { Verdict } from "./verdict";

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
    name: "RangeForm",
    states: [
      {
        name: "shows the time of the page",
        shows: (
          <RangeForm
            action="/metrics"
            kept={[{ name: "group", value: "client" }]}
            place="24h"
            from="2026-11-19T14:43:09Z"
            to="2026-11-20T14:43:09Z"
          />
        ),
        says: ["From", "to", "UTC"],
        has: [
          "input[required]",
          'form[action="/metrics"] input[name="group"][value="client"]',
          'input[name="from"][value="2026-11-19T14:43"]',
          'input[name="to"][value="2026-11-20T14:43"]',
        ],
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
