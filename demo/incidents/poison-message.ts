import { answerText, type IncidentScript } from "./scene";

const PAYMENTS = 4;

/** The provider signs webhooks that no consumer can read: the inbox tries, gives up, and everything else goes on. */
export const poisonMessage: IncidentScript = async (scene) => {
  const account = `acc_poison_${scene.run}`;
  await scene.provider(account, { garbage_webhook: 1 });
  for (let index = 1; index <= PAYMENTS; index += 1) {
    const answer = await scene.pay("billing-cron", {
      key: `poison-${scene.run}-${String(index)}`,
      account,
      amount: `${String(index * 11)}.40`,
      reference: `subscription-${scene.run}-${String(index)}`,
    });
    scene.say(`billing-cron pays: ${answerText(answer)}; the provider's webhook about it cannot be read.`);
  }
  await scene.provider(account);
  scene.say(`They are tried again with growing pauses and then given up. Look at ${scene.link("/dead-letters")}`);
};
