import type { Preset } from "../contract/preset";
import { cap } from "./cap";
import { debezium } from "./debezium";
import { djangoOutboxPattern } from "./django-outbox-pattern";
import { oagudoOutbox } from "./oagudo-outbox";
import { pgTransactionalOutbox } from "./pg-transactional-outbox";
import { railsTransactionalOutbox } from "./rails-transactional-outbox";

/** Every preset, in the order in which `onceboard attach` lists them. */
export const PRESETS: readonly Preset[] = [
  cap,
  debezium,
  djangoOutboxPattern,
  oagudoOutbox,
  pgTransactionalOutbox,
  railsTransactionalOutbox,
];
