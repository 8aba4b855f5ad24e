-- Whether two actors may be one person: null when they are not; own when the same person stands behind both by themselves or by keys; anybody
-- when one is a key that names no holder; tied when they count as one for p_days after one had the other's account in hand.
create or replace function onceboard.same_person(p_tenant text, p_one text, p_other text, p_days integer)
returns text language sql stable as $$
  select case
    when onceboard.people_behind(p_tenant, p_one, 0) && onceboard.people_behind(p_tenant, p_other, 0) then 'own'
    when '*' = any (behind.one || behind.other) then 'anybody'
    when behind.one && behind.other then 'tied' end
  from (select onceboard.people_behind(p_tenant, p_one, p_days) as one,
      onceboard.people_behind(p_tenant, p_other, p_days) as other) behind
$$;
