import type { CallResult } from "../oracles/recorder";
import type { CountCommand } from "./count-operation";
import type { Mode, OperationName, PointId } from "@/tests/crash/point";

/** Where a child works; it may move to another place between runs. */
export interface ChildPlace {
  readonly databaseUrl: string;
  readonly providerUrl: string;
  readonly encryptionKeys: string;
  readonly secret: string;
  /** Name on leases and in pg_stat_activity. */
  readonly instance: string;
  /** Where mails are files. */
  readonly dataDir: string;
  /** Leases of messages are no longer than this, in ms; as the product has them without it. */
  readonly messageLeaseMs?: number | undefined;
  /** Name of a planted bug in our code (tests/crash/bugs/catalogue.ts). */
  readonly bug?: string | undefined;
}

export interface Arming {
  readonly point: PointId;
  readonly mode: Mode;
  /** Whose connections `cut` resets; the peer is the inbox that a relay sends to. */
  readonly side: "database" | "provider" | "peer";
  /** At which time the point is reached; the first without it. */
  readonly nth?: number | undefined;
}

/** A command as the client would write it, all text. */
export interface Wish {
  readonly operation: OperationName;
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What a child is asked to do. */
export type Order =
  | { readonly do: "open"; readonly place: ChildPlace }
  | { readonly do: "arm"; readonly arming: Arming | undefined }
  | { readonly do: "call"; readonly tenant: string; readonly wish: Wish }
  /** Several callers at the same moment. */
  | { readonly do: "calls"; readonly tenant: string; readonly wishes: readonly Wish[] }
  | { readonly do: "recover" | "consume"; readonly tenant: string }
  /** Writes the answer events that wait in memory. */
  | { readonly do: "flush" }
  /** One tick to the inbox behind an origin; `events` leaves the mails, `mail` takes nothing else. */
  | { readonly do: "relay"; readonly tenant: string; readonly inbox: string; readonly what: "all" | "events" | "mail" }
  /** Serves the API, which takes events into the inbox. */
  | { readonly do: "listen"; readonly port?: number }
  /** Calls the suite's own operation until all calls are done. */
  | { readonly do: "produce"; readonly tenant: string; readonly commands: readonly CountCommand[] }
  /** Runs the loops of a worker until the process ends; `inbox` is the origin of the API that takes what goes over HTTP. */
  | {
      readonly do: "work";
      readonly role: "relay" | "consumer";
      readonly inbox: string;
      readonly natsUrl: string | undefined;
      readonly rabbitmqUrl: string | undefined;
    }
  /** An operator hands a dead message back; of the inbox without a side. */
  | {
      readonly do: "requeue";
      readonly tenant: string;
      readonly side?: "outbox" | undefined;
      readonly id: string;
      readonly key: string;
    }
  /** An operator proposes another body for a dead message. */
  | { readonly do: "correct"; readonly tenant: string; readonly id: string; readonly key: string }
  /** A second person approves the plan of it. */
  | { readonly do: "approve"; readonly tenant: string; readonly planId: string; readonly key: string };

/** What needs a place to work in. */
export type WorkOrder = Exclude<Order, { do: "open" | "arm" }>;

export interface Message {
  readonly id: number;
  readonly order: Order;
}

export interface Done {
  readonly result?: CallResult;
  /** In the order of the wishes. */
  readonly results?: readonly CallResult[];
  /** Why the tick failed. */
  readonly trouble?: string;
  /** Of a server. */
  readonly port?: number;
  /** What a tick did, by outcome. */
  readonly counts?: object;
}

export type ChildReply = ({ readonly id: number } & Done) | { readonly id: number; readonly failed: string };

/** The pipe on which a child says that it is at its armed point; written before the process stops or dies. */
export const FAULT_FD = 3;
