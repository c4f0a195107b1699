/** The operations of price lists. */
import { assignPriceListOperations } from './assign-price-list.ts';
import { changePriceListOperations } from './change-price-list.ts';
import { previewPriceListOperations } from './preview-price-list.ts';
import { showPriceListOperations } from './show-price-list.ts';

export const priceListOperations = [
  ...showPriceListOperations,
  ...changePriceListOperations,
  ...assignPriceListOperations,
  ...previewPriceListOperations,
] as const;
