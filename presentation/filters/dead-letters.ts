import type { DeadLetterScope } from "@/domain/lists/filters";

const GROUP_KEY = /^(outbox|inbox)\.([^~]{1,200})~(.{1,200})$/;

/** One group in an address: `outbox.<fingerprint>~<place>`. */
export function groupKey(group: Required<Pick<DeadLetterScope, "side" | "place" | "fingerprint">>): string {
  return `${group.side ?? ""}.${group.fingerprint ?? ""}~${group.place ?? ""}`;
}

/** @returns the group that a key of {@link groupKey} names; undefined for anything else. */
export function groupOfKey(key: string | undefined): DeadLetterScope | undefined {
  const [, side, fingerprint, place] = GROUP_KEY.exec(key ?? "") ?? [];
  return side === undefined ? undefined : { side: side as "outbox" | "inbox", fingerprint, place };
}
