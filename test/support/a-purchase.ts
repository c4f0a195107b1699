/** A purchase for which references at providers are made, and its product. */
import type { Bought, Marked } from '../../src/providers/reference-mark.ts';

export const aPurchase: Marked = { environment: 'live', merchantId: 7, reference: 'A-PURCHASE-1' };
export const isBought: Bought = { product: 'airtime', network: 'MTN' };
