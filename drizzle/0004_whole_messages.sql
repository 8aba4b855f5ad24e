CREATE TABLE "onceboard"."inbox_versions" (
	"tenant_id" text NOT NULL,
	"consumer" text NOT NULL,
	"source" text NOT NULL,
	"aggregate" text NOT NULL,
	"version" bigint NOT NULL,
	"message_id" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "inbox_versions_tenant_id_consumer_source_aggregate_pk" PRIMARY KEY("tenant_id","consumer","source","aggregate")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."message_attempts" (
	"tenant_id" text NOT NULL,
	"day" date NOT NULL,
	"id" uuid NOT NULL,
	"side" text NOT NULL,
	"message_row_id" uuid NOT NULL,
	"place" text NOT NULL,
	"attempt" integer NOT NULL,
	"owner" text,
	"fence" integer NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"error_code" text,
	"error" text,
	"error_fingerprint" text,
	CONSTRAINT "message_attempts_tenant_id_day_id_pk" PRIMARY KEY("tenant_id","day","id"),
	CONSTRAINT "message_attempts_side" CHECK ("onceboard"."message_attempts"."side" in ('outbox', 'inbox')),
	CONSTRAINT "message_attempts_outcome" CHECK ("onceboard"."message_attempts"."outcome" in ('failed', 'dead', 'lost'))
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_messages" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"side" text NOT NULL,
	"place" text NOT NULL,
	"succeeded" integer NOT NULL,
	"failed" integer NOT NULL,
	"dead" integer NOT NULL,
	"lag_p95_ms" double precision,
	"lag_max_ms" bigint,
	CONSTRAINT "metric_messages_tenant_id_side_place_bucket_pk" PRIMARY KEY("tenant_id","side","place","bucket")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."plan_items" (
	"tenant_id" text NOT NULL,
	"plan_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"target_id" uuid NOT NULL,
	"label" jsonb NOT NULL,
	"verdict" text NOT NULL,
	"verdict_reason" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"outcome" text,
	"ended_at" timestamp with time zone,
	CONSTRAINT "plan_items_tenant_id_plan_id_position_pk" PRIMARY KEY("tenant_id","plan_id","position"),
	CONSTRAINT "plan_items_state" CHECK ("onceboard"."plan_items"."state" in ('waiting', 'done', 'skipped', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."plans" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"filter" jsonb NOT NULL,
	"reason" text NOT NULL,
	"total" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"approval_needed" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"decision_reason" text,
	"started_at" timestamp with time zone,
	"started_by" text,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"owner" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "plans_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "plans_state" CHECK ("onceboard"."plans"."state" in ('ready', 'awaiting_approval', 'rejected', 'running', 'aborted', 'done'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."topics" (
	"tenant_id" text NOT NULL,
	"topic" text NOT NULL,
	"transport" text,
	"destination" text,
	"paused_at" timestamp with time zone,
	"paused_by" text,
	"pause_reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "topics_tenant_id_topic_pk" PRIMARY KEY("tenant_id","topic"),
	CONSTRAINT "topics_transport" CHECK ("onceboard"."topics"."transport" in ('http', 'nats', 'rabbitmq'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."webhook_endpoints" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"types" text[] NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "webhook_endpoints_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."webhook_secrets" (
	"tenant_id" text NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"secret_id" uuid NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "webhook_secrets_tenant_id_secret_id_pk" PRIMARY KEY("tenant_id","secret_id")
);
--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" RENAME COLUMN "requeued_at" TO "settled_at";--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" RENAME COLUMN "requeued_by" TO "settled_by";--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" DROP CONSTRAINT "inbox_messages_state";--> statement-breakpoint
ALTER TABLE "onceboard"."notifications" DROP CONSTRAINT "notifications_state";--> statement-breakpoint
ALTER TABLE "onceboard"."outbox_messages" DROP CONSTRAINT "outbox_messages_state";--> statement-breakpoint
DROP INDEX "onceboard"."inbox_messages_message";--> statement-breakpoint
DROP INDEX "onceboard"."dead_letters_open";--> statement-breakpoint
DROP INDEX "onceboard"."inbox_messages_dedupe";--> statement-breakpoint
DROP INDEX "onceboard"."inbox_messages_due";--> statement-breakpoint
DROP INDEX "onceboard"."outbox_messages_due";--> statement-breakpoint
ALTER TABLE "onceboard"."accounts" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD COLUMN "settlement" text;--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" ADD COLUMN "alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."notifications" ADD COLUMN "outbox_id" uuid;--> statement-breakpoint
ALTER TABLE "onceboard"."notifications" ALTER COLUMN "operation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."outbox_history" ADD COLUMN "published_by" text;--> statement-breakpoint
ALTER TABLE "onceboard"."outbox_history" ADD COLUMN "transport" text;--> statement-breakpoint
CREATE INDEX "message_attempts_message" ON "onceboard"."message_attempts" USING btree ("tenant_id","message_row_id","ended_at");--> statement-breakpoint
CREATE INDEX "message_attempts_ended" ON "onceboard"."message_attempts" USING btree ("tenant_id","ended_at");--> statement-breakpoint
CREATE INDEX "plan_items_waiting" ON "onceboard"."plan_items" USING btree ("tenant_id","plan_id","position") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "plan_items_target" ON "onceboard"."plan_items" USING btree ("tenant_id","target_id");--> statement-breakpoint
CREATE INDEX "plans_running" ON "onceboard"."plans" USING btree ("tenant_id","started_at") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "plans_created" ON "onceboard"."plans" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_url" ON "onceboard"."webhook_endpoints" USING btree ("tenant_id","url");--> statement-breakpoint
CREATE INDEX "webhook_secrets_endpoint" ON "onceboard"."webhook_secrets" USING btree ("tenant_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "dead_letters_group" ON "onceboard"."dead_letters" USING btree ("tenant_id","error_fingerprint","dead_at");--> statement-breakpoint
CREATE INDEX "dead_letters_message" ON "onceboard"."dead_letters" USING btree ("tenant_id","message_row_id");--> statement-breakpoint
CREATE INDEX "inbox_messages_due" ON "onceboard"."inbox_messages" USING btree ("tenant_id","alone","next_attempt_at") WHERE state = 'recorded';--> statement-breakpoint
CREATE INDEX "inbox_messages_processed" ON "onceboard"."inbox_messages" USING btree ("tenant_id","processed_at") WHERE state = 'processed';--> statement-breakpoint
CREATE INDEX "notifications_outbox" ON "onceboard"."notifications" USING btree ("tenant_id","outbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_open" ON "onceboard"."dead_letters" USING btree ("tenant_id","side","message_row_id") WHERE settled_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_messages_dedupe" ON "onceboard"."inbox_messages" USING btree ("tenant_id","message_id","source","consumer");--> statement-breakpoint
CREATE INDEX "outbox_messages_due" ON "onceboard"."outbox_messages" USING btree ("tenant_id","topic","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
UPDATE "onceboard"."dead_letters" SET "settlement" = 'requeued' WHERE "settled_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD CONSTRAINT "dead_letters_settlement" CHECK ("onceboard"."dead_letters"."settlement" in ('requeued', 'closed', 'discarded'));--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD CONSTRAINT "dead_letters_settled" CHECK (("onceboard"."dead_letters"."settled_at" is null) = ("onceboard"."dead_letters"."settlement" is null));--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" ADD CONSTRAINT "inbox_messages_state" CHECK ("onceboard"."inbox_messages"."state" in ('recorded', 'processed', 'dead', 'discarded'));--> statement-breakpoint
ALTER TABLE "onceboard"."notifications" ADD CONSTRAINT "notifications_state" CHECK ("onceboard"."notifications"."state" in ('pending', 'sent', 'skipped'));--> statement-breakpoint
-- Written before there was an address to send to, and by nothing that sends.
UPDATE "onceboard"."notifications" SET "state" = 'skipped' WHERE "state" = 'pending' AND "outbox_id" IS NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."outbox_messages" ADD CONSTRAINT "outbox_messages_state" CHECK ("onceboard"."outbox_messages"."state" in ('pending', 'dead', 'discarded'));--> statement-breakpoint
-- A claim is written beside its row and touches no index, as long as the page has room. What waits for the relay leaves again soon,
-- the inbox stays.
ALTER TABLE "onceboard"."outbox_messages" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" SET (fillfactor = 70);
