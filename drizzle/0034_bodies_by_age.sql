-- onceboard: concurrently
CREATE INDEX CONCURRENTLY "idempotency_bodies_created" ON "onceboard"."idempotency_bodies" USING brin ("created_at");
