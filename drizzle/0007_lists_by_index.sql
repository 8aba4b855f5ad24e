DROP INDEX "onceboard"."payments_reference";--> statement-breakpoint
DROP INDEX "onceboard"."idempotency_requests_expires";--> statement-breakpoint
CREATE INDEX "idempotency_requests_account" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","account_id","created_at","operation_id") WHERE account_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_requests_reference" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","reference","created_at") WHERE reference is not null;--> statement-breakpoint
CREATE INDEX "idempotency_requests_expires" ON "onceboard"."idempotency_requests" USING btree ("tenant_id","expires_at","operation_id","created_at");