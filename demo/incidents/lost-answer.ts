import { answerText, type IncidentScript } from "./scene";

const AMOUNT = "734.19";

/** The provider took the payment, its answer never came back, and for a while nobody can ask. */
export const lostAnswer: IncidentScript = async (scene) => {
  const account = `acc_lost_${scene.run}`;
  const payment = { key: `order-${scene.run}`, account, amount: AMOUNT, reference: `order-${scene.run}` };
  await scene.provider(account, { timeout_after_accept: 1, lookup_down: 1, no_webhook: 1 });
  scene.say(`till-web pays €${AMOUNT} under the key ${payment.key}; the provider takes it and does not answer.`);
  const first = await scene.pay("till-web", payment);
  scene.say(`  the caller is told ${answerText(first)} and retries:`);
  for (let retry = 0; retry < 2; retry += 1) scene.say(`  ${answerText(await scene.pay("till-web", payment))}`);
  scene.say(`Look at ${scene.link(`/operations/${first.operationId ?? ""}`)}`);
  scene.say(`For ${String(scene.seconds)} s the provider cannot be asked. Then press "Ask the provider now".`);
  await scene.rest(scene.seconds);
  await scene.provider(account);
  scene.say("The provider can be asked again.");
};
