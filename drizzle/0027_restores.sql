CREATE TABLE "onceboard"."restores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"hold_until" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "onceboard"."database_place" (
	"only_row" boolean DEFAULT true NOT NULL,
	"place" text NOT NULL,
	"noted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "database_place_only_row_pk" PRIMARY KEY("only_row"),
	CONSTRAINT "database_place_only_row" CHECK ("onceboard"."database_place"."only_row")
);
--> statement-breakpoint
CREATE INDEX "restores_hold" ON "onceboard"."restores" USING btree ("hold_until");
