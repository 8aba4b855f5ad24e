import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../client";
import { ensureLogin, loginOf } from "./process-login";
import { readiness } from "../readiness";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

const PASSWORD = "a-password-of-a-test";
const made: string[] = [];
let test: TestDatabase;
let admin: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  admin = createDatabase({ url: test.ownerUrl, max: 1, role: "owner" });
});
afterAll(async () => {
  for (const name of made) await admin.pool.query({ text: `drop owned by ${name}; drop role ${name}` });
  await admin.close();
  await test.drop();
});

const fresh = (): string => `login_${randomBytes(4).toString("hex")}`;
/** @param rights of `create role` */
async function roleWith(rights: string): Promise<string> {
  const name = fresh();
  await admin.pool.query({ text: `create role ${name} ${rights}` });
  made.push(name);
  return name;
}
const addressOf = (name: string, password = PASSWORD): string => {
  const url = new URL(test.ownerUrl);
  [url.username, url.password] = [name, password];
  return url.href;
};

describe("RUN-9 the login that migrate makes", () => {
  it("is in the app's role, owns nothing, and gets a new password when it is made again", async () => {
    const name = fresh();
    made.push(name);
    await ensureLogin(test.ownerUrl, loginOf(addressOf(name)));
    await ensureLogin(test.ownerUrl, loginOf(addressOf(name, `${PASSWORD}-2`)));
    const db = createDatabase({ url: addressOf(name, `${PASSWORD}-2`), max: 1 });
    expect(await readiness(db.pool)).toMatchObject({ migrations: true, guard: true, owner: false });
    await db.close();
  });

  it.each(["login superuser", "login createdb", "login in role onceboard_service"])(
    "leaves a role alone that is more: %s",
    async (rights) => {
      const name = await roleWith(rights);
      await expect(ensureLogin(test.ownerUrl, { name, password: PASSWORD })).rejects.toThrow(
        `The login ${name} may do more than onceboard_app`,
      );
    },
  );

  it("leaves the owner of tables alone", async () => {
    const name = await roleWith("login");
    await admin.pool.query({
      text: `create schema of_${name} authorization ${name}; create table of_${name}.t (); alter table of_${name}.t owner to ${name}`,
    });
    await expect(ensureLogin(test.ownerUrl, { name, password: PASSWORD })).rejects.toThrow("may do more");
  });

  it("says what an administrator does where the user may make no roles", async () => {
    const owner = await roleWith(`login password '${PASSWORD}'`);
    await expect(ensureLogin(addressOf(owner), { name: fresh(), password: PASSWORD })).rejects.toThrow(
      /^This user may not make the login login_\w+: an administrator runs/,
    );
  });

  it.each([
    ["postgres://Quoted-Name:a-password-of-a-test@h/d", "its name"],
    ["postgres://app:short@h/d", "its password"],
    ["postgres://app:with'a'quote-and-more@h/d", "its password"],
  ])("refuses %s without showing it", (url, says) => {
    const attempt = (): unknown => loginOf(url);
    expect(attempt).toThrow(says);
    expect(attempt).not.toThrow(/short|quote/);
  });
});
