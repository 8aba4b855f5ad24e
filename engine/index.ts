/**
 * What a module may use, and all of it: docs/MODULES.md shows how. What is not here may change with any release.
 */

// What a module is. Its schemas are of the same zod as ours.
export { z } from "zod";
export { defineConfig, type ConfigSource, type OnceboardConfig, type Settings } from "./module/config";
export {
  defineModule,
  type Destination,
  type ErrorEntry,
  type EventEntry,
  type Evidence,
  type MeshPart,
  type Module,
  type OperationEntry,
  type SharedSource,
  type SideProcess,
} from "./module/module";
export {
  keyedRoute,
  meshFunction,
  plainRoute,
  type CommandBody,
  type DocumentedAnswer,
  type RouteFields,
  type KeyedCommand,
  type KeyedRoute,
  type MeshFunction,
  type PlainRequest,
  type PlainRoute,
  type Route,
  type RouteMethod,
  type RouteResult,
  type Values,
} from "./module/route";
export { ModuleError } from "./module/check";
export { joinModules, loadModules, registryOf, type Modules } from "./module/load";
export type { KindExpectation, OperationKind, OperatorAction } from "@/domain/operation-kind";

// Operations.
export type { Actor, EngineContext } from "./context";
export type {
  Claim,
  MeshFunctionName,
  LocalOperation,
  OperationDefinition,
  OperationRegistry,
  OwnClaim,
  OwnPolicy,
  Preparation,
  Prepared,
  ProviderContradiction,
  ProviderNoEffect,
  ProviderOperation,
  ProviderOutcome,
  ProviderReply,
  ProviderResult,
  ResourceName,
  Settlement,
  SettlingOutcome,
  Subject,
  TaskOperation,
} from "./execute/operation";
export type { StoredResponse } from "./execute/answer";
export type { CanonicalFields } from "@/domain/idempotency/canonical";
export type { OperationPolicy } from "@/domain/idempotency/policy";
export { AppError, type AppErrorOptions } from "@/domain/errors";
export { refusalSettlement } from "./execute/refusal";
export { jsonResponse } from "./execute/settlement";
export { derivedId } from "./derived-id";

// Money, never a float.
export { displayMoney, formatAmount, MAX_AMOUNT_MINOR, minorDigits, parseAmount } from "@/domain/money";

// Rows of the module's own, and its events.
export type { Queryable } from "@/db/client";
export { inTransaction } from "@/db/transaction";
export { insertOutboxMessage } from "@/db/outbox/insert-outbox-message";
export { enqueueMessage } from "./outbox/sealed-payload";
export type { OutboxMessage } from "@/db/operations/complete";
export { changeMessage, originHeaders, outboxMessage, type ChangeEvent, type DomainEvent } from "./outbox/publish";

// Providers.
export { onlyAPersonSettles, REFERENCE_BY_HAND, type ProviderFacts } from "@/domain/idempotency/provider-capabilities";
export { OutOfTimeError, timeLeftMs } from "@/db/deadline";
export { traceHeaders } from "./telemetry/telemetry";
export { countDeclined, operationByProviderKey } from "@/db/operations/operation-facts";
export { answerProvider, journalSettledLookUp } from "@/db/provider/provider-calls";
export { cleanReply } from "./execute/clean-reply";
export { findingOf } from "./execute/conclude-provider";
export { OPEN_STATES } from "@/domain/idempotency/states";
export { reconcileOperation } from "./recover/reconcile";

// Consumers, and what goes to people.
export {
  PostponeError,
  type Consumer,
  type HandledResult,
  type IdempotentConsumer,
  type InboxMessage,
  type TransactionalConsumer,
} from "./inbox/consumer";
export { OWN_SOURCE } from "./inbox/event-source";
export { LEDGER_CONSUMER } from "@/domain/messages/ledger-consumer";
export { notificationToSend } from "@/db/notifications/notifications";
export { keepNotification, type NotificationCause } from "./outbox/notification";
export { MAIL_TOPIC } from "./outbox/transports/transports";
export { createMailSender, type MailSettings } from "./outbox/mail/mail-sender";
export { composeMail, mailMessageId, type Mail, type MailSender, type ReadyMail } from "./outbox/mail/mail";
export type { DeliveryOptions, DeliveryResult, OutboxDelivery, Transport } from "./outbox/transport";
