import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { boundedCounter, boundedHistogram, MOST_LABEL_VALUES, OTHER_VALUE } from "./bounded-labels";

const MANY = 5_000;

describe("METRIC-3 the series of a metric have an end", () => {
  it("counts what is one value too many under one name, and loses nothing", async () => {
    const counter = boundedCounter({ name: "a_total", help: "a", labelNames: ["operation"], registers: [] });
    for (let n = 0; n < MANY; n += 1) counter.inc({ operation: `invented.${String(n)}` });
    counter.inc({ operation: "invented.0" }, 2);
    counter.inc({ operation: "x".repeat(101) });
    const { values } = await counter.get();
    expect(values).toHaveLength(MOST_LABEL_VALUES + 1);
    const of = (name: string) => values.find(({ labels }) => labels.operation === name)?.value;
    expect([of("invented.0"), of(OTHER_VALUE)]).toEqual([3, MANY - MOST_LABEL_VALUES + 1]);
  });

  it("measures likewise, and goes without labels where there are none", async () => {
    const registers = [new Registry()];
    const labelled = boundedHistogram({ name: "b", help: "b", labelNames: ["name"], buckets: [1], registers });
    for (let n = 0; n < MANY; n += 1) labelled.observe({ name: String(n) }, 0.5);
    const counts = (await labelled.get()).values.filter(({ metricName }) => metricName === "b_count");
    expect(counts).toHaveLength(MOST_LABEL_VALUES + 1);
    const plain = boundedHistogram({ name: "c", help: "c", buckets: [1], registers });
    plain.observe(0.5);
    const counter = boundedCounter({ name: "d_total", help: "d", registers });
    counter.inc();
    counter.inc(2);
    expect((await counter.get()).values).toMatchObject([{ value: 3 }]);
    expect(await registers[0]?.metrics()).toContain("c_count 1");
  });
});
