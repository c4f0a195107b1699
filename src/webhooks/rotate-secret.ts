/** Gives an endpoint a new secret. Those before sign beside it for a while. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { invariant } from '../kernel/errors.ts';
import type { Sealer } from '../kernel/sealing.ts';
import type { EndpointRow } from './endpoint.ts';
import { findSecrets, updateSecrets } from './endpoint-store.ts';
import { sealRotated } from './secrets.ts';
import { newSecret } from './signature.ts';

/** The endpoint must be locked. */
export async function rotateSecret(
  tx: Tx,
  sealer: Pick<Sealer, 'open' | 'seal'>,
  { id }: Pick<EndpointRow, 'id'>,
  overlapMs: number,
  actor: ActorOrName,
): Promise<{ readonly secret: string; readonly oldEndsAt: Date | undefined }> {
  const secret = newSecret();
  const before = await findSecrets(tx, id);
  invariant(before !== undefined, 'the endpoint is locked');
  const rotated = sealRotated(id, before, { secret, keepsOld: overlapMs > 0 }, sealer);
  const oldEndsAt = await updateSecrets(tx, id, rotated, overlapMs);
  await recordOperation(tx, {
    actor,
    action: 'webhook.rotate',
    subject: `webhook:${id}`,
    after: { old_secret_ends_at: oldEndsAt ?? null },
  });
  return { secret, oldEndsAt };
}
