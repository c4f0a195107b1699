/** Exports the data of one person in pages. Each page is recorded in the audit log. */
import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import { nullableText } from '../../../core/nullable.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import { inputOf, oneOf, pageOf, text, timeOutput } from '../../../core/operation-fields.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import {
  findHeldStep,
  fingerprintOf,
  firstPlace,
  type Held,
  type HeldPlace,
  heldKinds,
  heldStages,
  maskPerson,
  type Person,
  readPerson,
} from '../find-held.ts';

export type PersonNeeds = Tasking & {
  readonly sealer: () => Promise<Sealer>;
  readonly pepper: () => Promise<KeyObject>;
};

const wanted = 'a mobile number, an e-mail address, or a number or name of at least 4 characters';

export const personField = Type.String({
  description: wanted,
  minLength: 4,
  maxLength: 254,
  pattern: '^[^\\p{Cc}]*$',
});

/** Throws OperationError `input_malformed`. */
export function requirePerson(typed: string): Person {
  const person = readPerson(typed);
  if (person !== undefined) return person;
  throw new OperationError({ code: 'input_malformed', errors: [{ field: 'person', kind: 'wrong', wanted }] });
}

/** A page searches at most this long for the first row. */
const STEP_MS = 2_000;

const heldOutput = Type.Object({
  kind: oneOf(heldKinds),
  merchant: Type.String(),
  environment: oneOf(environments),
  reference: nullableText,
  at: timeOutput,
  says: Type.Record(Type.String(), Type.String()),
});

export const exportPersonOperation = defineOperation({
  name: 'person.export',
  kind: 'task',
  summary: 'export the personal data of one person; each page is recorded in the audit log',
  roles: admins,
  route: 'POST /persons/export',
  document: 'operators/retention.md',
  input: inputOf({
    person: personField,
    cursor: Type.Optional(text('the cursor of the previous page', { maxLength: 400 })),
  }),
  output: pageOf(heldOutput),
  run: async ({ database, sql, actor, sealer, pepper }: PersonNeeds, { person: typed, cursor }) => {
    const person = requirePerson(typed);
    const needs = { sql, sealer: await sealer() };
    const endMs = performance.now() + STEP_MS;
    let place: HeldPlace | undefined = cursor === undefined ? firstPlace : readCursor(cursor);
    const found: Held[] = [];
    do {
      const step = await findHeldStep(needs, person, place);
      found.push(...step.held);
      place = step.next;
    } while (place !== undefined && found.length === 0 && performance.now() < endMs);
    const fingerprint = fingerprintOf(await pepper(), person);
    await database.transaction((tx) =>
      recordOperation(tx, {
        actor,
        action: 'person.export',
        subject: `person:${maskPerson(person)}`,
        after: { fingerprint, rows: found.length },
      }),
    );
    const data = found.map(({ key: _, needed: __, ...held }) => ({ ...held, says: { ...held.says } }));
    return { data, cursor: place === undefined ? null : writeCursor(place) };
  },
});

const cursorForm = new RegExp(
  `^(${heldStages.join('|')})\\.(-?\\d{1,9})\\.(${environments.join('|')})\\.([^.]+)$`,
);

function writeCursor({ stage, merchantId, environment, id }: HeldPlace): string {
  return [stage, merchantId, environment, id].join('.');
}

function readCursor(cursor: string): HeldPlace {
  const [, stage, merchantId, environment, id] = cursorForm.exec(cursor) ?? [];
  if (id === undefined || !isUuid(id)) throw new OperationError({ code: 'no_such_cursor', cursor });
  return { stage, merchantId: Number(merchantId), environment, id } as HeldPlace;
}
