import { describe, expect, it } from "vitest";
import { isCommonPassword } from "./common-password";

describe("ACCESS-12 common passwords", () => {
  it.each(["password", "12345678", "qwertyuiop", "PassWord", "superman"])("%s is one", async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(["correct horse battery", "passworD of the till", "", "__proto__"])("%j is none", async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });
});
