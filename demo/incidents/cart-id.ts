import { answerText, type IncidentScript } from "./scene";

/** What was in the cart each time somebody pressed pay. */
const CARTS = [
  { first: "48.00", then: ["148.00", "48.00", "96.50"] },
  { first: "120.00", then: ["12.00", "120.00"] },
  { first: "19.90", then: ["29.90"] },
] as const;

/** A till uses the id of the cart as its key: the cart changes, the key does not. */
export const cartId: IncidentScript = async (scene) => {
  const account = `acc_cart_${scene.run}`;
  await scene.provider(account);
  let conflicts = 0;
  for (const [index, { first, then }] of CARTS.entries()) {
    const cart = `cart-${scene.run}-${String(index + 1)}`;
    for (const amount of [first, ...then]) {
      const payment = { key: cart, account, amount, reference: `order-${cart}`, channel: "kiosk" };
      const answer = await scene.pay("till-web", payment);
      if (answer.code === "idempotency.payload_mismatch") conflicts += 1;
      scene.say(`till-web pays €${amount} under the key ${cart}: ${answerText(answer)}`);
    }
  }
  scene.say(`${String(conflicts)} requests were refused because their key stood for another command.`);
  scene.say(`Look at ${scene.link("/conflicts?client=till-web")}`);
};
