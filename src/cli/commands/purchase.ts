/** `oja vend`: what happened to a purchase, and what a person can add to it. */
import { addGoodsOperation } from '../../purchases/goods/operations/add-goods.ts';
import { revealGoodsOperation } from '../../purchases/goods/operations/reveal-goods.ts';
import { listVendWebhooksOperation } from '../../purchases/history/operations/list-purchase-webhooks.ts';
import { showVendOperation } from '../../purchases/history/operations/show-purchase.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { vendText } from '../purchase-text.ts';

export const vendCommands: readonly OperationCommand[] = [
  commandOf(showVendOperation, {
    arguments: ['reference'],
    examples: ['vend show first-1', 'vend show order-77 --merchant SHOP --env live'],
    text: vendText,
  }),
  commandOf(listVendWebhooksOperation, {
    arguments: ['reference'],
    examples: ['vend webhooks order-77 --merchant SHOP --env live'],
  }),
  commandOf(revealGoodsOperation, {
    command: 'vend reveal',
    arguments: ['reference'],
    examples: ['vend reveal order-77', 'vend reveal order-77 --merchant SHOP --env live'],
  }),
  commandOf(addGoodsOperation, {
    arguments: ['reference'],
    examples: ['vend goods power-9 --token 6734-3797-4609-1524-5954 --units 23.8'],
  }),
];
