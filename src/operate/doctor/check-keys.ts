/** Checks that the encryption key opens a sample of the sealed values of the database. */

import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import { listNewestSealed, listSealedParts, sealedFields } from '../keys/reseal-store.ts';
import { type Finding, ok, skipped, wrong } from './finding.ts';

const SAMPLE_SIZE = 3;

export async function checkKeys(sql: Sql, sealer: Sealer | undefined): Promise<Finding[]> {
  const check = 'encryption key';
  let opened = 0;
  let tried = 0;
  const closed: string[] = [];
  for (const field of sealedFields) {
    for (const part of await listSealedParts(sql, field)) {
      for (const { place, sealed } of await listNewestSealed(sql, part, SAMPLE_SIZE)) {
        tried += 1;
        if (sealer?.open(place, sealed) !== undefined) opened += 1;
        else if (!closed.includes(field.table)) closed.push(field.table);
      }
    }
  }
  if (tried === 0) return [skipped(check, 'no sealed values yet')];
  if (opened === tried) return [ok(check, `it opens all ${tried} sampled values`)];
  const seen =
    sealer === undefined
      ? 'no key is set'
      : `it does not open values of ${closed.join(', ')} (${opened} of ${tried} opened)`;
  return [
    wrong(
      check,
      seen,
      "set OJA_ENCRYPTION_KEY to the gateway's key, and OJA_ENCRYPTION_KEYS_OLD to its earlier keys",
    ),
  ];
}
