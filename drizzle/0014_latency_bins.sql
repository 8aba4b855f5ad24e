CREATE TABLE "onceboard"."metric_bins" (
	"tenant_id" text NOT NULL,
	"measure" text NOT NULL,
	"bin" smallint NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"client" text DEFAULT '' NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "metric_bins_tenant_id_measure_bin_bucket_client_pk" PRIMARY KEY("tenant_id","measure","bin","bucket","client"),
	CONSTRAINT "metric_bins_measure" CHECK ("onceboard"."metric_bins"."measure" in ('first_answer', 'retry_delay'))
);
--> statement-breakpoint
ALTER TABLE "onceboard"."metric_buckets" ADD COLUMN "binned" boolean DEFAULT false NOT NULL;