/** Gives an endpoint a new secret. The one before signs beside it for a while. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { type EndpointRow, secretPlace } from './endpoint.ts';
import { updateSecret } from './endpoint-store.ts';
import { newSecret } from './signature.ts';

/** The endpoint must be locked. */
export async function rotateSecret(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  { id }: Pick<EndpointRow, 'id'>,
  overlapMs: number,
  actor: ActorOrName,
): Promise<{ readonly secret: string; readonly oldEndsAt: Date | undefined }> {
  const secret = newSecret();
  const oldEndsAt = await updateSecret(tx, id, { secret: sealer.seal(secretPlace(id), secret), overlapMs });
  await recordOperation(tx, {
    actor,
    action: 'webhook.rotate',
    subject: `webhook:${id}`,
    after: { old_secret_ends_at: oldEndsAt ?? null },
  });
  return { secret, oldEndsAt };
}
