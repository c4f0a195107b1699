-- What an act that waits is about, and what it gives away, as it was when it was asked for. It has
-- codes, references and amounts, and nothing of a customer.
alter table approvals
  add column about jsonb;

-- An e-mail to somebody who may approve an act that waits. The transaction that stores the act
-- stores its e-mails, so each person gets one.
alter table user_mails
  add column approval_id uuid,
  drop constraint user_mails_purpose_check,
  add constraint user_mails_purpose_check check (purpose in ('invitation', 'reset', 'approval')),
  add constraint user_mails_approval_check check ((purpose = 'approval') = (approval_id is not null));
create unique index user_mails_approval_idx on user_mails (approval_id, user_id) where approval_id is not null;
