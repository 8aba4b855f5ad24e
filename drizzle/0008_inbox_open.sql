-- Nothing may come in between: what is recorded meanwhile would have no row among what waits.
LOCK TABLE "onceboard"."inbox_messages" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "onceboard"."inbox_batches" (
	"tenant_id" text NOT NULL,
	"processed_at" timestamp with time zone NOT NULL,
	"id" uuid NOT NULL,
	"consumer" text NOT NULL,
	"lags_ms" double precision[] NOT NULL,
	CONSTRAINT "inbox_batches_tenant_id_processed_at_id_pk" PRIMARY KEY("tenant_id","processed_at","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."inbox_open" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"consumer" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"locked_until" timestamp with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
	"attempts_started" integer DEFAULT 0 NOT NULL,
	"attempts_finished" integer DEFAULT 0 NOT NULL,
	"alone" boolean DEFAULT false NOT NULL,
	"owner" text,
	CONSTRAINT "inbox_open_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
-- What waits goes over with its lease and its fence.
INSERT INTO "onceboard"."inbox_open" ("tenant_id", "id", "consumer", "received_at", "next_attempt_at", "locked_until", "fence",
  "attempts_started", "attempts_finished", "alone", "owner")
SELECT "tenant_id", "id", "consumer", "received_at", coalesce("next_attempt_at", now()), "locked_until", "fence", "attempts_started",
  "attempts_finished", "alone", "owner"
FROM "onceboard"."inbox_messages" WHERE state = 'recorded';--> statement-breakpoint
-- Minutes of the last day that are not computed yet, or are computed again.
INSERT INTO "onceboard"."inbox_batches" ("tenant_id", "processed_at", "id", "consumer", "lags_ms")
SELECT "tenant_id", "processed_at", "id", "consumer", ARRAY[extract(epoch from "processed_at" - "received_at")::double precision * 1000]
FROM "onceboard"."inbox_messages" WHERE state = 'processed' AND "processed_at" >= now() - interval '1 day';--> statement-breakpoint
DROP INDEX "onceboard"."inbox_messages_due";--> statement-breakpoint
DROP INDEX "onceboard"."inbox_messages_processed";--> statement-breakpoint
CREATE INDEX "inbox_open_due" ON "onceboard"."inbox_open" USING btree ("tenant_id","alone","next_attempt_at");--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" DROP COLUMN "next_attempt_at";--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" DROP COLUMN "owner";--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" DROP COLUMN "locked_until";--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" DROP COLUMN "alone";--> statement-breakpoint
-- The mark of a handled message is written beside its row and touches no index, as long as the page has room.
ALTER TABLE "onceboard"."inbox_messages" SET (fillfactor = 50);--> statement-breakpoint
-- Claims are written beside their rows; each row goes again soon, and what is left of it must not be walked over.
ALTER TABLE "onceboard"."inbox_open" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000);
