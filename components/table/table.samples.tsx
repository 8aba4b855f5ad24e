import { SAMPLE_LIVE } from "@/components/parts/live-samples";
import type { Part } from "@/components/parts/part";
import { LiveContext } from "@/components/shell/live-provider";
import { NewerText } from "./newer-line";
import { Pager } from "./pager";
import { SelectionBar, type Selection } from "./selection";

const bar = (selection: Selection, wholePage: boolean) => (
  <SelectionBar selection={selection} wholePage={wholePage} onAll={() => undefined} onClear={() => undefined}>
    {null}
  </SelectionBar>
);
const newer = (live: Partial<typeof SAMPLE_LIVE>) => (
  <LiveContext value={{ ...SAMPLE_LIVE, ...live }}>
    <NewerText noun="entries" />
  </LiveContext>
);

export const tableParts: readonly Part[] = [
  {
    name: "Pager",
    states: [
      { name: "the only page", shows: <Pager note="Newest first" />, off: ["Newer", "Older"], hasNot: ["a"] },
      {
        name: "the first page",
        shows: <Pager note="Newest first" olderHref="?cursor=a" />,
        off: ["Newer"],
        has: ['a[href$="?cursor=a"]'],
      },
      { name: "in between", shows: <Pager note="Newest first" newerHref="?cursor=b" olderHref="?cursor=a" />, off: [] },
    ],
  },
  {
    name: "SelectionBar",
    states: [
      { name: "nothing is selected", shows: bar({ ids: [], all: false }, false), hasNot: ["*"] },
      {
        name: "some of the page",
        shows: bar({ ids: ["1"], all: false, matching: "11,204" }, false),
        says: ["1 selected"],
        lacks: ["11,204"],
      },
      {
        name: "with what they stand for",
        shows: (
          <SelectionBar
            selection={{ ids: ["1", "2"], all: false }}
            money={[{ minor: "1026407", currency: "EUR" }, undefined]}
            wholePage={false}
            onAll={() => undefined}
            onClear={() => undefined}
          >
            {null}
          </SelectionBar>
        ),
        says: ["2 selected, €10,264.07 in 1"],
      },
      {
        name: "the whole page",
        shows: bar({ ids: ["1", "2"], all: false, matching: "11,204" }, true),
        says: ["2 selected", "All 11,204 that match"],
      },
      {
        name: "all that match",
        shows: bar({ ids: ["1", "2"], all: true, matching: "11,204" }, true),
        says: ["All 11,204 that match", "Only this page"],
        lacks: ["2 selected"],
      },
      {
        name: "one matches",
        shows: bar({ ids: ["1"], all: false, matching: "1" }, true),
        says: ["1 selected", "The 1 that matches"],
        lacks: ["All 1"],
      },
      {
        name: "a list that does not count",
        shows: bar({ ids: ["1", "2"], all: false }, true),
        says: ["2 selected"],
        lacks: ["that match"],
      },
    ],
  },
  {
    name: "NewerText",
    states: [
      { name: "none", shows: newer({}), says: ["No newer entries."], hasNot: ["button"] },
      { name: "one", shows: newer({ newer: 1 }), says: ["1 newer entry. Show it."], lacks: ["Some may not match"] },
      {
        name: "several, with filters",
        shows: newer({ newer: 7, filtered: true }),
        says: ["7 newer entries. Show them.", "Some may not match the filters."],
      },
      { name: "paused", shows: newer({ status: "paused" }), says: ["Not watching for newer rows."] },
    ],
  },
];
