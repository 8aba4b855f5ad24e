import type { ProviderFacts } from "./idempotency/provider-capabilities";

/** As a filter: every action of the console, whatever its name. */
export const CONSOLE_ACTIONS = "admin.";

/** What an operator may ask of the owner of an operation that is in doubt. */
export type OperatorAction = "reconcile" | "resolve" | "release";

/** What an operation of a kind leaves when it takes effect, and how that is said. Every member may be missing. */
export interface KindExpectation {
  /** "Money moved once." / "No money moved." / "It is not known yet whether money moved." */
  readonly once?: string;
  readonly none?: string;
  readonly doubt?: string;
  /** "The provider was asked to move money under one key." / "The provider moved it once." / "The provider moved nothing." */
  readonly provider?: { readonly asked: string; readonly acted: string; readonly idle: string };
  /** The effect that it makes: `kind` as the evidence names it (`payment`), and how a sentence names it ("Payment"). */
  readonly effect?: { readonly kind: string; readonly label: string };
  /** Type of its one event; `none`: it has none. Missing: nothing is expected. */
  readonly event?: string;
  /** Type of its one ledger entry; `none`: no money is in it. Missing: nothing is expected. */
  readonly entry?: string;
  /** Consumer that posts the entry when it handles the event. Missing: the operation posts it itself. */
  readonly postedBy?: string;
  /** Whether it takes money or gives some of it back. Missing: it moves none. */
  readonly money?: "takes" | "returns";
}

/** A kind of operation as its module or its service registered it (table operation_kinds). */
export interface OperationKind {
  /** `payments.create`: part of the key's identity. */
  readonly name: string;
  /** Name of the module or of the service. */
  readonly owner: string;
  readonly runsIn: "module" | "service";
  readonly label: string;
  /** `POST /payments`. Missing: it is not reached through our HTTP. */
  readonly route?: string | undefined;
  readonly path: "local" | "provider" | "task";
  readonly provider?: ProviderFacts | undefined;
  readonly actions: readonly OperatorAction[];
  readonly expects: KindExpectation;
  /** Of the module or the service. */
  readonly version: string;
}

/** How pages call an operation. */
export interface OperationNaming {
  /** "Payment". */
  readonly kind: string;
  /** "POST /payments"; without one its name. */
  readonly route: string;
}

export function namingOf({ name, label, route }: OperationKind): OperationNaming {
  return { kind: label, route: route ?? name };
}

/** As a type of an event or an entry: there must be none. */
export const NONE = "none";

/** @param type of `event` or `entry` @returns whether an effect leaves one of it */
export function isLeft(type: string | undefined): type is string {
  return type !== undefined && type !== NONE;
}

/**
 * @param name as the journal of provider calls has it
 * @returns what it can do; undefined for another provider than the kind crosses to
 */
export function providerOfKind(
  { provider }: Pick<OperationKind, "provider">,
  name: string | undefined,
): ProviderFacts | undefined {
  return name !== undefined && provider?.name === name ? provider : undefined;
}

const ASKABLE: readonly OperatorAction[] = ["reconcile", "resolve", "release"];

/** What a module says of an operation, and what its definition says. */
export interface OperationSaid extends Pick<OperationKind, "name" | "label" | "route" | "path" | "provider"> {
  readonly expects?: KindExpectation | undefined;
  /** Missing: everything of the provider path, nothing of the others. */
  readonly actions?: readonly OperatorAction[] | undefined;
}

/** @returns the kind that a module registers of one of its operations */
export function kindOfModule(
  module: { readonly name: string; readonly version?: string | undefined },
  { name, label, route, path, provider, expects = {}, actions }: OperationSaid,
): OperationKind {
  const facts = provider && {
    name: provider.name,
    dedupesForHours: provider.dedupesForHours,
    queryable: provider.queryable,
  };
  return {
    name,
    owner: module.name,
    runsIn: "module",
    label,
    route,
    path,
    provider: facts,
    actions: actions ?? (facts === undefined ? [] : ASKABLE),
    expects,
    version: module.version ?? "1",
  };
}

/** All kinds that are registered, by name. */
export type OperationKinds = ReadonlyMap<string, OperationKind>;

/**
 * What pages call an operation and know of it: its registration, or what its name alone says.
 * @param operation name in the key's identity
 */
export function kindOf(kinds: OperationKinds, operation: string): OperationKind {
  return kinds.get(operation) ?? unregistered(operation);
}

function unregistered(operation: string): OperationKind {
  const ofConsole = operation.startsWith(CONSOLE_ACTIONS);
  return {
    name: operation,
    owner: ofConsole ? "console" : "",
    runsIn: ofConsole ? "module" : "service",
    label: ofConsole ? "Console action" : operation,
    path: "local",
    actions: [],
    expects: {},
    version: "",
  };
}
