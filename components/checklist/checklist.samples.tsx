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
        says: ["true", "12 routes ask for one.", "Look: 12 routes ask for one."],
        lacks: ["not true"],
        has: ['[data-verdict="holds"]', 'a[href="/policies"]'],
      },
      {
        name: "not true, with what is wrong",
        shows: list(
          "fails",
          { verdict: "fails", text: "2 were lost.", samples: [{ id: "", href: "/audit" }] },
          { verdict: "note", text: "Seen once." },
        ),
        says: ["not true", "the head of the chain"],
        has: ['[data-verdict="fails"] svg'],
        hasNot: ['[data-verdict="note"] svg', 'a[aria-label^="Look"]'],
      },
      {
        name: "nobody can tell yet",
        shows: list("cannot_tell", { verdict: "cannot_tell", text: "No traffic." }),
        says: ["not to be told yet"],
      },
    ],
  },
];
