ALTER TABLE "onceboard"."api_keys" ADD COLUMN "scopes" text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."api_keys" ADD COLUMN "profile" text NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."operators" ADD COLUMN "disabled_at" timestamp with time zone;