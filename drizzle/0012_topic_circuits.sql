CREATE TABLE "onceboard"."topic_circuits" (
	"tenant_id" text NOT NULL,
	"topic" text NOT NULL,
	"failures" integer NOT NULL,
	"opened_at" timestamp with time zone,
	"canaries" integer DEFAULT 0 NOT NULL,
	"canary_at" timestamp with time zone,
	"canary_out" boolean DEFAULT false NOT NULL,
	"last_error" text,
	"last_error_code" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "topic_circuits_tenant_id_topic_pk" PRIMARY KEY("tenant_id","topic")
);
