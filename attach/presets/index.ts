import type { Preset } from "../contract/preset";
import { brandur } from "./brandur";
import { cap } from "./cap";
import { dbos } from "./dbos";
import { debezium } from "./debezium";
import { djangoOutboxPattern } from "./django-outbox-pattern";
import { eventuate } from "./eventuate";
import { graphileJobs } from "./graphile-worker";
import { gruelbox } from "./gruelbox";
import { idempotJs } from "./idempot-js";
import { masstransit } from "./masstransit";
import { modulithV1 } from "./modulith-v1";
import { modulithV2 } from "./modulith-v2";
import { nestarcIdempotency } from "./nestarc-idempotency";
import { nodeIdempotency } from "./node-idempotency";
import { oagudoOutbox } from "./oagudo-outbox";
import { oban } from "./oban";
import { pgBoss10 } from "./pg-boss-10";
import { pgBoss11 } from "./pg-boss-11";
import { pgTransactionalOutbox } from "./pg-transactional-outbox";
import { railsTransactionalOutbox } from "./rails-transactional-outbox";
import { river } from "./river";
import { wolverine } from "./wolverine";

/** Every preset, in the order in which `onceboard attach` lists them. */
export const PRESETS: readonly Preset[] = [
  brandur,
  cap,
  dbos,
  debezium,
  djangoOutboxPattern,
  eventuate,
  graphileJobs,
  gruelbox,
  idempotJs,
  masstransit,
  modulithV1,
  modulithV2,
  nestarcIdempotency,
  nodeIdempotency,
  oagudoOutbox,
  oban,
  pgBoss10,
  pgBoss11,
  pgTransactionalOutbox,
  railsTransactionalOutbox,
  river,
  wolverine,
];
