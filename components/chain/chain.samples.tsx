import type { Part } from "@/components/parts/part";
import type { ChainStation, TimelineItem } from "@/presentation/operation/chain";
import { Chain } from "./chain";
import { Consequences } from "./consequences";
import { Timeline } from "./timeline";

const KEY: ChainStation = {
  name: "Key",
  glyph: "executed",
  time: "14:02:09.114",
  id: "018f9b7e-1c2d-7e3f-8a9b-0c1d2e3f4a5b",
  facts: ["claimed"],
  spoken: "Key: claimed",
  way: { kind: "solid", duration: "264 ms" },
};
const UNUSED: ChainStation = { name: "Provider", glyph: "empty", presence: "absent", facts: [], spoken: "No provider" };
const INBOX: ChainStation = {
  name: "Inbox",
  glyph: "empty",
  presence: "off",
  facts: ["not due"],
  spoken: "Inbox: not due",
};
const GAP = { after: 0, tone: "broken", facts: ["nothing recorded"], spoken: "A gap after the key" } as const;
const timeline = (items: readonly TimelineItem[], now?: number) => (
  <Timeline
    stretches={[{ from: 0, to: 100, share: 1 }]}
    ticks={[{ at: 0, label: "14:02:09" }]}
    now={now}
    lanes={[{ name: "Requests", items }]}
    spoken="What happened"
  />
);

export const chainParts: readonly Part[] = [
  {
    name: "Chain",
    states: [
      {
        name: "across the page",
        shows: <Chain stations={[KEY, INBOX]} />,
        says: ["Key: claimed", "264 ms", "14:02:09.114", "018f…2e3f4a5b"],
        has: ['li[data-presence="on"] [data-kind="solid"]:not([data-passes])', 'li[data-presence="off"]'],
      },
      {
        name: "past a station that is not part of it",
        shows: <Chain stations={[KEY, UNUSED, INBOX]} />,
        has: ["[data-passes]", 'li[data-presence="absent"]:not(:has(svg))'],
      },
      {
        name: "with a gap",
        shows: <Chain stations={[KEY, INBOX]} gap={GAP} />,
        says: ["A gap after the key", "nothing recorded"],
        has: ['li[data-tone="broken"]:nth-child(2)'],
      },
      {
        name: "upright, in a pane",
        shows: <Chain compact stations={[KEY, UNUSED, INBOX]} gap={GAP} label="Chain of the message" />,
        says: ["Chain of the message", "gap, nothing recorded", "not due"],
        lacks: ["264 ms", "No provider"],
        has: ['li[data-way="solid"]'],
      },
    ],
  },
  {
    name: "Timeline",
    states: [
      {
        name: "each kind of item",
        shows: timeline(
          [
            { kind: "mark", at: 10, glyph: "executed", title: "executed at 14:02" },
            { kind: "tick", at: 20, title: "looked up" },
            { kind: "bar", from: 0, to: 50, tone: "ink", label: "api-1", title: "lease of api-1" },
            { kind: "way", from: 50, to: 90, tone: "broken", capped: true, title: "no answer" },
            { kind: "note", at: 90, text: "late", tone: "doubt", place: "below" },
          ],
          100,
        ),
        says: ["What happened", "executed at 14:02", "looked up", "api-1", "late", "now"],
        has: ["[data-capped]", '[data-notes] [data-tone="doubt"][style*="right"]'],
      },
      {
        name: "over, so there is no now",
        shows: timeline([{ kind: "note", at: 10, text: "early", tone: "ink", place: "below" }]),
        lacks: ["now"],
        has: ['[data-notes] [data-tone="ink"][style*="left"]'],
      },
      {
        name: "notes among marks, and two at one place",
        shows: timeline([
          { kind: "way", from: 0, to: 30, tone: "doubt", capped: true, title: "timed out" },
          { kind: "note", at: 30, text: "timed out after sending", tone: "doubt", place: "below" },
          { kind: "mark", at: 34, glyph: "replayed", title: "look-up" },
          { kind: "note", at: 31, text: "another at its place", tone: "doubt", place: "below" },
          { kind: "note", at: 70, text: "provider unreachable", tone: "doubt", place: "below" },
          { kind: "note", at: 95, text: "refused at the end", tone: "ink", place: "below" },
        ]),
        says: ["timed out after sending", "provider unreachable", "refused at the end"],
        lacks: ["another at its place"],
      },
    ],
  },
  {
    name: "Consequences",
    states: [
      {
        name: "solid where it is done already",
        shows: (
          <Consequences
            title="After that"
            steps={[
              { name: "Key", fact: "claimed", done: true },
              { name: "Outbox", fact: "1 row", done: true },
              { name: "Ledger", fact: "1 entry", done: false },
            ]}
          />
        ),
        says: ["After that", "claimed"],
        has: ['li[data-way="solid"]:first-child', 'li[data-way="due"]:nth-child(2)', "li:last-child:not([data-way])"],
      },
    ],
  },
];
