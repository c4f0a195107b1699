/** A purchase for which references at providers are made. */
import type { Marked } from '../../src/providers/reference-mark.ts';

export const aPurchase: Marked = { environment: 'live', merchantId: 7, reference: 'A-PURCHASE-1' };
