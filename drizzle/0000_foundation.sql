CREATE SCHEMA IF NOT EXISTS "onceboard";
--> statement-breakpoint
CREATE TABLE "onceboard"."api_clients" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"profile" text DEFAULT 'problem' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_clients_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."api_keys" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"client_id" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_id_pk" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."event_sources" (
	"tenant_id" text NOT NULL,
	"source" text NOT NULL,
	"secret_id" text NOT NULL,
	"secret" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "event_sources_tenant_id_source_secret_id_pk" PRIMARY KEY("tenant_id","source","secret_id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."accounts" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"default_currency" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."audit_entries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"reason" text,
	"before" jsonb,
	"after" jsonb,
	"evidence" jsonb,
	"request_id" text,
	"previous_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_entries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."audit_heads" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."dead_letters" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"side" text NOT NULL,
	"message_row_id" uuid NOT NULL,
	"place" text NOT NULL,
	"type" text NOT NULL,
	"operation_id" uuid,
	"error_fingerprint" text NOT NULL,
	"error_code" text NOT NULL,
	"error" text NOT NULL,
	"attempts" integer NOT NULL,
	"dead_at" timestamp with time zone NOT NULL,
	"requeued_at" timestamp with time zone,
	"requeued_by" text,
	CONSTRAINT "dead_letters_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "dead_letters_side" CHECK ("onceboard"."dead_letters"."side" in ('outbox', 'inbox'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."idempotency_bodies" (
	"tenant_id" text NOT NULL,
	"day" date NOT NULL,
	"operation_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"fence" smallint DEFAULT 1 NOT NULL,
	"headers" jsonb,
	"body" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_bodies_tenant_id_day_operation_id_kind_pk" PRIMARY KEY("tenant_id","day","operation_id","kind")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "onceboard"."idempotency_events" (
	"tenant_id" text NOT NULL,
	"day" date NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"type" text NOT NULL,
	"outcome" text,
	"request_id" text,
	"client" text,
	"actor" text,
	"fence" integer,
	"attempt" integer,
	"delay_ms" integer,
	"latency_ms" integer,
	"status" smallint,
	"code" text,
	"served_hash" "bytea",
	"command" "bytea",
	"detail" jsonb,
	CONSTRAINT "idempotency_events_tenant_id_day_id_pk" PRIMARY KEY("tenant_id","day","id")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "onceboard"."idempotency_open" (
	"tenant_id" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"owner" text,
	"fence" integer NOT NULL,
	"locked_until" timestamp with time zone,
	"stage" text DEFAULT 'RECEIVED' NOT NULL,
	"provider_key" text,
	"opened_at" timestamp with time zone NOT NULL,
	"unknown_since" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"last_finding" text,
	"assigned_to" text,
	CONSTRAINT "idempotency_open_tenant_id_operation_id_pk" PRIMARY KEY("tenant_id","operation_id"),
	CONSTRAINT "idempotency_open_stage" CHECK ("onceboard"."idempotency_open"."stage" in ('RECEIVED', 'LOCAL_PAYMENT_CREATED', 'PROVIDER_REQUEST_SENT', 'PROVIDER_CONFIRMED'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."idempotency_requests" (
	"tenant_id" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"principal" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"fingerprint_version" smallint NOT NULL,
	"api_version" text NOT NULL,
	"state" text NOT NULL,
	"fence" integer DEFAULT 1 NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"response_status" smallint,
	"response_schema_version" text,
	"resource_type" text,
	"resource_id" text,
	"error_code" text,
	"body_day" date NOT NULL,
	"body_purged_at" timestamp with time zone,
	"account_id" text,
	"reference" text,
	"amount_minor" bigint,
	"currency" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"purge_after" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_requests_tenant_id_operation_key_pk" PRIMARY KEY("tenant_id","operation","key"),
	CONSTRAINT "idempotency_requests_state" CHECK ("onceboard"."idempotency_requests"."state" in ('IN_PROGRESS', 'COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE', 'UNKNOWN_REQUIRES_RECOVERY', 'EXPIRED')),
	CONSTRAINT "idempotency_requests_key_length" CHECK (length("onceboard"."idempotency_requests"."key") between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "onceboard"."inbox_arrivals" (
	"tenant_id" text NOT NULL,
	"day" date NOT NULL,
	"id" uuid NOT NULL,
	"inbox_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"payload_hash" "bytea" NOT NULL,
	"request_id" text,
	CONSTRAINT "inbox_arrivals_tenant_id_day_id_pk" PRIMARY KEY("tenant_id","day","id"),
	CONSTRAINT "inbox_arrivals_outcome" CHECK ("onceboard"."inbox_arrivals"."outcome" in ('recorded', 'duplicate', 'mismatch'))
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "onceboard"."inbox_messages" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"consumer" text NOT NULL,
	"source" text NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"operation_id" uuid,
	"payload" jsonb NOT NULL,
	"payload_hash" "bytea" NOT NULL,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'recorded' NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone,
	"result" text,
	"duplicates" integer DEFAULT 0 NOT NULL,
	"mismatches" integer DEFAULT 0 NOT NULL,
	"attempts_started" integer DEFAULT 0 NOT NULL,
	"attempts_finished" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"owner" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"last_error" text,
	"last_error_code" text,
	CONSTRAINT "inbox_messages_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "inbox_messages_state" CHECK ("onceboard"."inbox_messages"."state" in ('recorded', 'processed', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."ledger_entries" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"entry_type" text NOT NULL,
	"source_id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"debit_account" text NOT NULL,
	"credit_account" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"posted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."count_snapshots" (
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"value" bigint NOT NULL,
	"kind" text NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "count_snapshots_tenant_id_name_pk" PRIMARY KEY("tenant_id","name")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_buckets" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"computed_at" timestamp with time zone,
	"stale" boolean DEFAULT false NOT NULL,
	CONSTRAINT "metric_buckets_tenant_id_bucket_pk" PRIMARY KEY("tenant_id","bucket")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_gauges" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "metric_gauges_tenant_id_name_bucket_pk" PRIMARY KEY("tenant_id","name","bucket")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_hours" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"operation" text NOT NULL,
	"client" text NOT NULL,
	"outcome" text NOT NULL,
	"count" integer NOT NULL,
	"latency_p95_ms" double precision,
	"latency_max_ms" integer,
	"delay_sum_ms" bigint,
	"delay_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "metric_hours_tenant_id_bucket_operation_client_outcome_pk" PRIMARY KEY("tenant_id","bucket","operation","client","outcome")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_minutes" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"operation" text NOT NULL,
	"client" text NOT NULL,
	"outcome" text NOT NULL,
	"count" integer NOT NULL,
	"latency_p95_ms" double precision,
	"latency_max_ms" integer,
	"delay_sum_ms" bigint,
	"delay_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "metric_minutes_tenant_id_bucket_operation_client_outcome_pk" PRIMARY KEY("tenant_id","bucket","operation","client","outcome")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."operator_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."operators" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'viewer' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operators_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."outbox_history" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid,
	"aggregate_type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"topic" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts_started" integer DEFAULT 0 NOT NULL,
	"attempts_finished" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"last_error_code" text,
	"day" date NOT NULL,
	"position" bigint NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outbox_history_tenant_id_day_id_pk" PRIMARY KEY("tenant_id","day","id")
) PARTITION BY RANGE ("day");
--> statement-breakpoint
CREATE TABLE "onceboard"."outbox_messages" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid,
	"aggregate_type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"topic" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"attempts_started" integer DEFAULT 0 NOT NULL,
	"attempts_finished" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"last_error_code" text,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "onceboard"."outbox_messages_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"state" text DEFAULT 'pending' NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"owner" text,
	"fence" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "outbox_messages_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "outbox_messages_state" CHECK ("onceboard"."outbox_messages"."state" in ('pending', 'dead'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."payments" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"refunded_minor" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"merchant_reference" text,
	"channel" text NOT NULL,
	"status" text NOT NULL,
	"provider_key" text NOT NULL,
	"provider_reference" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "payments_status" CHECK ("onceboard"."payments"."status" in ('pending', 'succeeded', 'failed', 'voided')),
	CONSTRAINT "payments_refunded" CHECK ("onceboard"."payments"."refunded_minor" between 0 and "onceboard"."payments"."amount_minor")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."refunds" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text,
	"status" text NOT NULL,
	"provider_key" text NOT NULL,
	"provider_reference" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "refunds_status" CHECK ("onceboard"."refunds"."status" in ('pending', 'succeeded', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."voids" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"status" text NOT NULL,
	"provider_key" text NOT NULL,
	"provider_reference" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voids_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "voids_status" CHECK ("onceboard"."voids"."status" in ('pending', 'succeeded', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."provider_requests" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"provider_key" text NOT NULL,
	"provider" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"fence" integer NOT NULL,
	"amount_minor" bigint,
	"currency" text,
	"outcome" text,
	"provider_reference" text,
	"detail" text,
	"prepared_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	CONSTRAINT "provider_requests_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."tenants" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"home_region" text DEFAULT 'local' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."retention_runs" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"kind" text NOT NULL,
	"rows" integer NOT NULL,
	"bytes" integer NOT NULL,
	"detail" jsonb,
	CONSTRAINT "retention_runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."worker_heartbeats" (
	"loop" text NOT NULL,
	"instance" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"interval_ms" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"result" jsonb,
	"error" text,
	CONSTRAINT "worker_heartbeats_loop_instance_pk" PRIMARY KEY("loop","instance")
);
--> statement-breakpoint
ALTER TABLE "onceboard"."operator_accounts" ADD CONSTRAINT "operator_accounts_user_id_operators_id_fk" FOREIGN KEY ("user_id") REFERENCES "onceboard"."operators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onceboard"."sessions" ADD CONSTRAINT "sessions_user_id_operators_id_fk" FOREIGN KEY ("user_id") REFERENCES "onceboard"."operators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_clients_name" ON "onceboard"."api_clients" USING btree ("tenant_id","name");--> statement-breakpoint
CREATE INDEX "api_keys_client" ON "onceboard"."api_keys" USING btree ("tenant_id","client_id");--> statement-breakpoint
CREATE INDEX "event_sources_source" ON "onceboard"."event_sources" USING btree ("source");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_sequence" ON "onceboard"."audit_entries" USING btree ("tenant_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "onceboard"."audit_entries" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE INDEX "audit_entries_subject" ON "onceboard"."audit_entries" USING btree ("tenant_id","subject_type","subject_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_open" ON "onceboard"."dead_letters" USING btree ("tenant_id","side","message_row_id") WHERE requeued_at is null;--> statement-breakpoint
CREATE INDEX "dead_letters_dead" ON "onceboard"."dead_letters" USING btree ("tenant_id","dead_at");--> statement-breakpoint
CREATE INDEX "idempotency_events_operation" ON "onceboard"."idempotency_events" USING btree ("tenant_id","operation_id","at");--> statement-breakpoint
CREATE INDEX "idempotency_events_at" ON "onceboard"."idempotency_events" USING brin ("at");--> statement-breakpoint
CREATE INDEX "idempotency_events_conflict" ON "onceboard"."idempotency_events" USING btree ("tenant_id","at","id") WHERE type = 'conflict';--> statement-breakpoint
CREATE INDEX "idempotency_open_due" ON "onceboard"."idempotency_open" USING btree ("tenant_id","next_check_at");--> statement-breakpoint
CREATE INDEX "idempotency_open_locked" ON "onceboard"."idempotency_open" USING btree ("tenant_id","locked_until");--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_requests_operation_id" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE INDEX "idempotency_requests_created" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","created_at","operation_id");--> statement-breakpoint
CREATE INDEX "idempotency_requests_expires" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_requests_key" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","key");--> statement-breakpoint
CREATE INDEX "inbox_arrivals_inbox" ON "onceboard"."inbox_arrivals" USING btree ("tenant_id","inbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_messages_dedupe" ON "onceboard"."inbox_messages" USING btree ("tenant_id","consumer","source","message_id");--> statement-breakpoint
CREATE INDEX "inbox_messages_due" ON "onceboard"."inbox_messages" USING btree ("tenant_id","next_attempt_at") WHERE state = 'recorded';--> statement-breakpoint
CREATE INDEX "inbox_messages_received" ON "onceboard"."inbox_messages" USING btree ("tenant_id","received_at","id");--> statement-breakpoint
CREATE INDEX "inbox_messages_operation" ON "onceboard"."inbox_messages" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE INDEX "inbox_messages_message" ON "onceboard"."inbox_messages" USING btree ("tenant_id","message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_source" ON "onceboard"."ledger_entries" USING btree ("tenant_id","entry_type","source_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_operation" ON "onceboard"."ledger_entries" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE INDEX "metric_buckets_stale" ON "onceboard"."metric_buckets" USING btree ("tenant_id","stale");--> statement-breakpoint
CREATE INDEX "operator_accounts_user" ON "onceboard"."operator_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "onceboard"."sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "onceboard"."verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "outbox_history_operation" ON "onceboard"."outbox_history" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE INDEX "outbox_history_published" ON "onceboard"."outbox_history" USING btree ("tenant_id","published_at");--> statement-breakpoint
CREATE INDEX "outbox_messages_due" ON "onceboard"."outbox_messages" USING btree ("tenant_id","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "outbox_messages_aggregate" ON "onceboard"."outbox_messages" USING btree ("tenant_id","aggregate_type","aggregate_id","position");--> statement-breakpoint
CREATE INDEX "outbox_messages_operation" ON "onceboard"."outbox_messages" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_operation" ON "onceboard"."payments" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_merchant_reference" ON "onceboard"."payments" USING btree ("tenant_id","account_id","merchant_reference") WHERE merchant_reference is not null and status <> 'failed';--> statement-breakpoint
CREATE INDEX "payments_reference" ON "onceboard"."payments" USING btree ("tenant_id","merchant_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_operation" ON "onceboard"."refunds" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "onceboard"."refunds" USING btree ("tenant_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "voids_operation" ON "onceboard"."voids" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "voids_payment" ON "onceboard"."voids" USING btree ("tenant_id","payment_id") WHERE status <> 'failed';--> statement-breakpoint
CREATE INDEX "provider_requests_operation" ON "onceboard"."provider_requests" USING btree ("tenant_id","operation_id");--> statement-breakpoint
CREATE INDEX "provider_requests_provider_key" ON "onceboard"."provider_requests" USING btree ("tenant_id","provider_key");--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_requests" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_open" SET (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "onceboard"."outbox_messages" SET (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_bodies" ALTER COLUMN "body" SET STORAGE EXTERNAL;
