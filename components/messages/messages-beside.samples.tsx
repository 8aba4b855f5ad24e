import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_ID, type Part } from "@/components/parts/part";
import type { MessageSide } from "@/domain/messages/side";
import type { OpenedMessage } from "./message-pane";
import { MessagesBeside } from "./message-pane";
import { sampleInbox, sampleOutbox } from "./message-samples";

const beside = (opened: OpenedMessage, side?: MessageSide) =>
  inLive(
    <MessagesBeside opened={opened} {...(side !== undefined && { side })}>
      <p>the list</p>
    </MessagesBeside>,
  );

export const messagesBesideParts: readonly Part[] = [
  {
    name: "MessagesBeside",
    states: [
      { name: "nothing is open", shows: beside(undefined, "outbox"), says: ["the list"], hasNot: ["aside"] },
      {
        name: "a dead message of the outbox",
        search: `open=${SAMPLE_ID}`,
        shows: beside(
          { name: SAMPLE_ID, value: sampleOutbox({ state: "dead", actions: [sampleAction("requeue", "Requeue")] }) },
          "outbox",
        ),
        says: ["Ordering key", "Close"],
        lacks: ["Next try", "Source"],
        has: ["aside", `a[href="/outbox/${SAMPLE_ID}"]`, 'a[href*="dialog=requeue%3A"]'],
      },
      {
        name: "a dead letter that may not be requeued",
        search: `row=outbox:${SAMPLE_ID}`,
        shows: beside({
          name: `outbox:${SAMPLE_ID}`,
          value: sampleOutbox({
            state: "dead",
            errorCode: "a.b",
            actions: [sampleAction("requeue", "Requeue", "Still leased.")],
          }),
        }),
        says: ["Still leased.", "Last errora.b"],
        off: ["Requeue"],
      },
      {
        name: "a dead letter that may",
        search: `row=outbox:${SAMPLE_ID}`,
        shows: beside({
          name: `outbox:${SAMPLE_ID}`,
          value: sampleOutbox({ state: "dead", actions: [sampleAction("requeue", "Requeue")] }),
        }),
        has: ['a[href*="dialog=outbox%3A"]'],
      },
      {
        name: "a message of the inbox that waits",
        search: `open=${SAMPLE_ID}`,
        shows: beside({ name: SAMPLE_ID, value: sampleInbox({ result: "applied" }) }, "inbox"),
        says: ["Sourceshop-bus", "Next trynow", "Resultapplied"],
        lacks: ["Ordering key", "Requeue"],
      },
      {
        name: "gone",
        search: `open=${SAMPLE_ID}`,
        shows: beside({ name: SAMPLE_ID, value: "gone" }, "inbox"),
        says: ["This message is not here."],
        lacks: ["Open page"],
      },
      {
        name: "the address names no side",
        search: `row=other:${SAMPLE_ID}`,
        shows: beside(undefined),
        hasNot: ["aside"],
      },
    ],
  },
];
