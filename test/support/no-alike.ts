/** For tests whose providers return our reference. */
import type { AlikeOrders } from '../../src/purchases/engine/alike-store.ts';

export const noAlike: AlikeOrders = {
  claim: () => Promise.reject(new Error('no order is claimed here')),
  find: () => Promise.reject(new Error('no order is claimed here')),
};
