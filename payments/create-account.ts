import { sealEmail } from "./account-email";
import { insertAccount } from "./db/accounts";
import { AppError, type LocalOperation, refusalSettlement } from "@/engine/index";
import { PLAIN_CONTRACT, type CreateAccountCommand } from "./commands";
import { madeResource, represent } from "./settlements";
import { accountView } from "./views";

/** Opens an account: the local path, one transaction. */
export const createAccount: LocalOperation<CreateAccountCommand> = {
  name: "accounts.create",
  path: "local",
  ...PLAIN_CONTRACT,
  policy: {},
  sharesTransaction: true,
  represent,
  // Without an address the command is what it was before there were any.
  fields: ({ accountId, currency, email }) => ({ accountId, currency, ...(email !== undefined && { email }) }),
  describe: ({ accountId, currency }) => ({ accountId, currency }),
  async run(ctx, tx, claim, { accountId, currency, email }) {
    const { operationId } = claim;
    const { tenantId } = ctx;
    const emailSealed = email === undefined ? undefined : await sealEmail(ctx, accountId, email);
    const account = await insertAccount(tx, { tenantId, id: accountId, operationId, currency, emailSealed });
    if (account === undefined) {
      return refusalSettlement(operationId, new AppError("account.exists", 409, "This account exists already"));
    }
    const resource = { type: "account", id: account.id };
    return madeResource(ctx, claim, { event: "account.opened", resource, view: accountView(account) });
  },
};
