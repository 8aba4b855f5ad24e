CREATE TABLE "onceboard"."audit_chain_checks" (
	"chain" text PRIMARY KEY NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"checked_to" bigint NOT NULL,
	"broken_at" bigint,
	"reason" text,
	"checkpoint" bigint,
	"checkpoint_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "onceboard"."audit_checkpoints" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "onceboard"."audit_checkpoints_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain" text NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"line" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."audit_sinks" (
	"name" text PRIMARY KEY NOT NULL,
	"delivered" bigint NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"failing_since" timestamp with time zone,
	"error" text
);
--> statement-breakpoint
ALTER TABLE "onceboard"."audit_entries" ADD COLUMN "hash_version" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."audit_entries" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "onceboard"."audit_entries" ADD COLUMN "signature" "bytea";--> statement-breakpoint
CREATE INDEX "audit_checkpoints_chain" ON "onceboard"."audit_checkpoints" USING btree ("chain","sequence");
