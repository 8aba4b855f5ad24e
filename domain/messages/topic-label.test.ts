import { expect, it } from "vitest";
import { atStart } from "./topic-label";

it("a sentence begins with a capital where its place is described, and with its name where it has one", () => {
  expect(atStart("webhook to shop.example/hooks")).toBe("Webhook to shop.example/hooks");
  expect(atStart("payments")).toBe("payments");
});
