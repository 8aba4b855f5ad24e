CREATE TABLE "onceboard"."alert_destinations" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"shown" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "alert_destinations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "alert_destinations_kind" CHECK ("onceboard"."alert_destinations"."kind" in ('slack', 'pagerduty', 'email'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."alert_rules" (
	"tenant_id" text NOT NULL,
	"condition" text NOT NULL,
	"enabled" boolean NOT NULL,
	"threshold" bigint NOT NULL,
	"amounts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "alert_rules_tenant_id_condition_pk" PRIMARY KEY("tenant_id","condition"),
	CONSTRAINT "alert_rules_condition" CHECK ("onceboard"."alert_rules"."condition" in ('money_in_doubt', 'dead_letters', 'failing_topic', 'stopped_loop', 'red_invariant'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."alert_turns" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."alerts" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"condition" text NOT NULL,
	"subject" text NOT NULL,
	"level" integer DEFAULT 0 NOT NULL,
	"value" bigint NOT NULL,
	"threshold" bigint NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone,
	"clear_since" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"ended_as" text,
	CONSTRAINT "alerts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "alerts_end" CHECK (("onceboard"."alerts"."ended_at" is null) = ("onceboard"."alerts"."ended_as" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_open" ON "onceboard"."alerts" USING btree ("tenant_id","condition","subject") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "alerts_ended" ON "onceboard"."alerts" USING btree ("tenant_id","ended_at");
