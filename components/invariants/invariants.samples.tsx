import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { InvariantPageRow, InvariantsPage } from "@/presentation/views/invariants";
import { InvariantLine, InvariantsView } from "./invariants-view";

const view: InvariantsPage = { at: SAMPLE_NOW, stripHours: 24, windowHours: 48, verdict: [], rows: [] };
const held: InvariantPageRow = {
  name: "one-effect",
  label: "One effect",
  holds: true,
  checked: true,
  violations: 0,
  samples: [],
  group: "effects",
  sentence: "An operation has one effect at the most.",
  looksAt: "operations of 48 hours",
  sql: "select 1",
  firstCheckedAt: "2026-11-22T13:10:00Z",
  checkedAt: "2026-11-22T14:29:00Z",
  durationMs: 12,
  capped: false,
  strip: ["held"],
};
const line = (changes: Partial<InvariantPageRow>) => (
  <ul>
    <InvariantLine view={view} row={{ ...held, ...changes }} />
  </ul>
);
const page = (changes: Partial<InvariantsPage>) => inLive(<InvariantsView view={{ ...view, ...changes }} />);
const red = { holds: false, violations: 2, samples: [{ id: SAMPLE_ID, href: `/operations/${SAMPLE_ID}` }] };

export const invariantParts: readonly Part[] = [
  {
    name: "InvariantLine",
    states: [
      {
        name: "holds",
        shows: line({}),
        says: ["holds", "1 min ago, 12 ms"],
        lacks: ["violation", "red last"],
        has: ['[data-state="holds"]'],
      },
      {
        name: "was red",
        shows: line({ lastViolatedAt: "2026-11-20T10:00:00Z" }),
        says: ["red last 20 Nov, 10:00"],
      },
      {
        name: "violated",
        shows: line(red),
        says: ["violated", "2 violations:", "red now"],
        has: ['[data-state="violated"]', `a[href="/operations/${SAMPLE_ID}"]`],
      },
      { name: "one violation", shows: line({ ...red, violations: 1 }), says: ["1 violation:"] },
      {
        name: "more than were counted",
        shows: line({ ...red, violations: 1_000, capped: true }),
        says: ["1,000+ violations:"],
      },
      {
        name: "of the chain's head",
        shows: line({ ...red, samples: [{ id: "", href: "/audit" }] }),
        says: ["the head of the chain"],
      },
      {
        name: "stopped",
        shows: line({ holds: false, checked: false }),
        says: ["not checked", "stopped: it took too long"],
        lacks: ["violated", "red now"],
        has: ['[data-state="open"]'],
      },
      {
        name: "never run",
        shows: line({ holds: false, checked: false, checkedAt: undefined, strip: ["none", "none"] }),
        says: ["never run", "last 24 hours: nobody checked"],
        lacks: ["never red"],
      },
    ],
  },
  {
    name: "InvariantsView",
    states: [
      {
        name: "never checked",
        shows: page({ rows: [{ ...held, holds: false, checked: false, checkedAt: undefined }] }),
        says: ["effects", "0 of 1 hold", "Check now"],
        lacks: ["Violated"],
      },
      {
        name: "never seen red, said once for all",
        shows: page({
          checkedAt: held.checkedAt,
          rows: [held, { ...held, name: "newer", firstCheckedAt: "2026-11-22T14:10:00Z" }],
        }),
        says: ["None was seen red since 22 Nov, 14:10.", "12 ms"],
        lacks: ["1 min ago, 12 ms", "red last"],
      },
      {
        name: "one of them was red before",
        shows: page({ rows: [held, { ...held, name: "was", lastViolatedAt: "2026-11-20T10:00:00Z" }] }),
        says: ["Unless said beside it, none was seen red since 22 Nov, 13:10.", "red last 20 Nov, 10:00"],
      },
      {
        name: "a violated one comes first",
        shows: page({ checkedAt: SAMPLE_NOW, rows: [held, { ...held, ...red, name: "red", label: "Red" }] }),
        says: ["Violated", "1 of 1 hold"],
        has: ['section:first-of-type [data-state="violated"]'],
      },
      {
        name: "this person may not check",
        shows: page({ checkNot: "Needs operator." }),
        says: ["Needs operator."],
        off: ["Check now"],
      },
    ],
  },
];
