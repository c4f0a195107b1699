/** Lists and shows reconciliations, and shows how the statement files of a party are read. */
import { Type } from 'typebox';
import { accountField } from '../../../core/account-names.ts';
import type { Clock } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  idField,
  idPageFields,
  inputOf,
  numberedPageFields,
  pageOf,
} from '../../../core/operation-fields.ts';
import type { BankDefinition } from '../../../funding/banks/bank-definition.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import type { ProviderDefinition } from '../../../providers/provider-definition.ts';
import { findParty } from '../find-party.ts';
import { reconciliationAnswer, reconciliationOutput, runAnswer, runOutput } from '../run-answer.ts';
import { listRuns } from '../run-store.ts';

/** The greatest number of a difference that PostgreSQL can compare. */
const INTEGER_MAX = 2_147_483_647;

export const listReconciliationsOperation = defineOperation({
  name: 'reconciliation.list',
  kind: 'question',
  summary: 'list reconciliations, newest first',
  roles,
  route: 'GET /reconciliations',
  document: 'operators/reconciliation.md',
  input: inputOf({ party: Type.Optional(accountField('the name of a provider or a bank')), ...idPageFields }),
  output: pageOf(runOutput),
  run: async ({ sql }: Asking, { party, limit = 50, cursor }) => {
    const rows = await listRuns(sql, party, cursor, limit + 1);
    const page = rows.slice(0, limit);
    return { data: page.map(runAnswer), cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  },
});

export const showReconciliationOperation = defineOperation({
  name: 'reconciliation.show',
  kind: 'question',
  summary: 'show a reconciliation with its differences and how to resolve them',
  roles,
  route: 'GET /reconciliations/{reconciliation}',
  document: 'operators/reconciliation.md',
  input: inputOf({ reconciliation: idField, ...numberedPageFields }),
  output: reconciliationOutput,
  run: ({ sql, clock }: Asking & { readonly clock: Clock }, { reconciliation, limit = 50, cursor = '0' }) =>
    reconciliationAnswer(sql, reconciliation, {
      after: Math.min(Number(cursor), INTEGER_MAX),
      limit,
      now: clock.now(),
    }),
});

type Needs = Asking & {
  readonly providers: readonly ProviderDefinition[];
  readonly banks: readonly BankDefinition[];
};

export const showMappingOperation = defineOperation({
  name: 'reconciliation.mapping',
  kind: 'question',
  summary: "show how a provider's or bank's statement files are read, as a start for your own mapping",
  roles,
  route: 'GET /statement-mappings/{party}',
  document: 'operators/reconciliation.md',
  input: inputOf({ party: accountField('the name of a provider or a bank') }),
  output: Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, { additionalProperties: true })),
  run: async (needs: Needs, { party }) => {
    const { mapping } = findParty(needs, party);
    if (mapping === undefined) throw new OperationError({ code: 'no_statement_mapping', party });
    return { ...mapping };
  },
});
