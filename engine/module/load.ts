import { OWN_SCOPES } from "@/domain/access/permission";
import { kindOfModule, type OperationKind } from "@/domain/operation-kind";
import type { OperationDefinition, OperationRegistry, ProviderOperation } from "../execute/operation";
import { createConsumerRegistry, type ConsumerRegistry } from "../inbox/consumer";
import { webhooksConsumer } from "../outbox/webhooks/consumer";
import { checkModules, ModuleError } from "./check";
import { wrongConfig } from "./shape";
import type { ConfigSource, OnceboardConfig, Settings } from "./config";
import type {
  Destination,
  ErrorEntry,
  EventEntry,
  MeshPart,
  Module,
  OperationEntry,
  SharedSource,
  SideProcess,
} from "./module";
import type { Route } from "./route";

/** What a process runs: its modules together, checked. */
export interface Modules {
  readonly list: readonly Module[];
  /** The provider that the configuration names. */
  readonly provider: OnceboardConfig["provider"];
  /** What the console must know of the operations. */
  readonly kinds: readonly OperationKind[];
  readonly operations: readonly OperationDefinition<unknown>[];
  /** What recovery can settle. */
  readonly registry: OperationRegistry;
  /** Who takes which message; what nobody subscribed to goes to `default`, which keeps it and does nothing. */
  readonly consumers: ConsumerRegistry;
  readonly routes: readonly Route[];
  readonly mesh: readonly MeshPart[];
  readonly errors: Readonly<Record<string, ErrorEntry>>;
  /** What an API key may be for: those of the modules, then the engine's own. */
  readonly scopes: readonly string[];
  /** Those of {@link scopes} that open routes of modules. */
  readonly callScopes: readonly string[];
  readonly events: Readonly<Record<string, EventEntry>>;
  /** Paths of resources by type. */
  readonly resources: Readonly<Record<string, string>>;
  /** By name. */
  readonly sources: ReadonlyMap<string, SharedSource>;
  /** Sources that an API key may not speak for. */
  readonly signedOnly: ReadonlySet<string>;
  readonly destinations: readonly Destination[];
  readonly processes: readonly SideProcess[];
  /** Lets go of what modules and provider hold. */
  close(): Promise<void>;
}

/**
 * Reads and checks a configuration.
 * @throws ModuleError in one sentence for the first thing that is wrong
 */
export function loadModules(source: ConfigSource, settings: Settings): Modules {
  return joinModules(typeof source === "function" ? source(settings) : source);
}

/** @throws ModuleError in one sentence for the first thing that is wrong */
export function joinModules(config: OnceboardConfig): Modules {
  const wrong = wrongConfig(config);
  if (wrong !== undefined) throw new ModuleError(wrong);
  const { modules, provider, destinations = [] } = config;
  checkModules(modules);
  const entries = modules.flatMap(({ operations }) => operations);
  const routes = modules.flatMap((module) => module.routes ?? []);
  const mesh = modules.flatMap((module) => module.mesh ?? []);
  const events = merged(modules.map((module) => module.events));
  const callScopes = [...new Set([...routes, ...mesh.flatMap(({ functions }) => functions)].flatMap(scopesOf))];
  const ofModules = modules.flatMap((module) => module.destinations ?? []);
  const topics = new Set(ofModules.map(({ topic }) => topic));
  return {
    list: modules,
    provider,
    kinds: modules.flatMap((module) => module.operations.map((entry) => kindOf(module, entry))),
    operations: entries.map(({ definition }) => definition),
    registry: registryOf(entries),
    consumers: createConsumerRegistry([
      ...modules.flatMap(({ consumers = [] }) => consumers),
      webhooksConsumer(events),
    ]),
    routes,
    mesh,
    errors: merged(modules.map((module) => module.errors)),
    scopes: [...callScopes, ...OWN_SCOPES],
    callScopes,
    events,
    resources: merged(modules.map((module) => module.resources)),
    sources: new Map(modules.flatMap(({ sources = [] }) => sources).map((each) => [each.name, each])),
    signedOnly: new Set(
      modules.flatMap(({ sources = [], signedOnly = [] }) => [...sources.map(({ name }) => name), ...signedOnly]),
    ),
    destinations: [...ofModules, ...destinations.filter(({ topic }) => !topics.has(topic))],
    processes: modules.flatMap(({ processes = [] }) => processes),
    async close() {
      const all = [...modules, ...(provider === undefined ? [] : [provider])];
      await Promise.allSettled(all.map(async (each) => each.close?.()));
    },
  };
}

/** @returns what recovery can settle of these operations, by the name in the table */
export function registryOf(entries: readonly Pick<OperationEntry, "definition">[]): OperationRegistry {
  const byName = new Map<string, ProviderOperation<never>>();
  for (const { definition } of entries) {
    if (definition.path === "provider") byName.set(definition.name, definition);
  }
  return { provider: (name) => byName.get(name) };
}

function kindOf(module: Module, { definition, ...said }: OperationEntry): OperationKind {
  const { name, path } = definition;
  const provider = definition.path === "provider" ? definition.provider : undefined;
  return kindOfModule(module, { ...said, route: said.route, name, path, provider });
}

function scopesOf({ scopes }: { readonly scopes: readonly string[] }): readonly string[] {
  return scopes;
}

function merged<Value>(
  parts: readonly (Readonly<Record<string, Value>> | undefined)[],
): Readonly<Record<string, Value>> {
  return Object.assign({}, ...parts) as Record<string, Value>;
}
