-- SHA-256 of a document, the same for documents that jsonb takes for equal: the text of jsonb has its members in one order, and a number
-- loses the zeros that end its fraction. engine/inbox/document-hash.ts makes the same of what is sealed and never comes here in clear.
create or replace function onceboard.document_hash(p_document jsonb) returns bytea language sql immutable strict parallel safe as $$
  select sha256(convert_to(case when p_document::text ~ '\.[0-9]*0(?![0-9])'
    -- A string is matched whole, so that nothing inside it is taken for a number.
    then regexp_replace(p_document::text, '("(?:[^"\\]|\\.)*")|(\.[0-9]*[1-9])0+(?![0-9])|\.0+(?![0-9])', '\1\2', 'g')
    else p_document::text end, 'utf8'))
$$;
