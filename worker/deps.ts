import type { Config } from "@/domain/config";
import type { ConsumerRegistry } from "@/engine/inbox/consumer";
import type { EngineBase } from "@/engine/context";
import type { Modules } from "@/engine/module/load";
import type { OperationRegistry } from "@/engine/execute/operation";
import type { Transports } from "@/engine/outbox/transport";

/** Where checkpoints go and how often; without places none are made. */
export type AuditConfig = Partial<Pick<Config, "auditSinks" | "auditSinkToken" | "auditCheckpointSeconds">>;

/** By what alerts leave; without a sender and a directory this worker sends none by mail. */
export type AlertConfig = Partial<Pick<Config, "smtpUrl" | "mailFrom" | "dataDir" | "pagerdutyUrl">>;

/** What a process gives to its loops. */
export interface WorkerDeps {
  readonly engine: EngineBase;
  readonly modules: Pick<Modules, "registry" | "consumers" | "destinations">;
  readonly config: Pick<
    Config,
    | "port"
    | "publicUrl"
    | "workerIntervalMs"
    | "natsUrl"
    | "rabbitmqUrl"
    | "kafkaUrl"
    | "outboxTransport"
    | "webhookAllowPrivate"
  > &
    AuditConfig &
    AlertConfig;
}

/** What one tick works with. */
export interface LoopDeps extends Omit<WorkerDeps, "modules"> {
  readonly registry: OperationRegistry;
  readonly consumers: ConsumerRegistry;
  readonly transports: Transports;
  readonly signal?: AbortSignal | undefined;
}

/** What a tick over tenants works with that needs nothing of a module. */
export type TenantDeps = Pick<LoopDeps, "engine" | "signal">;

/** What a tick did, summed over tenants: small numbers, shown beside the heartbeat. */
export type TickResult = Readonly<Record<string, number>>;

export interface Loop {
  readonly name: string;
  readonly intervalMs: number;
  /** One round; keeps nothing but what its closure remembers. */
  tick(deps: LoopDeps): Promise<TickResult>;
  /** Waits for what ticks left under way, within a bounded time. */
  end?(): Promise<void>;
  /** More is waiting: go on at once. */
  busy(result: TickResult): boolean;
}
