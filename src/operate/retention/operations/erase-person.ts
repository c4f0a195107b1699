/**
 * Erases the data of one person that the books do not need. Purchases stay, without the person. The
 * output lists what is kept. Running it again continues an interrupted erasure.
 */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, oneOf } from '../../../core/operation-fields.ts';
import { type OnProgress, unwatched } from '../../../core/progress.ts';
import type { Database } from '../../../db/database.ts';
import { cellOf } from '../../../db/in-each-cell.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { forgetFinding } from '../difference-store.ts';
import {
  findHeldStep,
  fingerprintOf,
  firstPlace,
  type Held,
  heldKinds,
  maskPerson,
  numbersOf,
  type Person,
} from '../find-held.ts';
import { deleteIdentity, deleteSavedRecipient, forgetBatchRows, forgetDestination } from '../person-store.ts';
import { anonymiseDifferences, anonymisePurchases } from '../purchase-anonymising-store.ts';
import { findUnfinished } from '../unfinished-store.ts';
import { type PersonNeeds, personField, requirePerson } from './export-person.ts';

const REFERENCES_SHOWN = 5;
const count = Type.Integer({ minimum: 0 });

export const erasePersonOperation = defineOperation({
  name: 'person.erase',
  kind: 'task',
  summary: 'erase the personal data of one person, except what the books need',
  roles: admins,
  route: 'POST /persons/erase',
  document: 'operators/retention.md',
  confirm: "Erase this person's data? This can't be undone.",
  input: inputOf({ person: personField }),
  output: Type.Object({
    purchases: count,
    contacts: count,
    deliveries: count,
    /** Batches with rows that were not bought. */
    batches: count,
    identities: count,
    recipients: count,
    findings: count,
    kept: Type.Array(Type.Object({ kind: oneOf(heldKinds), merchant: Type.String(), why: Type.String() })),
  }),
  run: async (needs: PersonNeeds & { readonly onProgress?: OnProgress }, { person: typed }) => {
    const person = requirePerson(typed);
    const held = await findAll(needs, person);
    await refuseUnfinished(needs, held);
    const kept = held.flatMap(({ kind, merchant, needed }) =>
      needed === undefined ? [] : [{ kind, merchant, why: needed }],
    );
    const gone = held.filter(({ needed }) => needed === undefined);
    const of = (kind: Held['kind']): number => gone.filter((one) => one.kind === kind).length;
    const counts = {
      purchases: of('purchase'),
      contacts: of('contact'),
      deliveries: of('delivery'),
      batches: of('batch_row'),
      identities: of('identity'),
      recipients: of('saved_recipient'),
      findings: of('finding'),
    };
    const subject = `person:${maskPerson(person)}`;
    const after = { fingerprint: fingerprintOf(await needs.pepper(), person), ...counts, kept: kept.length };
    // Recorded before the first change, so that an interrupted erasure is in the audit log.
    await needs.database.transaction((tx) =>
      recordOperation(tx, { actor: needs.actor, action: 'person.erase', subject, after }),
    );
    await eraseAll(needs.database, person, gone);
    return { ...counts, kept };
  },
});

async function findAll(
  { sql, sealer, onProgress = unwatched }: PersonNeeds & { readonly onProgress?: OnProgress },
  person: Person,
): Promise<Held[]> {
  const needs = { sql, sealer: await sealer() };
  const held: Held[] = [];
  for (let place: typeof firstPlace | undefined = firstPlace; place !== undefined; ) {
    const step = await findHeldStep(needs, person, place);
    held.push(...step.held);
    onProgress({ step: place.stage, done: held.length, unit: 'rows found' });
    place = step.next;
  }
  return held;
}

/** Throws OperationError `person_needed`. */
async function refuseUnfinished({ sql }: PersonNeeds, held: readonly Held[]): Promise<void> {
  const purchases = held.filter(({ kind }) => kind === 'purchase' || kind === 'contact');
  const references = await findUnfinished(
    sql,
    purchases.map(({ key }) => key),
  );
  if (references.length === 0) return;
  throw new OperationError({
    code: 'person_needed',
    references: references.slice(0, REFERENCES_SHOWN),
    more: Math.max(0, references.length - REFERENCES_SHOWN),
  });
}

async function eraseAll(database: Database, person: Person, gone: readonly Held[]): Promise<void> {
  for (const kind of ['purchase', 'contact'] as const) {
    const mine = gone.filter((one) => one.kind === kind).map(({ key }) => key);
    for (const [merchantId, keys] of Map.groupBy(mine, (key) => key.merchantId)) {
      for (let from = 0; from < keys.length; from += 500) {
        const ids = keys.slice(from, from + 500).map(({ id }) => id);
        // For a contact, the recipient is another number, which stays.
        const what = kind === 'purchase' ? 'purchases' : 'customers';
        if (database.cells === undefined) {
          await database.transaction((tx) => anonymisePurchases(tx, what, merchantId, ids));
          continue;
        }
        await database.transaction((tx) => anonymiseDifferences(tx, what, merchantId, ids));
        const cell = await cellOf(database, merchantId);
        await cell.transaction((tx) => anonymisePurchases(tx, what, merchantId, ids, 'cell'));
      }
    }
  }
  for (const { kind, key } of gone) {
    const cell = await cellOf(database, key.merchantId);
    if (kind === 'delivery') await cell.transaction((tx) => forgetDestination(tx, key));
    if (kind === 'batch_row') {
      await cell.transaction((tx) => forgetBatchRows(tx, key, numbersOf(person)));
    }
    if (kind === 'finding') await database.transaction((tx) => forgetFinding(tx, key.id));
    if (kind === 'saved_recipient') await cell.transaction((tx) => deleteSavedRecipient(tx, key));
    if (kind === 'identity') await database.transaction((tx) => deleteIdentity(tx, key));
  }
}
