/** Exports the plans or billers of a product as a file for imports. */
import { Type } from 'typebox';
import { defineOperation, roles } from '../../core/operation.ts';
import { inputOf, oneOf } from '../../core/operation-fields.ts';
import { planProducts } from '../../core/products/product.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { writeCsvExport, writeJsonExport } from '../files/write-catalog-file.ts';
import { listCatalogItems } from '../list-catalog-items.ts';
import { type NamingAccounts, renameCodes } from '../shown-codes.ts';

export const exportCatalogOperation = defineOperation({
  name: 'catalog.export',
  kind: 'question',
  summary: 'export the plans of a product, including withdrawn ones, in the format of the import',
  roles,
  route: 'GET /catalog/{product}',
  document: 'operators/catalog.md',
  input: inputOf({
    product: oneOf(planProducts),
    format: Type.Optional(oneOf(['csv', 'json'], { default: 'csv' })),
    billers: Type.Optional(
      Type.Boolean({ description: 'true for the billers of the product instead of its plans' }),
    ),
  }),
  output: Type.Object({
    product: oneOf(planProducts),
    format: oneOf(['csv', 'json']),
    records: Type.Integer(),
    content: Type.String(),
  }),
  run: async ({ sql, accounts }: Asking & NamingAccounts, { product, format = 'csv', billers = false }) => {
    const items = await listCatalogItems(sql, product, billers ? 'billers' : 'plans');
    const records = items.map(({ record }) => renameCodes(record, accounts?.nameOf));
    const content = format === 'json' ? writeJsonExport(records) : writeCsvExport(records);
    return { product, format, records: records.length, content };
  },
});
