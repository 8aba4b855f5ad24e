import { z } from "zod";
import { hasProtocol, listed } from "./config-values";

const REGION = /^[a-z0-9-]{1,32}$/;
const MOST_PEERS = 50;

/** Where a deployment stands, and where others do. */
export const regionSettings = {
  /** A tenant whose home is elsewhere is forwarded there, or refused where REGION_PEERS does not name it. */
  region: z.string().regex(REGION, "must be 1 to 32 lower-case letters, digits or dashes").default("local"),
  /** Other regions and the addresses of their API, `eu-west=https://eu.example.com`, separated by commas. A base path is part of an address. */
  regionPeers: listed
    .default([])
    .refine((entries) => entries.length <= MOST_PEERS, `must have at most ${String(MOST_PEERS)} entries`)
    .refine((entries) => entries.every(isPeer), "must be a list of region=https://address")
    .transform((entries) => new Map(entries.map(peerOf))),
};

function peerOf(entry: string): readonly [string, string] {
  const at = entry.indexOf("=");
  return [entry.slice(0, at), entry.slice(at + 1).replace(/\/+$/, "")];
}

function isPeer(entry: string): boolean {
  const [name, address] = peerOf(entry);
  if (!REGION.test(name) || !hasProtocol(address, ["http:", "https:"])) return false;
  const { username, password, search, hash } = new URL(address);
  return username + password + search + hash === "";
}
