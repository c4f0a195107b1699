/** The encryption key: whether it opens what this database keeps sealed. A few values are tried. */

import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import { listNewestSealed, sealedFields } from '../keys/reseal-store.ts';
import { type Finding, ok, skipped, wrong } from './finding.ts';

const TRIED_EACH = 3;
export async function checkKeys(sql: Sql, sealer: Sealer | undefined): Promise<Finding[]> {
  const check = 'encryption key';
  let opened = 0;
  let tried = 0;
  const closed: string[] = [];
  for (const field of sealedFields) {
    for (const { place, sealed } of await listNewestSealed(sql, field, TRIED_EACH)) {
      tried += 1;
      if (sealer?.open(place, sealed) !== undefined) opened += 1;
      else if (!closed.includes(field.table)) closed.push(field.table);
    }
  }
  if (tried === 0) return [skipped(check, 'nothing is kept sealed yet')];
  if (opened === tried) return [ok(check, `it opens what is sealed (${tried} values tried)`)];
  const seen =
    sealer === undefined
      ? 'there is none here'
      : `it does not open what is sealed in ${closed.join(', ')} (${opened} of ${tried} values open)`;
  return [
    wrong(
      check,
      seen,
      'set OJA_ENCRYPTION_KEY to the key of the gateway, and older ones to OJA_ENCRYPTION_KEYS_OLD',
    ),
  ];
}
