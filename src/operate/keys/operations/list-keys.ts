/**
 * Counts the values sealed with each key. Tables are counted in slices, so that no statement takes
 * long. A value that is written meanwhile may be counted twice or not at all.
 */
import { type Static, Type } from 'typebox';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfWhole } from '../../../core/page.ts';
import { type OnProgress, unwatched } from '../../../core/progress.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { Sql } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { countSealedValues, listSealedParts, type SealedField, sealedFields } from '../reseal-store.ts';

const keyOutput = Type.Object({
  table: Type.String(),
  /** The first digits of the key's SHA-256. */
  key: Type.String(),
  count: Type.Integer(),
  /** Whether it is the current key. Null if this machine does not have the current key. */
  present: nullable(Type.Boolean()),
});

type Needs = Asking & {
  readonly sealer: () => Promise<Pick<Sealer, 'keyId'>>;
  readonly onProgress?: OnProgress;
};

export const listKeysOperation = defineOperation({
  name: 'key.list',
  kind: 'question',
  summary: 'count the values encrypted with each key, named by the first digits of its SHA-256',
  roles,
  route: 'GET /keys',
  document: 'operators/keys.md',
  input: inputOf(pageFields),
  output: pageOf(keyOutput),
  run: async ({ sql, sealer, onProgress = unwatched }: Needs, { limit = 50, cursor }) => {
    const present = await sealer().then(
      ({ keyId }) => keyId,
      () => undefined,
    );
    const rows: Static<typeof keyOutput>[] = [];
    for (const field of sealedFields.toSorted(byTable)) {
      for (const [key, count] of await countField(sql, field, onProgress)) {
        rows.push({
          table: field.table,
          key,
          count,
          present: present === undefined ? null : key === present,
        });
      }
    }
    return pageOfWhole(rows, { limit, cursor }, ({ table, key }) => `${table}/${key}`);
  },
});

function byTable(one: SealedField, other: SealedField): number {
  return one.table < other.table ? -1 : 1;
}

/** Returns the count of each key, ordered by the name of the key. */
async function countField(sql: Sql, field: SealedField, onProgress: OnProgress): Promise<[string, number][]> {
  const counted = new Map<string, number>();
  let done = 0;
  for (const part of await listSealedParts(sql, field)) {
    let from: number | undefined = 0;
    while (from !== undefined) {
      const slice: Awaited<ReturnType<typeof countSealedValues>> = await countSealedValues(sql, part, from);
      for (const { keyId, count } of slice.counts) {
        counted.set(keyId, (counted.get(keyId) ?? 0) + count);
        done += count;
      }
      onProgress({ step: field.table, done, unit: 'values counted' });
      from = slice.next;
    }
  }
  return [...counted].sort(([one], [other]) => (one < other ? -1 : 1));
}
