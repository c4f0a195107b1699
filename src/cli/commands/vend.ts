/** `oja vend`: what happened to a purchase, and what a person can add to it. */
import { addGoodsOperation } from '../../vending/goods/operations/add-goods.ts';
import { revealGoodsOperation } from '../../vending/goods/operations/reveal-goods.ts';
import { listVendWebhooksOperation } from '../../vending/history/operations/list-vend-webhooks.ts';
import { showVendOperation } from '../../vending/history/operations/show-vend.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { vendText } from '../vend-text.ts';

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
