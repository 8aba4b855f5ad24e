import { messageMap } from "@/attach/mapped-messages/message-map";
import { pythonProgram } from "../languages";
import { testLibrary } from "../test-library";

testLibrary({
  ...pythonProgram(import.meta.dirname),
  library: "jaiminho 2.2",
  // No preset knows it, and what it sends stands in pickles: its owner maps it.
  preset: {
    table: "public.jaiminho_event",
    messages: messageMap.parse({
      kind: "outbox",
      id: "id",
      order_key: "stream",
      created_at: "created_at",
      sent_at: "sent_at",
      payload: "message",
    }),
  },
  made: ["outgoing sent", "outgoing waiting"],
  bad: "update jaiminho_event set created_at = 'infinity', sent_at = '-infinity', stream = '', message = decode('00ff', 'hex')",
  update: "update jaiminho_event set sent_at = now()",
});
