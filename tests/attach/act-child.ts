import { actOnAttached } from "@/console/attachments/act-on-attached";
import { openActor, type ActProcess } from "./act-world";

/** One act in a process of its own, which the test kills. */
const { attachment, row, key, ...rest } = JSON.parse(process.env["ACT"] ?? "{}") as ActProcess &
  Readonly<Record<"attachment" | "row" | "key", string>>;
const actor = openActor(rest);
const origin = { idempotencyKey: key, receivedAt: performance.now(), reason: "a test" };
await actOnAttached(actor.context(), origin, attachment, { act: "requeue", row });
await actor.close();
