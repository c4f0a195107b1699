/** The operations of price lists, and of the prices that a merchant pays. */
import { listPricesOperation } from '../../operations/list-prices.ts';
import { assignPriceListOperations } from './assign-price-list.ts';
import { changePriceListOperations } from './change-price-list.ts';
import { previewPriceListOperations } from './preview-price-list.ts';
import { showPriceListOperations } from './show-price-list.ts';

export const priceListOperations = [
  listPricesOperation,
  ...showPriceListOperations,
  ...changePriceListOperations,
  ...assignPriceListOperations,
  ...previewPriceListOperations,
] as const;
