/**
 * Seals again, under the present key, whatever another key sealed. Afterwards the old keys are not
 * needed any more. It runs beside gateways that have both keys. It may be stopped and run again,
 * since each batch is a transaction of its own, which reads a bounded part of a table.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import { type OnProgress, unwatched } from '../../../core/progress.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { Database } from '../../../db/database.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import {
  BEFORE_ALL,
  putSealedValues,
  type RowPlace,
  type SealedField,
  sealedFields,
  takeSealedValues,
} from '../reseal-store.ts';

type Rotated = {
  readonly table: string;
  readonly resealed: number;
  /** Values that none of the keys opens. They are left as they are. */
  readonly unopened: number;
};

const BATCH = 200;
/** Values as large as documents are taken one by one: each is in memory, sealed and open. */
const LARGE_BATCH = 1;

/**
 * The audit log has its beginning and its end, so that one that was stopped is on record too.
 * `onProgress` is told after each batch.
 */
export async function rotateKeys(
  database: Pick<Database, 'transaction'>,
  sealer: Sealer,
  actor: ActorOrName,
  onProgress: OnProgress = unwatched,
): Promise<Rotated[]> {
  await database.transaction((tx) =>
    recordOperation(tx, { actor, action: 'key.rotate_begin', subject: `key:${sealer.keyId}` }),
  );
  const rotated: Rotated[] = [];
  for (const field of sealedFields) rotated.push(await resealField(database, field, sealer, onProgress));
  await database.transaction((tx) =>
    recordOperation(tx, { actor, action: 'key.rotate', subject: `key:${sealer.keyId}`, after: { rotated } }),
  );
  return rotated;
}

/**
 * A row that is written meanwhile can move to a place that was passed already. So the table is read
 * again until nothing is left to do.
 */
async function resealField(
  database: Pick<Database, 'transaction'>,
  field: SealedField,
  sealer: Sealer,
  onProgress: OnProgress,
): Promise<Rotated> {
  let resealed = 0;
  for (;;) {
    const before = resealed;
    const pass = await resealOnce(database, field, sealer, (count) =>
      onProgress({ step: field.table, done: before + count, unit: 'values sealed again' }),
    );
    resealed += pass.resealed;
    if (pass.resealed === 0) return { ...pass, resealed };
  }
}

async function resealOnce(
  database: Pick<Database, 'transaction'>,
  field: SealedField,
  sealer: Sealer,
  onBatch: (resealed: number) => void,
): Promise<Rotated> {
  let resealed = 0;
  let unopened = 0;
  let after: RowPlace | undefined = BEFORE_ALL;
  while (after !== undefined) {
    const page = { keyId: sealer.keyId, after, limit: field.large ? LARGE_BATCH : BATCH };
    const batch = await database.transaction(async (tx) => {
      const { values, next } = await takeSealedValues(tx, field, page);
      const opened = values.flatMap(({ at, place, sealed }) => {
        const plain = sealer.open(place, sealed);
        return plain === undefined ? [] : [{ at, sealed: sealer.seal(place, plain) }];
      });
      await putSealedValues(tx, field, opened);
      return { next, taken: values.length, opened: opened.length };
    });
    resealed += batch.opened;
    if (batch.opened > 0) onBatch(resealed);
    unopened += batch.taken - batch.opened;
    after = batch.next;
  }
  return { table: field.table, resealed, unopened };
}

type Needs = Pick<Tasking, 'database' | 'actor'> & {
  readonly sealer: () => Promise<Sealer>;
  readonly onProgress?: OnProgress;
};

/** Throws OperationError `values_unopened`, when all others are sealed again. */
export const rotateKeysOperation = defineOperation({
  name: 'key.rotate',
  kind: 'task',
  summary:
    'seal everything again under OJA_ENCRYPTION_KEY; what was sealed before is opened with OJA_ENCRYPTION_KEYS_OLD',
  roles: admins,
  route: 'POST /keys/rotate',
  isLong: true,
  document: 'operators/keys.md',
  confirm: 'Every gateway must have the new key by now. Seal everything again under it?',
  input: inputOf({}),
  output: Type.Object({
    resealed: Type.Integer(),
    tables: Type.Array(Type.Object({ table: Type.String(), resealed: Type.Integer() })),
  }),
  run: async ({ database, sealer, actor, onProgress = unwatched }: Needs) => {
    const rotated = await rotateKeys(database, await sealer(), actor, onProgress);
    const unopened = sumOf(rotated.map((field) => field.unopened));
    if (unopened > 0) throw new OperationError({ code: 'values_unopened', count: unopened });
    return {
      resealed: sumOf(rotated.map((field) => field.resealed)),
      tables: rotated.map(({ table, resealed }) => ({ table, resealed })),
    };
  },
});

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
