import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { ChecklistCheck, ChecklistRow } from "@/presentation/views/checklist";
import { ChecklistView } from "./checklist-view";

const list = (verdict: ChecklistRow["verdict"], ...checks: readonly ChecklistCheck[]) => (
  <ChecklistView
    view={{
      at: SAMPLE_NOW,
      hours: 24,
      verdict: [{ text: "One line.", tone: "fine" }],
      rows: [{ id: "keys", line: "Every write takes a key.", verdict, checks }],
    }}
  />
);

export const checklistParts: readonly Part[] = [
  {
    name: "ChecklistView",
    states: [
      {
        name: "true",
        shows: list("holds", { verdict: "holds", text: "12 routes ask for one.", href: "/policies" }),
        says: ["passes", "12 routes ask for one.", "View: 12 routes ask for one."],
        lacks: ["fails"],
        has: ['[data-verdict="holds"]', 'a[href="/policies"]'],
      },
      {
        name: "fails, with what is wrong",
        shows: list(
          "fails",
          { verdict: "fails", text: "2 were lost.", samples: [{ id: "", href: "/audit" }] },
          { verdict: "note", text: "Seen once." },
        ),
        says: ["fails", "the head of the chain"],
        has: ['[data-verdict="fails"] svg'],
        hasNot: ['[data-verdict="note"] svg', 'a[aria-label^="View"]'],
      },
      {
        name: "nobody can tell yet",
        shows: list("cannot_tell", { verdict: "cannot_tell", text: "No traffic." }),
        says: ["not known yet"],
      },
    ],
  },
];
