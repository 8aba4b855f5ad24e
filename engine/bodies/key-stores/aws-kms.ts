import { KeyStoreUnavailableError, type KeyStore } from "../key-store";
import {
  aliasesOf,
  describeKey,
  destroyKey,
  errorName,
  isMissing,
  makeKey,
  openAwsKms,
  unwrapBy,
  wrapUnder,
  type AwsKms,
} from "./aws-kms-keys";
import { askKeyService, dayOfName, periodName, tenantHash } from "./managed";

const STORE = "store";

/**
 * A key of AWS KMS for each period, found by its alias `alias/NAME/HASH-DAY`. Credentials, region and endpoint are what the client's own
 * environment says (AWS_REGION, AWS_ENDPOINT_URL_KMS, …). A key is destroyed by scheduling its deletion: from then on AWS opens nothing by
 * it, and deletes it 7 days later; until then somebody with the right to may take the deletion back.
 *
 * @param name of KEY_STORE_NAME, letters, digits, `-`, `_` and `/`
 */
export function createAwsKeyStore(name: string): KeyStore {
  const aliasOf = (key: string): string => `alias/${name}/${key}`;
  let opened: Promise<AwsKms> | undefined;
  let known: string | undefined;

  const ask = <T>(what: (line: AwsKms) => Promise<T>): Promise<T> =>
    askKeyService("AWS KMS", async () => what(await (opened ??= openAwsKms())), errorName);

  async function storeId(line: AwsKms): Promise<string | undefined> {
    try {
      return (await describeKey(line, aliasOf(STORE)))?.KeyId;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    kind: "aws-kms",
    prepare: () =>
      ask(async (line) => {
        if ((await storeId(line)) === undefined) await makeKey(line, aliasOf(STORE));
      }),
    async id() {
      known ??= await ask(storeId);
      if (known === undefined) throw new KeyStoreUnavailableError(`AWS KMS has no ${aliasOf(STORE)}: migrate`);
      return `aws-kms:${known}`;
    },
    wrap: (period, plain) => ask((line) => wrapUnder(line, aliasOf(periodName(period)), period, plain)),
    unwrap: (period, wrapped) => ask((line) => unwrapBy(line, period, wrapped)),
    async destroy(tenantId, days) {
      for (const day of days) await ask((line) => destroyKey(line, aliasOf(periodName({ tenantId, day }))));
    },
    daysBefore: (tenantId, before, limit) =>
      ask(async (line) => {
        const found: string[] = [];
        const prefix = aliasOf("");
        for (const alias of await aliasesOf(line, `${prefix}${tenantHash(tenantId)}`)) {
          const day = dayOfName(alias.slice(prefix.length), tenantId);
          if (day === undefined || day >= before || found.length === limit) continue;
          const made = (await describeKey(line, alias))?.CreationDate?.getTime() ?? Infinity;
          if (made < Date.parse(before)) found.push(day);
        }
        return found;
      }),
    async close() {
      const line = await opened?.catch(() => undefined);
      line?.client.destroy();
    },
  };
}
