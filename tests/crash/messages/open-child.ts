import type { CrashChild } from "../children";
import type { CrashEnvironment } from "../environment";

/** Gives a process of the campaign its place: straight to the database, under its own name. */
export async function openChild(
  place: CrashEnvironment,
  child: CrashChild,
  {
    instance,
    providerUrl,
    messageLeaseMs,
  }: {
    readonly instance: string;
    readonly providerUrl: string;
    readonly messageLeaseMs: number;
  },
): Promise<void> {
  const { url, encryptionKeys, secret, dataDir } = place;
  await child.ask({
    do: "open",
    place: {
      databaseUrl: url,
      providerUrl,
      encryptionKeys,
      secret,
      dataDir,
      instance,
      messageLeaseMs,
      bug: undefined,
    },
  });
}
