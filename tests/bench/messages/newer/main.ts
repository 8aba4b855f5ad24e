import type { OpenContender } from "../contender";
import { PROGRAMS } from "./programs";
import type { Asked, Question, Reply } from "./protocol";

/** The process of a contender that needs a newer Node.js than this project runs on. */
let opened: Omit<OpenContender, "processorTime"> | undefined;

process.on("message", (question: Question) => void answer(question));
// Without the bench it has nothing to do.
process.on("disconnect", () => process.exit(0));

async function answer({ id, asked }: Question): Promise<void> {
  const reply = await carryOut(asked).then(
    (value): Reply => ({ id, value }),
    (error: unknown): Reply => ({
      id,
      failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  process.send?.(reply, undefined, undefined, () => undefined);
}

async function carryOut(asked: Asked): Promise<number> {
  if (asked.do === "processor time") {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  if (asked.do === "open") {
    const program = PROGRAMS[asked.program];
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
