CREATE TABLE "onceboard"."conflict_marks" (
	"tenant_id" text NOT NULL,
	"client" text NOT NULL,
	"operation" text NOT NULL,
	"mark" text NOT NULL,
	"note" text NOT NULL,
	"marked_by" text NOT NULL,
	"marked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conflict_marks_tenant_id_client_operation_pk" PRIMARY KEY("tenant_id","client","operation")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."invariant_checks" (
	"tenant_id" text NOT NULL,
	"name" text NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"violations" integer,
	"capped" boolean DEFAULT false NOT NULL,
	"duration_ms" integer NOT NULL,
	"examples" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "invariant_checks_tenant_id_name_checked_at_pk" PRIMARY KEY("tenant_id","name","checked_at")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_clients" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"client" text NOT NULL,
	"measure" text NOT NULL,
	"count" integer NOT NULL,
	"sum" double precision NOT NULL,
	CONSTRAINT "metric_clients_tenant_id_client_bucket_measure_pk" PRIMARY KEY("tenant_id","client","bucket","measure")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."metric_refusals" (
	"tenant_id" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"client" text NOT NULL,
	"code" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "metric_refusals_tenant_id_bucket_client_code_pk" PRIMARY KEY("tenant_id","bucket","client","code")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."saved_views" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"page" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."two_factors" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"user_id" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "onceboard"."api_clients" ADD COLUMN "contact" text;--> statement-breakpoint
ALTER TABLE "onceboard"."api_keys" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "onceboard"."api_keys" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."api_keys" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."api_keys" ADD COLUMN "revoked_by" text;--> statement-breakpoint
ALTER TABLE "onceboard"."operators" ADD COLUMN "two_factor_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."sessions" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "amount_minor" bigint;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD COLUMN "amounts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."two_factors" ADD CONSTRAINT "two_factors_user_id_operators_id_fk" FOREIGN KEY ("user_id") REFERENCES "onceboard"."operators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "onceboard"."saved_views" USING btree ("tenant_id","page","name");--> statement-breakpoint
CREATE INDEX "two_factors_user" ON "onceboard"."two_factors" USING btree ("user_id");