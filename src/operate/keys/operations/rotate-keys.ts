/**
 * Seals all values again with the current key, so that the old keys are no longer needed. It runs
 * beside gateways that have both keys. It can be interrupted and run again, because each batch is a
 * transaction that reads a bounded part of a table.
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
  listSealedParts,
  putSealedValues,
  type RowPlace,
  type SealedField,
  type SealedPart,
  sealedFields,
  takeSealedValues,
} from '../reseal-store.ts';

type Rotated = {
  readonly table: string;
  readonly resealed: number;
  /** Values that no key opens. They are left unchanged. */
  readonly unopened: number;
};

const BATCH = 200;
/** Documents are processed one by one, because each is in memory sealed and opened. */
const LARGE_BATCH = 1;

/**
 * Rotates all fields. The audit log records the start and the end, so that an interrupted rotation
 * is recorded too. `onProgress` is called after each batch.
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

async function resealField(
  database: Pick<Database, 'transaction'>,
  field: SealedField,
  sealer: Sealer,
  onProgress: OnProgress,
): Promise<Rotated> {
  const { table } = field;
  let resealed = 0;
  let unopened = 0;
  for (const part of await database.transaction((tx) => listSealedParts(tx, field))) {
    const before = resealed;
    const onBatch = (count: number): void =>
      onProgress({ step: table, done: before + count, unit: 'values sealed again' });
    const rotated = await resealPart(database, part, sealer, onBatch);
    resealed += rotated.resealed;
    unopened += rotated.unopened;
  }
  return { table, resealed, unopened };
}

type Resealed = Pick<Rotated, 'resealed' | 'unopened'>;

/**
 * Seals a field again. A concurrent update can move a row to a place that was already passed, so
 * the table is read until a pass finds nothing.
 */
async function resealPart(
  database: Pick<Database, 'transaction'>,
  part: SealedPart,
  sealer: Sealer,
  onBatch: (resealed: number) => void,
): Promise<Resealed> {
  let resealed = 0;
  for (;;) {
    const before = resealed;
    const pass = await resealOnce(database, part, sealer, (count) => onBatch(before + count));
    resealed += pass.resealed;
    if (pass.resealed === 0) return { ...pass, resealed };
  }
}

async function resealOnce(
  database: Pick<Database, 'transaction'>,
  field: SealedPart,
  sealer: Sealer,
  onBatch: (resealed: number) => void,
): Promise<Resealed> {
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
  return { resealed, unopened };
}

type Needs = Pick<Tasking, 'database' | 'actor'> & {
  readonly sealer: () => Promise<Sealer>;
  readonly onProgress?: OnProgress;
};

/** Throws OperationError `values_unopened` after all other values are sealed again. */
export const rotateKeysOperation = defineOperation({
  name: 'key.rotate',
  kind: 'task',
  summary:
    'encrypt all values again with OJA_ENCRYPTION_KEY; OJA_ENCRYPTION_KEYS_OLD decrypts the existing values',
  roles: admins,
  route: 'POST /keys/rotate',
  isLong: true,
  document: 'operators/keys.md',
  confirm: 'Every gateway must already have the new key. Seal all values again?',
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
