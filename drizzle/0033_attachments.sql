CREATE TABLE "onceboard"."attached_acts" (
	"tenant_id" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"attachment_id" uuid NOT NULL,
	"act" text NOT NULL,
	"target" text,
	"before" timestamp with time zone,
	"most" integer,
	"fence" integer NOT NULL,
	"prepared_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone,
	"xid" text,
	"changed" integer,
	"was" text,
	"is_now" text,
	CONSTRAINT "attached_acts_tenant_id_operation_id_pk" PRIMARY KEY("tenant_id","operation_id"),
	CONSTRAINT "attached_acts_act" CHECK ("onceboard"."attached_acts"."act" in ('requeue', 'discard', 'purge')),
	CONSTRAINT "attached_acts_target" CHECK (("onceboard"."attached_acts"."act" = 'purge') = ("onceboard"."attached_acts"."target" is null))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."attached_samples" (
	"tenant_id" text NOT NULL,
	"attachment_id" uuid NOT NULL,
	"measure" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"value" bigint NOT NULL,
	"at_least" boolean NOT NULL,
	CONSTRAINT "attached_samples_tenant_id_attachment_id_measure_at_pk" PRIMARY KEY("tenant_id","attachment_id","measure","at")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."attachments" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"sealed" "bytea",
	"shown" text NOT NULL,
	"installed_as" text NOT NULL,
	"preset" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "attachments_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "attachments_sealed" CHECK (("onceboard"."attachments"."sealed" is null) = ("onceboard"."attachments"."removed_at" is not null))
);
--> statement-breakpoint
CREATE INDEX "attached_acts_newest" ON "onceboard"."attached_acts" USING btree ("tenant_id","attachment_id","prepared_at");--> statement-breakpoint
CREATE UNIQUE INDEX "attachments_name" ON "onceboard"."attachments" USING btree ("tenant_id","name") WHERE removed_at is null;