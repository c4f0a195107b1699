/** Lists price lists, and shows one with its versions, merchants and rules. */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, nullableTime, pageFields, pageOf, timeOutput } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import {
  findPriceList,
  listMembers,
  listPriceLists,
  listRules,
  listVersions,
} from '../../../merchants/prices/price-list-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { listField, ruleAnswer, ruleOutput, versionAnswer, versionOutput } from '../price-list-answer.ts';

const priceListOutput = Type.Object({
  list: Type.String(),
  description: Type.String(),
  created_at: timeOutput,
  archived_at: nullableTime,
});

const listPriceListsOperation = defineOperation({
  name: 'price_list.list',
  kind: 'question',
  summary: 'list price lists',
  roles,
  route: 'GET /price-lists',
  document: 'operators/merchants.md',
  input: inputOf({
    archived: Type.Optional(Type.Boolean({ description: 'true for archived lists as well', default: false })),
    ...pageFields,
  }),
  output: pageOf(
    Type.Object({
      ...priceListOutput.properties,
      /** The version that applies now. */
      holds: nullable(Type.Integer()),
      versions: Type.Integer(),
      merchants: Type.Integer(),
    }),
  ),
  run: async ({ sql }: Asking, { archived = false, limit = 50, cursor = '' }) => {
    const rows = await listPriceLists(sql, { archived, after: cursor, limit: limit + 1 });
    return pageOfRead(rows, limit, ({ list }) => list);
  },
});

const showPriceListOperation = defineOperation({
  name: 'price_list.show',
  kind: 'question',
  summary: 'show a price list: its versions, its merchants, and the rules of a version',
  roles,
  route: 'GET /price-lists/{list}',
  document: 'operators/merchants.md',
  input: inputOf({
    list: listField,
    version: Type.Optional(
      Type.Integer({
        description: 'the version whose rules are shown (default: the current one, or the newest)',
        minimum: 1,
      }),
    ),
  }),
  output: Type.Object({
    ...priceListOutput.properties,
    merchants: Type.Array(Type.String()),
    versions: Type.Array(versionOutput),
    /** The version whose rules these are; null without any version. */
    version: nullable(Type.Integer()),
    rules: Type.Array(ruleOutput),
  }),
  run: async ({ sql }: Asking, { list: name, version: wanted }) => {
    const row = await findPriceList(sql, name);
    if (row === undefined) throw new OperationError({ code: 'no_price_list', list: name });
    const { list } = row;
    const versions = await listVersions(sql, list);
    const shown =
      wanted === undefined
        ? (versions.find(({ holds }) => holds) ?? versions[0])
        : versions.find(({ version }) => version === wanted);
    if (wanted !== undefined && shown === undefined) {
      throw new OperationError({ code: 'no_price_version', list, version: wanted });
    }
    const rules = shown === undefined ? [] : await listRules(sql, [shown]);
    return {
      ...row,
      merchants: await listMembers(sql, list),
      versions: versions.map(versionAnswer),
      version: shown?.version ?? null,
      rules: rules.map(ruleAnswer),
    };
  },
});

export const showPriceListOperations = [listPriceListsOperation, showPriceListOperation] as const;
