/** Creates and archives price lists, and adds, starts and withdraws their versions. */
import { Type } from 'typebox';
import { actorOf } from '../../../core/actor.ts';
import { formatRfc3339 } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import {
  forcedOutput,
  forceField,
  giftOfForced,
  inputOf,
  momentField,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { announceChange } from '../../../db/change-notice-store.ts';
import type { Tx } from '../../../db/database.ts';
import {
  archivePriceList,
  beginVersion,
  insertPriceList,
  insertVersion,
  listHeldRules,
  listMembers,
  listRules,
  listVersions,
  lockPriceList,
  type PriceListRow,
  type PriceVersionRow,
  withdrawVersion,
} from '../../../merchants/prices/price-list-store.ts';
import { indexRules } from '../../../merchants/prices/price-rule.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { refuseRules, unlessForced } from '../../margins/refuse-losses.ts';
import { listField, ruleAnswer, ruleOutput } from '../price-list-answer.ts';
import { readRules, ruleColumns } from '../read-rules.ts';

const RULES_LENGTH_MAX = 100_000;

const versionField = Type.Integer({ description: 'the number of a version of the list', minimum: 1 });

const createPriceListOperation = defineOperation({
  name: 'price_list.create',
  kind: 'act',
  summary: 'create a price list without rules; add a version to it, then assign merchants',
  roles: treasurers,
  route: 'POST /price-lists',
  document: 'operators/merchants.md',
  input: inputOf({
    list: Type.String({
      description: 'a name of 1 to 40 lower-case letters, digits and hyphens',
      pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
    }),
    description: Type.Optional(text('what the list is for', { maxLength: 200 })),
  }),
  output: Type.Object({ list: Type.String(), description: Type.String() }),
  run: async ({ tx, actor }: Acting, { list, description = '' }) => {
    if (!(await insertPriceList(tx, list, description))) {
      throw new OperationError({ code: 'price_list_exists', list });
    }
    await recordOperation(tx, {
      actor,
      action: 'price_list.create',
      subject: subjectOf(list),
      after: { description },
    });
    return { list, description };
  },
});

const addVersionOperation = defineOperation({
  name: 'price_list.add_version',
  kind: 'act',
  summary: 'add a version to a price list as a draft, which takes effect once it is started',
  roles: treasurers,
  route: 'POST /price-lists/{list}/versions',
  document: 'operators/merchants.md',
  bodyBytesMax: 1_024 * 1_024,
  input: inputOf({
    list: listField,
    rules: Type.String({
      description: `CSV with the columns ${ruleColumns.join(',')}`,
      minLength: 1,
      maxLength: RULES_LENGTH_MAX,
    }),
  }),
  output: Type.Object({ list: Type.String(), version: Type.Integer(), rules: Type.Array(ruleOutput) }),
  run: async ({ tx, actor }: Acting, { list, rules: csv }) => {
    await requireList(tx, list);
    const rules = await readRules(tx, csv);
    const version = await insertVersion(tx, list, rules, actorOf(actor).name);
    const answers = rules.map(ruleAnswer);
    await recordOperation(tx, {
      actor,
      action: 'price_list.add_version',
      subject: subjectOf(list),
      after: { version, rules: answers },
    });
    return { list, version, rules: answers };
  },
});

const startVersionOperation = defineOperation({
  name: 'price_list.start',
  kind: 'act',
  summary: 'start a draft of a price list now, or schedule it',
  roles: treasurers,
  route: 'POST /price-lists/{list}/versions/{version}/start',
  document: 'operators/merchants.md',
  input: inputOf({
    list: listField,
    version: versionField,
    from: Type.Optional(momentField('from when it holds (default: now)')),
    force: forceField,
  }),
  output: Type.Object({
    list: Type.String(),
    version: Type.Integer(),
    holds_from: timeOutput,
    forced: forcedOutput,
  }),
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { list, version, force = false, ...input }) => {
    await requireList(tx, list);
    const row = await requireVersion(tx, list, version);
    if (row.begun) throw new OperationError({ code: 'price_version_begun', list, version });
    if (row.holds_from !== null) throw new OperationError({ code: 'price_version_planned', list, version });
    const from = input.from === undefined ? undefined : new Date(input.from);
    const change = {
      buyer: `${list} version ${version}`,
      before: indexRules(await listHeldRules(tx, list, from)),
      after: indexRules(await listRules(tx, [{ list, version }])),
    };
    const forced = await unlessForced(force, () => refuseRules(tx, [change]));
    const begin = await beginVersion(tx, list, version, from);
    if (begin === undefined) throw new OperationError({ code: 'begin_passed', list });
    await recordOperation(tx, {
      actor,
      action: 'price_list.start',
      subject: subjectOf(list),
      after: { version, holds_from: formatRfc3339(begin), ...(force && { force }) },
    });
    await announceChange(tx, 'merchants');
    // A process keeps the costs of providers while a margin needs them.
    await announceChange(tx, 'guards');
    return { list, version, holds_from: formatRfc3339(begin), forced };
  },
});

