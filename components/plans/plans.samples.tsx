import type { Part } from "@/components/parts/part";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import { PlanProgress } from "./plan-progress";
import { Marks, rowsPerMark } from "./item-verdict-table";

export const planParts: readonly Part[] = [
  {
    name: "Marks",
    states: [
      {
        name: "a mark a row",
        shows: (
          <Marks
            most={3}
            parts={[
              { result: "succeeded", count: 2 },
              { result: "unknown", count: 1 },
            ]}
          />
        ),
        has: ['g:nth-child(2)[data-result="succeeded"]', 'g:nth-child(3)[data-result="unknown"]'],
        hasNot: ["g:nth-child(4)"],
      },
      {
        name: "many rows share their marks, and the few keep one",
        shows: (
          <>
            <Marks
              most={4_000}
              parts={[
                { result: "succeeded", count: 4_000 },
                { result: "failed", count: 1 },
                { result: "left", count: 0 },
              ]}
            />{" "}
            {rowsPerMark(4_000)}
          </>
        ),
        says: ["100"],
        has: ['g:nth-child(40)[data-result="succeeded"]', 'g:nth-child(41)[data-result="failed"]'],
        hasNot: ["g:nth-child(42)"],
      },
    ],
  },
  {
    name: "PlanProgress",
    states: [
      {
        name: "under way",
        shows: (
          <PlanProgress kind="requeue_dead_letters" ended={false} results={{ ...NO_RESULTS, done: 3, waiting: 5 }} />
        ),
        says: ["3 of 8 ended"],
        has: ['[role="progressbar"][aria-valuenow="3"][aria-valuemax="8"]'],
      },
      {
        name: "what was left alone is not in the bar",
        shows: <PlanProgress kind="requeue_dead_letters" ended results={{ ...NO_RESULTS, done: 3, left: 4 }} />,
        says: ["3 of 3 ended"],
      },
      {
        name: "in a cell",
        shows: (
          <PlanProgress
            small
            kind="requeue_dead_letters"
            ended={false}
            results={{ ...NO_RESULTS, done: 1, waiting: 1 }}
          />
        ),
        hasNot: ["p"],
        has: ["[data-small]"],
      },
    ],
  },
];
