CREATE TABLE "onceboard"."data_keys" (
	"tenant_id" text NOT NULL,
	"purpose" text NOT NULL,
	"day" date NOT NULL,
	"wrapped_by" text NOT NULL,
	"wrapped" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"destroyed_at" timestamp with time zone,
	CONSTRAINT "data_keys_tenant_id_purpose_day_pk" PRIMARY KEY("tenant_id","purpose","day"),
	CONSTRAINT "data_keys_purpose" CHECK ("onceboard"."data_keys"."purpose" in ('body', 'fingerprint')),
	CONSTRAINT "data_keys_destroyed" CHECK (("onceboard"."data_keys"."wrapped" is null) = ("onceboard"."data_keys"."destroyed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."notifications" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"notification_key" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"detail" jsonb NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "notifications_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "notifications_state" CHECK ("onceboard"."notifications"."state" in ('pending', 'sent'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."operation_policies" (
	"tenant_id" text NOT NULL,
	"operation" text NOT NULL,
	"overrides" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "operation_policies_tenant_id_operation_pk" PRIMARY KEY("tenant_id","operation")
);
--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_requests" DROP CONSTRAINT "idempotency_requests_key_length";--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_requests" ADD COLUMN "replay" text DEFAULT 'stored' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_key" ON "onceboard"."notifications" USING btree ("tenant_id","notification_key");--> statement-breakpoint
CREATE INDEX "notifications_operation" ON "onceboard"."notifications" USING btree ("tenant_id","operation_id");--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_requests" ADD CONSTRAINT "idempotency_requests_replay" CHECK ("onceboard"."idempotency_requests"."replay" in ('stored', 'reference', 'none'));--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_requests" ADD CONSTRAINT "idempotency_requests_key_length" CHECK (length("onceboard"."idempotency_requests"."key") between 1 and 320);