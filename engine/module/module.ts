import type { KindExpectation, OperatorAction } from "@/domain/operation-kind";
import type { OperationDefinition } from "../execute/operation";
import type { Consumer } from "../inbox/consumer";
import type { Transport } from "../outbox/transport";
import type { MeshFunction, Route } from "./route";

/** An operation, and what the console must know of it. */
export interface OperationEntry {
  readonly definition: OperationDefinition<unknown>;
  /** What pages call one of it: "Payment". */
  readonly label: string;
  /** As pages name it: `POST /payments`. Missing: it is not reached through our HTTP. */
  readonly route?: string;
  /** What it leaves when it takes effect. */
  readonly expects?: KindExpectation;
  /** What an operator may ask of one in doubt. Missing: everything of the provider path, nothing of the others. */
  readonly actions?: readonly OperatorAction[];
}

/** A type of event that the module publishes, which merchants' endpoints may ask for. */
export interface EventEntry {
  /** Member of the event's data that names its one effect: an endpoint gets one event per effect. Missing: one per event. */
  readonly effectId?: string;
}

/** A code that the module's operations and routes refuse with. */
export interface ErrorEntry {
  readonly status: number;
  /** For the API document. */
  readonly means: string;
  /** A retry of the same request under the same key can succeed. */
  readonly retryable?: boolean;
  /** `PROVIDER`: somebody else refused. Missing: the code says it (`validation.…`, `….not_found`), else a conflict. */
  readonly category?: "PROVIDER" | "VALIDATION";
  /** Other names in the wire profiles than the rule of each profile gives. */
  readonly names?: Readonly<Partial<Record<"playbook" | "fault" | "article" | "mesh", string>>>;
}

/** Who sends signed events for all tenants with one secret. Sources of a tenant with secrets of their own are made in the console. */
export interface SharedSource {
  /** As in `POST /events/{source}`. */
  readonly name: string;
  /** Base64 of at least 24 bytes, as Standard Webhooks wants it. */
  readonly secret: string;
}

/** Where messages of a topic go. */
export interface Destination {
  readonly topic: string;
  /** Once in each worker. */
  open(): Transport;
}

/** What runs beside `npm start` and `npm run demo`, such as a pretend provider. In production somebody else runs it. */
export interface SideProcess {
  readonly name: string;
  /** File of it: absolute, or from the folder of Onceboard. */
  readonly entry: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its port and the setting that names it, so that a port in use is said before anything starts. */
  readonly port?: { readonly number: number; readonly setting: string };
  /** Names of further variables that it gets, where they are set. Of ours it gets DATA_DIR, and neither SECRET nor any key or URL. */
  readonly reads?: readonly string[];
  /** The line of standard output that says it is up. */
  readonly ready: RegExp;
}

/** What the mesh's part of the API document says of a module. */
export interface MeshPart {
  readonly functions: readonly MeshFunction[];
  /** A sentence about the functions, and one about their arguments. */
  readonly description: string;
  readonly argumentsText: string;
  readonly examples?: readonly { readonly function: string; readonly version: string; readonly arguments: object }[];
  /** Codes of errors besides those of every call of the mesh. */
  readonly errors?: readonly string[];
}

/** Rows that prove effects, as relations `schema.view` of the columns of db/evidence/README.md. */
export interface Evidence {
  readonly effects?: readonly string[];
  readonly entries?: readonly string[];
}

/** What a team brings: its operations, who handles its events, its routes and its tables. */
export interface Module {
  /** Lower-case letters, digits and `_`, a letter first; also the schema of its tables. */
  readonly name: string;
  /** Of its registration; `1` when left out. */
  readonly version?: string;
  readonly operations: readonly OperationEntry[];
  readonly consumers?: readonly Consumer[];
  readonly routes?: readonly Route[];
  readonly mesh?: MeshPart;
  /** What its operations and routes refuse with, by code. */
  readonly errors?: Readonly<Record<string, ErrorEntry>>;
  /** Events that it publishes, by type. */
  readonly events?: Readonly<Record<string, EventEntry>>;
  /** Where a resource of an operation is read, by the resource's type: `/payments/{id}`. */
  readonly resources?: Readonly<Record<string, `/${string}`>>;
  readonly sources?: readonly SharedSource[];
  /** Further sources whose events must be signed: an API key of scope `events` may not speak for them. */
  readonly signedOnly?: readonly string[];
  readonly destinations?: readonly Destination[];
  readonly processes?: readonly SideProcess[];
  /** Numbered .sql files that `migrate` applies in order, into the schema of the module's name. */
  readonly migrations?: { readonly directory: URL };
  readonly evidence?: Evidence;
  /** Lets go of what the module holds, when the process ends. */
  close?(): void | Promise<void>;
}

/** Types a module. It is checked when a process starts: see `loadModules`. */
export function defineModule(module: Module): Module {
  return module;
}
