ALTER TABLE "onceboard"."idempotency_bodies" ALTER COLUMN "fence" SET DATA TYPE integer;--> statement-breakpoint
ALTER TABLE "onceboard"."idempotency_bodies" ALTER COLUMN "fence" SET DEFAULT 1;