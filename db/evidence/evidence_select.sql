-- The branch of a view `effects` or `entries` that reads one registered relation, with the columns of the view in their order;
-- without a relation the branch of a view that is empty. An id is a uuid or a text, and is given as text and in its own type: a
-- condition on that one reaches the index behind the relation. Refuses a relation whose columns do not fit.
create or replace function onceboard.evidence_select(p_holds text, p_relation text) returns text language plpgsql stable as $$
declare
  v_relation regclass := to_regclass(p_relation);
  v_list text;
  v_wrong text;
begin
  if v_relation is null and p_relation is not null then
    raise exception 'register_evidence: there is no relation %', p_relation using errcode = '42P01';
  end if;
  select string_agg(case
      when w.type <> 'key' then format('%s::%s as %I', coalesce('r.' || w.name, 'null'), w.type, w.shown)
      else format('%s::text as %I, %s::uuid as %I, %s::text as %I', coalesce('r.' || w.name, 'null'), w.shown,
        case when w.found = 'uuid' then 'r.' || w.name else 'null' end, w.shown || '_as_uuid',
        case when w.found <> 'uuid' then 'r.' || w.name else 'null' end, w.shown || '_as_text') end, ', ' order by w.nth),
    string_agg(case when w.found is null then w.shown || ' is missing' else format('%s is of type %s', w.shown, w.found) end, ', ' order by w.nth)
      filter (where v_relation is not null and not coalesce(w.found = any (w.fits), not w.needed))
  into v_list, v_wrong
  from (
    select s.nth, s.name as shown, case when a.attname is not null then quote_ident(s.name) end as name, s.type, s.needed,
      format_type(a.atttypid, null) as found,
      case s.type when 'text' then '{text,character varying}' when 'key' then '{uuid,text,character varying}'
        when 'bigint' then '{bigint,integer}' when 'timestamptz' then '{timestamp with time zone}' else array[s.type] end::text[] as fits
    from (values
      ('effects', 1, 'tenant_id', 'text', true), ('effects', 2, 'operation_id', 'uuid', true), ('effects', 3, 'kind', 'text', true),
      ('effects', 4, 'id', 'key', true), ('effects', 5, 'status', 'text', false), ('effects', 6, 'account', 'text', false),
      ('effects', 7, 'reference', 'text', false), ('effects', 8, 'belongs_to', 'key', false), ('effects', 9, 'amount_minor', 'bigint', false),
      ('effects', 10, 'currency', 'text', false), ('effects', 11, 'returned_minor', 'bigint', false),
      ('effects', 12, 'provider_key', 'text', false), ('effects', 13, 'provider_reference', 'text', false),
      ('effects', 14, 'created_at', 'timestamptz', true),
      ('entries', 1, 'tenant_id', 'text', true), ('entries', 2, 'operation_id', 'uuid', true), ('entries', 3, 'id', 'key', true),
      ('entries', 4, 'kind', 'text', true), ('entries', 5, 'source_id', 'key', false), ('entries', 6, 'debit_account', 'text', true),
      ('entries', 7, 'credit_account', 'text', true), ('entries', 8, 'amount_minor', 'bigint', true),
      ('entries', 9, 'currency', 'text', true), ('entries', 10, 'posted_at', 'timestamptz', true)
    ) s(holds, nth, name, type, needed)
    left join pg_attribute a on a.attrelid = v_relation and a.attname = s.name and a.attnum > 0 and not a.attisdropped
    where s.holds = p_holds) w;
  if v_list is null then
    raise exception 'register_evidence: a relation holds effects or entries, not %', p_holds using errcode = '22023';
  end if;
  if v_wrong is not null then
    raise exception 'register_evidence: % does not fit: %', p_relation, v_wrong using errcode = '22023';
  end if;
  return 'select ' || v_list
    || case when v_relation is null then ' where false' else format(' from %s r', v_relation) end;
end $$;
