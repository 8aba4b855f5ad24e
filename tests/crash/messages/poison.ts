import { SIDES } from "@/domain/messages/side";
import { unlessLost } from "../children";
import { judge, problemOf, type Say, type PartResult } from "../judge";
import { openSession, type CrashSession, type Spares } from "../session";
import { openCrashEnvironment } from "../environment";
import { expireMessageLeases, markDrained, countOpenMessages, makeTrouble, subscribe } from "./db-helpers";
import { writeHistory } from "./write";

const TENANT = "poison";
/** Messages of one batch, of which one ends the process that handles it. */
const INNOCENTS = 40;
const ROUNDS = 40;

/**
 * A message that ends its consumer's process every time: dead after its attempts, which are kept as lost, while the messages
 * of its batch are handled once and none of them dies with it.
 */
export async function runPoison(spares: Spares, say: Say): Promise<PartResult> {
  const place = await openCrashEnvironment();
  const session = await openSession(place, spares);
  const { pool } = place.db;
  try {
    await pool.query({ text: "insert into onceboard.tenants (id, name) values ($1, $1)", values: [TENANT] });
    await subscribe(place);
    const { direct } = await session.inbox();
    await writeHistory({ session, tenant: TENANT }, { payments: 0, refunds: 0, accounts: INNOCENTS + 1 });
    const poisonous = await makeTrouble(place, TENANT, "exits");
    await session.rescuer.ask({ do: "relay", tenant: TENANT, inbox: direct, what: "all" });
    const ended = await consumeToTheEnd(session);
    await markDrained(place, TENANT);
    const found = await judge(pool, TENANT, []);
    const { rows } = await pool.query<{ code: string; lost: number }>({
      text: `select d.error_code as code, (select count(*)::integer from onceboard.message_attempts a
               where a.tenant_id = $1 and a.message_row_id = i.id and a.outcome = 'lost') as lost
             from onceboard.inbox_messages i join onceboard.dead_letters d on d.tenant_id = $1 and d.message_row_id = i.id
             where i.tenant_id = $1 and i.message_id = $2 and i.consumer = 'witness' and i.state = 'dead'`,
      values: [TENANT, poisonous],
    });
    const [dead] = rows;
    const innocents = await pool.query<{ most: number }>({
      text: `select coalesce(max(n), 0)::integer as most from (
               select count(*) as n from onceboard.message_attempts a join onceboard.inbox_messages i
                 on i.tenant_id = $1 and i.id = a.message_row_id and not (i.consumer = 'witness' and i.message_id = $2)
               where a.tenant_id = $1 group by i.id) attempts`,
      values: [TENANT, poisonous],
    });
    const most = innocents.rows[0]?.most ?? 0;
    const problems = found.map(problemOf);
    if (dead?.code !== "inbox.poisonous" || dead.lost < SIDES.inbox.maxAttempts) {
      problems.push(`the poisonous message is ${JSON.stringify(dead ?? "not dead")}`);
    }
    for (const problem of problems) say(`FAIL a poisonous message: ${problem}`);
    say(
      `a poisonous message: ended ${String(ended)} processes, dead with ${String(dead?.lost ?? 0)} lost attempts, ${String(INNOCENTS)} others of its batch handled once, none of which lost more than ${String(most)} attempts`,
    );
    return problems.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  } finally {
    await session.close();
    await place.close();
  }
}

/** @returns how many processes it took */
async function consumeToTheEnd(session: CrashSession): Promise<number> {
  let ended = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child } = await session.victim();
    const done = await child.ask({ do: "consume", tenant: TENANT }).catch(unlessLost);
    if (done === undefined) ended += 1;
    await expireMessageLeases(session.place, TENANT);
    if ((await countOpenMessages(session.place, TENANT, "all")) === 0) break;
  }
  return ended;
}
