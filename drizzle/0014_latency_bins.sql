CREATE TABLE "onceboard"."metric_bins" (
	"tenant_id" text NOT NULL,
	"unit" text NOT NULL,
	"measure" text NOT NULL,
	"bin" smallint NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"client" text DEFAULT '' NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "metric_bins_pk" PRIMARY KEY("tenant_id","unit","measure","bin","bucket","client"),
	CONSTRAINT "metric_bins_unit" CHECK ("onceboard"."metric_bins"."unit" in ('minute', 'hour')),
	CONSTRAINT "metric_bins_measure" CHECK ("onceboard"."metric_bins"."measure" in ('first_answer', 'retry_delay'))
);
--> statement-breakpoint
ALTER TABLE "onceboard"."metric_buckets" ADD COLUMN "binned" boolean DEFAULT false NOT NULL;