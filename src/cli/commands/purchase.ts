/** `oja purchase`: what happened to a purchase, and what a person can add to it. */
import { addGoodsOperation } from '../../purchases/goods/operations/add-goods.ts';
import { revealGoodsOperation } from '../../purchases/goods/operations/reveal-goods.ts';
import { listPurchaseWebhooksOperation } from '../../purchases/history/operations/list-purchase-webhooks.ts';
import { showPurchaseOperation } from '../../purchases/history/operations/show-purchase.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { purchaseText } from '../purchase-text.ts';

export const purchaseCommands: readonly OperationCommand[] = [
  commandOf(showPurchaseOperation, {
    arguments: ['reference'],
    examples: ['purchase show first-1', 'purchase show order-77 --merchant SHOP --env live'],
    text: purchaseText,
  }),
  commandOf(listPurchaseWebhooksOperation, {
    arguments: ['reference'],
    examples: ['purchase webhooks order-77 --merchant SHOP --env live'],
  }),
  commandOf(revealGoodsOperation, {
    command: 'purchase reveal',
    arguments: ['reference'],
    examples: ['purchase reveal order-77', 'purchase reveal order-77 --merchant SHOP --env live'],
  }),
  commandOf(addGoodsOperation, {
    arguments: ['reference'],
    examples: ['purchase goods power-9 --token 6734-3797-4609-1524-5954 --units 23.8'],
  }),
];
