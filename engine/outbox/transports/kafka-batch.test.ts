import { describe, expect, it } from "vitest";
import { createKafkaBatch, KAFKA_BATCH, KAFKA_BATCH_BYTES, type KafkaRecord } from "./kafka-batch";

const record = (value: string, topic = "onceboard.events"): KafkaRecord => ({ topic, key: "k", value, headers: {} });

/** A broker that takes a request whenever the test says so. */
function open(refuses: (value: string) => boolean = () => false) {
  const requests: string[][] = [];
  const held: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const send = createKafkaBatch(
    async (records) => {
      requests.push(records.map(({ value }) => value.slice(0, 10)));
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => held.push(resolve));
      underWay -= 1;
      if (records.some(({ value }) => refuses(value))) throw new Error("refused");
    },
    (error) => error instanceof Error && error.message === "refused",
  );
  const answerAll = async (): Promise<void> => {
    for (let idle = 0; idle < 20; idle += 1) {
      const next = held.shift();
      if (next !== undefined) idle = 0;
      next?.();
      await Promise.resolve();
    }
  };
  return { requests, send, answerAll, most: () => most };
}

describe("records that are together go together", () => {
  it("one request at a time, a lone one at once, those of the same turn in one", async () => {
    const broker = open();
    const sent = ["a", "b", "c"].map((value) => broker.send(record(value)));
    await Promise.resolve();
    await Promise.resolve();
    expect(broker.requests).toEqual([["a", "b", "c"]]);
    const later = broker.send(record("d"));
    await broker.answerAll();
    await Promise.all([...sent, later]);
    expect(broker.requests).toEqual([["a", "b", "c"], ["d"]]);
    expect(broker.most()).toBe(1);
  });

  it("no more than a request may hold, by number and by bytes, and of one topic", async () => {
    const broker = open();
    const many = Array.from({ length: KAFKA_BATCH + 1 }, (_, at) => broker.send(record(String(at))));
    const large = ["x", "y"].map((value) => broker.send(record(value.repeat(KAFKA_BATCH_BYTES))));
    const elsewhere = broker.send(record("z", "billing"));
    await broker.answerAll();
    await Promise.all([...many, ...large, elsewhere]);
    expect(broker.requests.map((values) => values.length)).toEqual([KAFKA_BATCH, 1, 1, 1, 1]);
  });

  it("one that the broker refuses fails alone, and each is sent at most twice", async () => {
    const broker = open((value) => value === "poison");
    const sent = ["a", "poison", "b"].map((value) => broker.send(record(value)));
    const ends = Promise.allSettled(sent);
    await broker.answerAll();
    expect((await ends).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(broker.requests).toEqual([["a", "poison", "b"], ["a"], ["poison"], ["b"]]);
  });
});
