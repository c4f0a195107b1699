-- Until accept_vends is replaced, processes of 0.1.0 store purchases that name no provider. The
-- worker gives them their lane (src/vending/path/lane-store.ts); it finds them by this.
alter table pending_vends alter column provider set default '';
