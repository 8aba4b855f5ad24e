import { insertAccount } from "./db/accounts";
import { AppError, type LocalOperation, refusalSettlement } from "@/engine/index";
import { API_VERSION, SCHEMA_VERSION, type CreateAccountCommand } from "./commands";
import { madeResource, represent } from "./settlements";
import { accountView } from "./views";

/** Opens an account: the local path, one transaction. */
export const createAccount: LocalOperation<CreateAccountCommand> = {
  name: "accounts.create",
  path: "local",
  apiVersion: API_VERSION,
  schemaVersion: SCHEMA_VERSION,
  policy: {},
  represent,
  // Without an address the command is what it was before there were any.
  fields: ({ accountId, currency, email }) => ({ accountId, currency, ...(email !== undefined && { email }) }),
  describe: ({ accountId, currency }) => ({ accountId, currency }),
  async run(ctx, tx, { operationId }, { accountId, currency, email }) {
    const account = await insertAccount(tx, { tenantId: ctx.tenantId, id: accountId, operationId, currency, email });
    if (account === undefined) {
      return refusalSettlement(operationId, new AppError("account.exists", 409, "This account exists already"));
    }
    const resource = { type: "account", id: account.id };
    return madeResource(ctx, operationId, { event: "account.opened", resource, view: accountView(account) });
  },
};
