import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, SAMPLE_NOW, type Part } from "@/components/parts/part";
import type { ConsumerView as Consumer, TopicView as Topic } from "@/presentation/views/place-pages";
import { ConsumerView } from "./consumer-view";
import { sampleInbox, sampleOutbox, samplePlace } from "./message-samples";
import { samplePlaceChart, sampleTopic } from "./places.samples";
import { TopicView } from "./topic-view";

const REFUSED = "You need the role operator.";
const ADDRESS = { path: "/topics/payments", search: {} };
const paused = { at: "2026-11-22T14:00:00.000000Z", by: "Ada", reason: "maintenance" };
const topic = (changes: Partial<Topic> = {}) => inLive(<TopicView topic={sampleTopic(changes)} address={ADDRESS} />);
const consumer = (changes: Partial<Consumer> = {}) =>
  inLive(
    <ConsumerView
      address={{ path: "/consumers/ledger", search: {} }}
      whyNot={REFUSED}
      consumer={{
        at: SAMPLE_NOW,
        row: samplePlace({ side: "inbox", place: "ledger", label: "ledger", waiting: 3 }),
        verdict: { text: "", clauses: [] },
        chart: samplePlaceChart(),
        errors: [],
        waiting: [],
        types: [],
        lookedAt: 1_000,
        ...changes,
      }}
    />,
  );

export const placePageParts: readonly Part[] = [
  {
    name: "TopicView",
    states: [
      {
        name: "as the deployment says",
        shows: topic(),
        says: ["http, by default", "the default", "Default", "Nothing waits."],
        lacks: ["Paused by", "Resume", "Version", "Not offered"],
        has: ['a[href*="dialog=pause"]', 'a[href*="dialog=route"]'],
      },
      {
        name: "paused, on a way of its own, this person may not",
        shows: topic({
          row: samplePlace({ paused }),
          route: {
            ...sampleTopic().route,
            chosen: "nats",
            transport: "nats",
            destination: "events.out",
            version: 2,
            updatedAt: paused.at,
            updatedBy: "Ada",
          },
          actions: {
            pause: sampleAction("pause", "Pause", REFUSED),
            resume: { action: "resume", label: "Resume", allowed: false },
            route: sampleAction("route", "Change route", REFUSED),
          },
        }),
        says: [
          "Paused by Ada at",
          ": maintenance",
          "events.out",
          "Version2",
          `Not offered: ${REFUSED}`,
          "Not offered now.",
        ],
        lacks: ["by default", "Default"],
        off: ["Change route", "Resume"],
      },
      {
        name: "with what waits",
        shows: topic({ row: samplePlace({ waiting: 1 }), waiting: [sampleOutbox()] }),
        says: ["the oldest 1 of 1"],
        has: [`a[href="/outbox/${SAMPLE_ID}"]`],
      },
    ],
  },
  {
    name: "ConsumerView",
    states: [
      {
        name: "nothing came",
        shows: consumer(),
        says: ["None among these.", "Nothing waits.", "among the newest 1,000 arrivals", "Waiting3"],
        hasNot: ['table[aria-label="Arrivals of this consumer"]'],
      },
      {
        name: "two types, and a dead message that this person may not requeue",
        shows: consumer({
          waiting: [sampleInbox({ state: "dead" })],
          types: ["payment.succeeded", "payment.failed"].map((type) => ({
            type,
            source: "shop-bus",
            count: 4,
            duplicates: 2,
            mismatches: 0,
            superseded: 1,
            ignored: 0,
            lastAt: SAMPLE_NOW,
          })),
        }),
        says: ["payment.failed from shop-bus", "Duplicates4", "Superseded2", "Ignored0"],
        lacks: ["None among these.", "Everything that came"],
        off: ["Requeue"],
      },
    ],
  },
];
