import { answerText, type Answered, type IncidentScript } from "./scene";

const PAYMENTS = 12;
const CLIENTS = ["till-web", "partner-lumen", "billing-cron"] as const;
/** The first went out before the provider was gone: it has the effect. */
const ACCEPTED = 7;

/** The provider goes away in the middle of a dozen payments: some reached it, some did not, none was answered. */
export const providerOutage: IncidentScript = async (scene) => {
  const reached = `acc_outage_${scene.run}_a`;
  const unreached = `acc_outage_${scene.run}_b`;
  await scene.provider(reached, { timeout_after_accept: 1, lookup_down: 1, no_webhook: 1 });
  await scene.provider(unreached, { down: 1 });
  scene.say(`${String(PAYMENTS)} payments are on their way when the provider goes away.`);
  const answers = await Promise.all(
    Array.from({ length: PAYMENTS }, (_, index) =>
      scene.pay(CLIENTS[index % CLIENTS.length] ?? CLIENTS[0], {
        key: `outage-${scene.run}-${String(index + 1)}`,
        account: index < ACCEPTED ? reached : unreached,
        amount: `${String(90 + index * 37)}.25`,
        reference: `invoice-${scene.run}-${String(index + 1)}`,
      }),
    ),
  );
  for (const [what, count] of counted(answers)) scene.say(`  ${String(count)} callers are told ${what}`);
  scene.say(`Look at ${scene.link("/attention")}`);
  scene.say(`The provider stays away for ${String(scene.seconds)} s. Then plan to reconcile them all.`);
  await scene.rest(scene.seconds);
  await scene.provider(reached);
  await scene.provider(unreached);
  scene.say("The provider is back.");
};

function counted(answers: readonly Answered[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answerText(answer), (counts.get(answerText(answer)) ?? 0) + 1);
  return counts;
}
