ALTER TABLE "onceboard"."data_keys" ADD COLUMN "key_store" text;--> statement-breakpoint
ALTER TABLE "onceboard"."data_keys" ADD COLUMN "store_destroyed_at" timestamp with time zone;
