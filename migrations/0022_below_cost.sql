-- Of sales below cost one alarm is open for each merchant, network and provider, however many follow.
create unique index alarms_below_cost_key on alarms (merchant_id, message)
  where kind = 'sold_below_cost' and acknowledged_at is null;
