CREATE TABLE "onceboard"."metric_suppressed" (
	"tenant_id" text NOT NULL,
	"unit" text NOT NULL,
	"bucket" timestamp with time zone NOT NULL,
	"operation" text NOT NULL,
	"currency" text NOT NULL,
	"count" integer NOT NULL,
	"sum_minor" bigint NOT NULL,
	CONSTRAINT "metric_suppressed_tenant_id_unit_bucket_operation_currency_pk" PRIMARY KEY("tenant_id","unit","bucket","operation","currency"),
	CONSTRAINT "metric_suppressed_unit" CHECK ("onceboard"."metric_suppressed"."unit" in ('minute', 'hour'))
);
