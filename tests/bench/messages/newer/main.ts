import type { OpenContender } from "../contender";
import { NEWER_PROGRAMS } from "./programs";
import type { ContenderCall, ContenderQuestion, ContenderReply } from "./protocol";

/** The process of a contender that needs a newer Node.js than this project runs on. */
let opened: Omit<OpenContender, "processorTime"> | undefined;

process.on("message", (question: ContenderQuestion) => void answer(question));
// Without the bench it has nothing to do.
process.on("disconnect", () => process.exit(0));

async function answer({ id, asked }: ContenderQuestion): Promise<void> {
  const reply = await carryOut(asked).then(
    (value): ContenderReply => ({ id, value }),
    (error: unknown): ContenderReply => ({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  process.send?.(reply, undefined, undefined, () => undefined);
}

async function carryOut(asked: ContenderCall): Promise<number> {
  if (asked.do === "processor time") {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  if (asked.do === "open") {
    const program = NEWER_PROGRAMS[asked.program];
    if (program === undefined) throw new Error(`there is no program ${asked.program}`);
    opened = await program(asked.url, asked.work);
    return 0;
  }
  if (opened === undefined) throw new Error("nothing is open");
  if (asked.do === "send") await opened.send(asked.ids);
  else if (asked.do === "close") await opened.close();
  else return opened.finishSome(asked.lane);
  return 0;
}