const withdrawVersionOperation = defineOperation({
  name: 'price_list.withdraw',
  kind: 'act',
  summary: 'make a scheduled version of a price list a draft again, before it begins',
  roles: treasurers,
  route: 'POST /price-lists/{list}/versions/{version}/withdraw',
  document: 'operators/merchants.md',
  input: inputOf({ list: listField, version: versionField }),
  output: Type.Object({ list: Type.String(), version: Type.Integer(), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { list, version }) => {
    await requireList(tx, list);
    const row = await requireVersion(tx, list, version);
    if (row.holds_from === null) return { list, version, changed: false };
    if (!(await withdrawVersion(tx, list, version))) {
      throw new OperationError({ code: 'price_version_begun', list, version });
    }
    await recordOperation(tx, {
      actor,
      action: 'price_list.withdraw',
      subject: subjectOf(list),
      before: { version, holds_from: formatRfc3339(row.holds_from) },
    });
    await announceChange(tx, 'merchants');
    return { list, version, changed: true };
  },
});

const archivePriceListOperation = defineOperation({
  name: 'price_list.archive',
  kind: 'act',
  summary: 'archive a price list that no merchant is on; it stays readable',
  roles: treasurers,
  route: 'POST /price-lists/{list}/archive',
  document: 'operators/merchants.md',
  input: inputOf({ list: listField }),
  output: Type.Object({ list: Type.String() }),
  run: async ({ tx, actor }: Acting, { list }) => {
    await requireList(tx, list);
    const count = (await listMembers(tx, list)).length;
    if (count > 0) throw new OperationError({ code: 'price_list_used', list, count });
    await archivePriceList(tx, list);
    await recordOperation(tx, { actor, action: 'price_list.archive', subject: subjectOf(list) });
    return { list };
  },
});

function subjectOf(list: string): string {
  return `price_list:${list}`;
}

/**
 * Locks a list for any merchant. Throws OperationError: `no_price_list`, also for the own list of a
 * merchant, and `price_list_archived`.
 */
export async function requireList(tx: Tx, list: string): Promise<PriceListRow> {
  const row = list.startsWith('own:') ? undefined : await lockPriceList(tx, list);
  if (row === undefined) throw new OperationError({ code: 'no_price_list', list });
  if (row.archived_at !== null) throw new OperationError({ code: 'price_list_archived', list });
  return row;
}

async function requireVersion(tx: Tx, list: string, version: number): Promise<PriceVersionRow> {
  const row = (await listVersions(tx, list)).find((one) => one.version === version);
  if (row === undefined) throw new OperationError({ code: 'no_price_version', list, version });
  return row;
}

export const changePriceListOperations = [
  createPriceListOperation,
  addVersionOperation,
  startVersionOperation,
  withdrawVersionOperation,
  archivePriceListOperation,
] as const;
