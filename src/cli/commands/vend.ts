/** `oja vend`: what happened to a purchase, and what a person can add to it. */
import { addGoodsOperation } from '../../vending/goods/operations/add-goods.ts';
import { revealGoodsOperation } from '../../vending/goods/operations/reveal-goods.ts';
import { listVendWebhooksOperation } from '../../vending/history/operations/list-vend-webhooks.ts';
import { showVendOperation } from '../../vending/history/operations/show-vend.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';
import { vendText } from '../vend-text.ts';

const flags = { environment: '--env <environment>' } as const;

export const vendCommands: readonly OperationCommand[] = [
  commandOf(showVendOperation, {
    arguments: ['reference'],
    flags,
    examples: ['vend show first-1', 'vend show order-77 --merchant SHOP --env live'],
    text: vendText,
  }),
  commandOf(listVendWebhooksOperation, {
    arguments: ['reference'],
    flags,
    examples: ['vend webhooks order-77 --merchant SHOP --env live'],
    text: ({ webhooks }) =>
      table(
        webhooks,
        [
          { title: 'EVENT', of: ({ event_type: type }) => type },
          { title: 'STATE', of: ({ state }) => state.replace('_', ' ') },
          { title: 'TRIES', of: ({ tries }) => String(tries) },
          { title: 'ANSWERED', of: ({ http_status: status, note }) => String(status ?? note ?? '') },
          { title: 'NEXT TRY', of: ({ next_at: at }) => (at === null ? '' : timeText(at)) },
          { title: 'ENDPOINT', of: ({ endpoint, url }) => url ?? `${endpoint} (deleted)` },
        ],
        'No endpoint was told of it, and none is to be told.',
      ),
  }),
  commandOf(revealGoodsOperation, {
    command: 'vend reveal',
    arguments: ['reference'],
    flags,
    examples: ['vend reveal order-77', 'vend reveal order-77 --merchant SHOP --env live'],
    text: ({ goods }) => `Goods  ${goods === null ? 'none' : JSON.stringify(goods, null, 2)}`,
  }),
  commandOf(addGoodsOperation, {
    arguments: ['reference'],
    flags: {
      ...flags,
      token: '--token <digits>',
      units: '--units <number>',
      bonus_token: '--bonus-token <digits>',
      kct1: '--kct1 <digits>',
      kct2: '--kct2 <digits>',
    },
    examples: ['vend goods power-9 --token 6734-3797-4609-1524-5954 --units 23.8'],
    text: ({ reference, brought }) => `${reference} now shows its ${brought.join(', ')}.`,
  }),
];
