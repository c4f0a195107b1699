-- Durations are counted in these classes, given by their upper ends in milliseconds. 30 s and 24 h
-- are among them because regulators ask for purchases that took longer. A class that is in use
-- never changes.
create or replace function report_time_bounds() returns bigint[]
language sql
immutable
as $$
  select array[
    50, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 5000, 7000, 10000, 15000, 20000, 30000, 60000,
    120000, 300000, 900000, 3600000, 21600000, 86400000
  ]::bigint[];
$$;
