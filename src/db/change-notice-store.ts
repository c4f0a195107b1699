/**
 * Notifies every running gateway that something has changed which it may have cached. A notice is
 * sent in the transaction of the change, so it arrives when, and only if, the change is committed.
 * Notices can be lost while a listener is disconnected, so a gateway whose listening connection is
 * down does not trust its cache.
 */
import type { Tx } from './database.ts';

export const changesChannel = 'oja_changes';

/**
 * `merchants` and `credentials` mean all of them; `credential:<key id>` means one. `providers`
 * stands for the stored credentials of providers, `restore_lock` for the restore lock and for
 * purchases that were entered behind it.
 */
export type ChangeNotice =
  | 'merchants'
  | 'credentials'
  | 'routes'
  | 'plans'
  | 'guards'
  | 'restore_lock'
  | 'providers'
  | `credential:${string}`;

export async function announceChange(tx: Tx, notice: ChangeNotice): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [changesChannel, notice]);
}
