CREATE TABLE "onceboard"."operator_requests" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"service" text NOT NULL,
	"action" text NOT NULL,
	"outcome" text,
	"provider_reference" text,
	"evidence" text[] DEFAULT '{}'::text[] NOT NULL,
	"reason" text,
	"asked_by" text NOT NULL,
	"person" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"taken_by" text,
	"taken_at" timestamp with time zone,
	"fence" integer,
	"found_state" text,
	"ended_at" timestamp with time zone,
	"ended" text,
	"result" text,
	"finding" text,
	"withdrawn_by" text,
	CONSTRAINT "operator_requests_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "operator_requests_action" CHECK ("onceboard"."operator_requests"."action" in ('reconcile', 'resolve', 'release')),
	CONSTRAINT "operator_requests_outcome" CHECK (("onceboard"."operator_requests"."action" = 'resolve') = ("onceboard"."operator_requests"."outcome" is not null)),
	CONSTRAINT "operator_requests_decision" CHECK ("onceboard"."operator_requests"."outcome" in ('succeeded', 'failed')),
	CONSTRAINT "operator_requests_ended" CHECK ("onceboard"."operator_requests"."ended" in ('settled', 'overtaken', 'withdrawn')),
	CONSTRAINT "operator_requests_end" CHECK (("onceboard"."operator_requests"."ended" is null) = ("onceboard"."operator_requests"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_open" ADD COLUMN "request_id" uuid;--> statement-breakpoint
CREATE INDEX "operator_requests_operation" ON "onceboard"."operator_requests" USING btree ("tenant_id","operation_id","asked_at");--> statement-breakpoint
CREATE INDEX "operator_requests_open" ON "onceboard"."operator_requests" USING btree ("tenant_id","asked_at") WHERE ended_at is null;