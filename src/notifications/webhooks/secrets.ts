/**
 * The secrets of an endpoint: the present one and, for a while after a rotation, those before it.
 * Several of them are old at once where it is rotated again meanwhile: nobody but the merchant
 * knows which of them its server has, since the answer of a rotation may have been lost.
 */

import type { ActorOrName } from '../../core/actor.ts';
import { invariant } from '../../core/errors.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { type EndpointRow, secretPlace } from './endpoint.ts';
import { findSecrets, type StoredSecrets, updateSecrets } from './endpoint-store.ts';
import { newSecret } from './signature.ts';

/** The oldest of more than these sign no more. */
const OLD_MAX = 4;
/** In no secret: those that are old are sealed as one value. */
const BETWEEN = ' ';

/** Those that sign, the present one first. Throws where one does not open. */
export function openSecrets(
  id: string,
  { secret, old }: StoredSecrets,
  sealer: Pick<Sealer, 'open'>,
): string[] {
  return [secret, ...(old === null ? [] : [old])].flatMap((sealed) => {
    const opened = sealer.open(secretPlace(id), sealed);
    if (opened === undefined) {
      throw new Error('the secret of an endpoint does not open with the present keys');
    }
    return opened.split(BETWEEN);
  });
}

/** With a new one. What does not open signs nothing, and is left out. */
function sealRotated(
  id: string,
  before: StoredSecrets,
  { secret, keepsOld }: { readonly secret: string; readonly keepsOld: boolean },
  sealer: Pick<Sealer, 'open' | 'seal'>,
): StoredSecrets {
  const place = secretPlace(id);
  const old = [before.secret, before.old]
    .flatMap((sealed) => (sealed === null ? [] : (sealer.open(place, sealed)?.split(BETWEEN) ?? [])))
    .slice(0, OLD_MAX);
  return {
    secret: sealer.seal(place, secret),
    old: keepsOld && old.length > 0 ? sealer.seal(place, old.join(BETWEEN)) : null,
  };
}

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
