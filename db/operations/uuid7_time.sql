-- When a UUIDv7 was made, from its own first 48 bits (RFC 9562 §5.7); null for any other text. A key of this form tells its
-- age although nothing is stored about it any more.
create or replace function onceboard.uuid7_time(p_text text) returns timestamptz language sql immutable as $$
  select case when p_text ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$' then
    to_timestamp(('x' || replace(left(p_text, 13), '-', ''))::bit(48)::bigint / 1000.0) end
$$;
