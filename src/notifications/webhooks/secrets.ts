/**
 * The secrets of an endpoint: the current one and, for a while after a rotation, earlier ones.
 * Several rotations leave several old secrets: the answer of a rotation may have been lost, and
 * only the merchant knows which secret its server has.
 */

import type { ActorOrName } from '../../core/actor.ts';
import { invariant } from '../../core/errors.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { secretPlace } from './endpoint.ts';
import { type EndpointKey, findSecrets, type StoredSecrets, updateSecrets } from './endpoint-store.ts';
import { newSecret } from './signature.ts';

/** The most old secrets that still sign. */
const OLD_MAX = 4;
/** Separates old secrets, which are sealed as one value. No secret contains it. */
const BETWEEN = ' ';

/** Opens the signing secrets, the current one first. Throws if one cannot be opened. */
export function openSecrets(
  id: string,
  { secret, old }: StoredSecrets,
  sealer: Pick<Sealer, 'open'>,
): string[] {
  return [secret, ...(old === null ? [] : [old])].flatMap((sealed) => {
    const opened = sealer.open(secretPlace(id), sealed);
    if (opened === undefined) {
      throw new Error('the secret of an endpoint cannot be decrypted with the current keys');
    }
    return opened.split(BETWEEN);
  });
}

/** Seals a new secret with the old ones. Secrets that cannot be opened are dropped. */
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

/** Rotates the secret of an endpoint, which must be locked. */
export async function rotateSecret(
  tx: Tx,
  sealer: Pick<Sealer, 'open' | 'seal'>,
  endpoint: EndpointKey,
  overlapMs: number,
  actor: ActorOrName,
): Promise<{ readonly secret: string; readonly oldEndsAt: Date | undefined }> {
  const { id } = endpoint;
  const secret = newSecret();
  const before = await findSecrets(tx, endpoint);
  invariant(before !== undefined, 'the endpoint is locked');
  const rotated = sealRotated(id, before, { secret, keepsOld: overlapMs > 0 }, sealer);
  const oldEndsAt = await updateSecrets(tx, endpoint, rotated, overlapMs);
  await recordOperation(tx, {
    actor,
    action: 'webhook.rotate',
    subject: `webhook:${id}`,
    after: { old_secret_ends_at: oldEndsAt ?? null },
  });
  return { secret, oldEndsAt };
}
