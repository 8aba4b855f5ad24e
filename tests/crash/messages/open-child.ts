import type { Child } from "../children";
import type { CrashPlace } from "../place";

/** Gives a process of the campaign its place: straight to the database, under its own name. */
export async function openChild(
  place: CrashPlace,
  child: Child,
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
