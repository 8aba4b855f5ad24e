import { insertAccount } from "@/db/payments/accounts";
import { AppError } from "@/domain/errors";
import type { LocalOperation } from "@/engine/execute/operation";
import { API_VERSION, SCHEMA_VERSION, type CreateAccountCommand } from "./commands";
import { outboxMessage } from "./publish";
import { represent } from "./represent";
import { bindingRefusal, madeResource } from "./settlements";
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
  describe: (command) => ({ accountId: command.accountId, currency: command.currency }),
  async run(ctx, tx, claim, command) {
    const { operationId } = claim;
    const account = await insertAccount(tx, {
      tenantId: ctx.tenantId,
      id: command.accountId,
      operationId,
      currency: command.currency,
      email: command.email,
    });
    if (account === undefined) {
      return bindingRefusal(operationId, new AppError("account.exists", 409, "This account exists already"));
    }
    const view = accountView(account);
    const message = outboxMessage(ctx, {
      type: "account.opened",
      operationId,
      aggregate: { type: "account", id: account.id },
      data: view,
    });
    const location = `/api/v1/accounts/${encodeURIComponent(account.id)}`;
    return madeResource(201, { type: "account", id: account.id }, location, view, message);
  },
};
