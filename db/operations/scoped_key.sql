-- The name under which a second client of one tenant keeps a key that another client uses for the same operation.
create or replace function onceboard.scoped_key(p_key text, p_principal text) returns text language sql immutable as $$
  select p_key || '·' || left(encode(sha256(convert_to(p_principal, 'UTF8')), 'hex'), 12)
$$;
