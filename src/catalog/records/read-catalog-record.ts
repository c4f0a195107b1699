/** Reads one record of a catalog file, of any product. */

import { assertNever } from '../../core/errors.ts';
import {
  isBillProduct,
  isPlanProduct,
  type PlanProduct,
  parseProductName,
} from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { CatalogItem } from '../catalog-item.ts';
import { type NameAccount, renameCodes } from '../shown-codes.ts';
import { readBillPlanRecord } from './bill-plan-record.ts';
import { readBillerRecord } from './biller-record.ts';
import { readDataPlanRecord } from './data-plan-record.ts';
import { readEsimRecord } from './esim-record.ts';
import type { RecordRead } from './fault-messages.ts';
import { readGiftCardRecord } from './gift-card-record.ts';
import type { RawRecord } from './read-by-schema.ts';

export type RecordOptions = {
  /** The product of records that do not name one. */
  readonly product?: PlanProduct | undefined;
  /** The records are billers, not plans. */
  readonly billers?: boolean;
  /** Returns the id of the account that a provider's name leads to. Absent: names are ids. */
  readonly providerOf?: NameAccount | undefined;
};

export function readCatalogRecord(raw: RawRecord, options: RecordOptions): RecordRead<CatalogItem> {
  const { product: typed, ...fields } = raw.fields;
  const value = typed === undefined ? undefined : String(typed);
  const product = value === undefined ? options.product : parseProductName(value);
  if (product === undefined || !isPlanProduct(product)) return { faults: [{ code: 'product', value }] };
  if (options.billers) return readBillerRecord(product, { ...raw, fields: { active: true, ...fields } });
  const plan = {
    ...raw,
    fields: renameCodes({ active: true, provider_codes: {}, ...fields }, options.providerOf),
  };
  if (isBillProduct(product)) return readBillPlanRecord(product, plan);
  const { plans } = recordOf(product);
  switch (plans) {
    case 'data':
      return readDataPlanRecord(plan);
    case 'giftcard':
      return readGiftCardRecord(plan);
    case 'esim':
      return readEsimRecord(plan);
    default:
      return assertNever(plans);
  }
}
