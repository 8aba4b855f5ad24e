import { describe, expect, it } from "vitest";
import { kafkaAddress } from "./kafka-url";

describe("KAFKA_URL", () => {
  it.each([
    ["kafka://k1", { brokers: [{ host: "k1", port: 9092 }], tls: false }],
    [
      "kafkas://ada:p%40ss@k1:9093?sasl=SCRAM-SHA-512, kafkas://k2:9094",
      {
        brokers: [
          { host: "k1", port: 9093 },
          { host: "k2", port: 9094 },
        ],
        tls: true,
        user: { name: "ada", password: "p@ss", mechanism: "scram-sha-512" },
      },
    ],
    [
      "kafka://ada:secret@k1",
      {
        brokers: [{ host: "k1", port: 9092 }],
        tls: false,
        user: { name: "ada", password: "secret", mechanism: "plain" },
      },
    ],
    ["kafkas://:a.b.c@k1", { brokers: [{ host: "k1", port: 9092 }], tls: true, token: "a.b.c" }],
  ])("%s", (text, parts) => {
    expect(kafkaAddress(text)).toEqual(parts);
  });

  it.each([
    "k1:9092",
    "http://k1:9092",
    "kafka://",
    "kafka://k1:99999",
    "kafka://k1,",
    "kafka://a:%E0@k1",
    "kafka://a:b@k1?sasl=md5",
  ])("%s is refused with a sentence that holds nothing of it", (text) => {
    const { problem } = kafkaAddress(text) as { readonly problem?: string };
    expect(problem).toMatch(/^(must|has) /);
    expect(problem).not.toContain("%E0");
  });
});
