/** Lists the changes of the catalog, newest first. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { nullable } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import { inputOf, numberedPageFields, pageOf, text, timeOutput } from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { type CatalogChangeRow, listCatalogChanges } from '../catalog-change-store.ts';
import { type NameAccount, type NamingAccounts, renameCodes } from '../shown-codes.ts';

const record = Type.Record(Type.String(), Type.Unknown());

const changeOutput = Type.Object({
  id: Type.String(),
  at: timeOutput,
  actor: Type.String(),
  source: Type.String(),
  product: Type.String(),
  subject: Type.String(),
  /** Null for an added thing. */
  before: nullable(record),
  after: record,
});

export const listCatalogChangesOperation = defineOperation({
  name: 'catalog.history',
  kind: 'question',
  summary: 'list changes of the catalog, newest first, of all plans and billers or of one',
  roles,
  route: 'GET /catalog-changes',
  document: 'operators/catalog.md',
  input: inputOf({
    subject: Type.Optional(
      text("a plan's code or id, or a biller's product and network", { maxLength: 200 }),
    ),
    ...numberedPageFields,
  }),
  output: pageOf(changeOutput),
  run: async ({ sql, accounts }: Asking & NamingAccounts, { subject, limit = 50, cursor }) => {
    const after = cursor === undefined ? undefined : BigInt(cursor);
    const found = await listCatalogChanges(sql, { subject, after, limit: limit + 1 });
    const answer = (row: CatalogChangeRow) => changeAnswer(row, accounts?.nameOf);
    return pageOfRead(found, limit, ({ id }) => String(id), answer);
  },
});

function changeAnswer(
  { id, at, before, after, ...change }: CatalogChangeRow,
  nameOf: NameAccount | undefined,
): Static<typeof changeOutput> {
  return {
    id: String(id),
    at: formatRfc3339(at),
    ...change,
    before: before && { ...renameCodes(before, nameOf) },
    after: { ...renameCodes(after, nameOf) },
  };
}
