import { listed } from "../config-values";

/** A host, or a host and its port. */
const HOST = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;
const MAX_HOSTS = 100;

/** ATTACH_HOSTS: hosts whose databases may be attached, `host` or `host:port`, separated by commas. */
export const attachedHosts = listed
  .refine((entries) => entries.every((entry) => HOST.test(entry)), "must be a list of hosts such as orders-db:5432")
  .refine((entries) => entries.length <= MAX_HOSTS, `must have at most ${String(MAX_HOSTS)} entries`);
