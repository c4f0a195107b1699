-- no transaction
-- No statement looks for these rows by their time.
drop index concurrently if exists provider_answers_time_idx;
drop index concurrently if exists vend_goods_time_idx;
drop index concurrently if exists sealed_goods_time_idx;
drop index concurrently if exists voucher_redemptions_time_idx;
