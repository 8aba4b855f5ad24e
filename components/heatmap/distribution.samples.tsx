import type { Part } from "@/components/parts/part";
import { Distribution } from "./distribution";
import { sampleDistribution, HEAT_ADDRESS } from "./heatmap-facts.samples";

export const distributionParts: readonly Part[] = [
  {
    name: "Distribution",
    states: [
      {
        name: "first answers, some never came, the first half hour is a gap",
        shows: <Distribution view={sampleDistribution("first_answer", 48)} address={HEAT_ADDRESS} />,
        says: [
          "At least half of first answers took less than 200 ms, at least 95 % less than 800 ms.",
          "48 requests had no answer, most at 13:45 UTC: 48.",
          "No data for 6 of 72 columns.",
          "1.6 to 3.2 s",
          "over 3.2 s",
          "as a table",
        ],
        has: ['rect[data-shade="never"]', 'rect[data-shade="6"]', "svg[role='img']", 'a[href*="table=first-answer"]'],
        hasNot: ["table"],
      },
      {
        name: "the provider's limit lies among the bins",
        shows: <Distribution view={sampleDistribution("first_answer", 48, true, 1_000)} address={HEAT_ADDRESS} />,
        says: ["limit 1 s", "The line is the limit of the provider: this process waits 1 s for it at the most."],
      },
      {
        name: "the provider's limit lies beyond them",
        shows: <Distribution view={sampleDistribution("first_answer", 0, true, 10_000)} address={HEAT_ADDRESS} />,
        says: ["The limit of the provider lies in “over 3.2 s”: this process waits 10 s for it at the most."],
        lacks: ["limit 10 s", "The line"],
        hasNot: ["li[data-never]"],
      },
      {
        name: "retries",
        shows: <Distribution view={sampleDistribution("retry_delay")} address={HEAT_ADDRESS} />,
        says: ["under 100 ms", "over 2 h", "reused a key too fast"],
        lacks: ["no answer", "p95"],
        hasNot: ['[data-shade="never"]'],
      },
      {
        name: "as a table",
        shows: (
          <Distribution
            view={sampleDistribution("first_answer", 48)}
            address={{ ...HEAT_ADDRESS, search: { table: "first-answer" } }}
          />
        ),
        says: ["no answer", "as a chart", "no data"],
        has: ["table"],
        hasNot: ["svg"],
      },
      {
        name: "no bins are kept yet",
        shows: <Distribution view={sampleDistribution("first_answer", 0, false)} address={HEAT_ADDRESS} />,
        says: ["No minute of this time has a distribution yet."],
        lacks: ["At least", "25 % and more"],
        hasNot: ["svg"],
      },
    ],
  },
];
