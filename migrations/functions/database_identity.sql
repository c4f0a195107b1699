-- Empty where the server does not tell.
create or replace function database_identity() returns text
language plpgsql
stable
as $$
begin
  return (
    select c.system_identifier || ':' || d.oid
    from pg_control_system() c
    cross join pg_database d
    where d.datname = current_database()
  );
exception
  when insufficient_privilege then
    return '';
end
$$;
