CREATE TABLE "onceboard"."metric_client_days" (
	"tenant_id" text NOT NULL,
	"day" date NOT NULL,
	"client" text NOT NULL,
	"measure" text NOT NULL,
	"count" integer NOT NULL,
	"sum" double precision NOT NULL,
	"top" double precision NOT NULL,
	CONSTRAINT "metric_client_days_tenant_id_client_day_measure_pk" PRIMARY KEY("tenant_id","client","day","measure")
);--> statement-breakpoint
-- What is there already: whole days of UTC, as roll_up_clients adds them up from now on.
INSERT INTO "onceboard"."metric_client_days" ("tenant_id", "day", "client", "measure", "count", "sum", "top")
SELECT "tenant_id", ("bucket" AT TIME ZONE 'utc')::date, "client", "measure", sum("count")::integer, sum("sum"), max("sum")
FROM "onceboard"."metric_clients"
WHERE "bucket" < (date_trunc('day', now() AT TIME ZONE 'utc') AT TIME ZONE 'utc')
GROUP BY 1, 2, 3, 4;
