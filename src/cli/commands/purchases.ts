/** Commands of purchases: find, show, settle, refund, and deliver to customers. */
import { CommandError } from '../command-error.ts';
import type { CommandTable } from '../operation-command.ts';
import { foundText, pendingText } from '../purchase-list-text.ts';
import { purchaseText } from '../purchase-text.ts';
import { readSecret, readText } from '../read-file.ts';

const batch = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

export const purchaseCommands = {
  'purchase.show': {
    examples: ['purchase show first-1', 'purchase show order-77 --merchant SHOP --env live'],
    text: purchaseText,
  },
  'purchase.webhooks': ['purchase webhooks order-77 --merchant SHOP --env live'],
  'purchase.reveal_goods': {
    command: 'purchase reveal',
    examples: ['purchase reveal order-77', 'purchase reveal order-77 --merchant SHOP --env live'],
  },
  'purchase.goods': ['purchase goods power-9 --token 6734-3797-4609-1524-5954 --units 23.8'],
  'purchase.list': {
    examples: [
      'purchase list --phone 08031234567 --from 2026-11-21 --to 2026-11-21',
      'purchase list --reference first-1',
      'purchase list --token 6734-3797-4609-1524-5954',
      'purchase list --merchant SHOP --status failed --reason refused --from 2026-11-01 --json',
    ],
    text: foundText,
  },
  'purchase.pending': {
    examples: [
      'purchase pending',
      'purchase pending --older-than 15m --provider vtpass',
      'purchase pending --flagged',
    ],
    text: pendingText,
  },
  'purchase.query': ['purchase query air-7', 'purchase query order-77 --merchant SHOP --env live'],
  'purchase.settle': {
    choices: {
      outcome: {
        '--success': { value: 'success', help: 'delivered: takes the held money' },
        '--failed': { value: 'failed', help: 'not delivered: releases the held money' },
      },
    },
    examples: [
      'purchase settle air-7 --success --evidence "ticket 4411: delivered at 10:02" --cost 49.50',
      'purchase settle air-8 --failed --evidence "mail of VTpass, 22 Nov: never processed"',
    ],
  },
  'purchase.refund': [
    'purchase refund air-7 --reason "the line was barred"',
    'purchase refund air-7 --amount 50 --reason "half of it arrived" --key case-4411',
  ],
  'purchase.provider_refund': [
    'purchase provider-refund air-7 --amount 97 --reason "credit note 12 of VTpass"',
  ],
  'merchant_purchase.list': [
    'merchant-purchase list SHOP --day 2026-11-21',
    'merchant-purchase list SHOP --phone 08031234567 --status failed',
  ],
  'merchant_purchase.show': ['merchant-purchase show SHOP first-1'],
  'merchant_purchase.complaint': ['merchant-purchase complaint SHOP first-1'],
  'receipt.link': ['receipt link SHOP meter-7 --days 90'],
  'receipt.send': ['receipt send SHOP meter-7 --channel sms --to 08031234567'],
  'receipt.revoke': ['receipt revoke SHOP meter-7'],
  'merchant_purchase.reveal': ['merchant-purchase reveal SHOP meter-7'],
  'merchant_purchase.try': {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: [
      'merchant-purchase try SHOP oja_test_… --secret-file secret.txt --number 08000000110 --reference first-1',
    ],
  },
  'batch.list': ['batch list SHOP', 'batch list SHOP --env live'],
  'batch.show': [`batch show SHOP ${batch}`],
  'batch.rows': [`batch rows SHOP ${batch}`],
  'batch.create': {
    arguments: ['merchant', 'credential'],
    flags: { csv: '--file <path>' },
    files: { csv: readText },
    isWrong: ({ batch: stored }) => stored === null,
    examples: ['batch create SHOP oja_test_… --file staff.csv --name "Staff airtime"'],
  },
  'batch.start': [`batch start SHOP ${batch}`, `batch start SHOP ${batch} --duplicates`],
  'batch.pause': [`batch pause SHOP ${batch}`],
  'batch.stop': [`batch stop SHOP ${batch}`],
  'order.goods': {
    flags: { goods: '--file <path>' },
    files: { goods: readJson },
    examples: ['order goods order-77 --file cards.json', 'order goods order-77 --merchant SHOP --file -'],
  },
  'delivery.list': ['delivery list', 'delivery list --all'],
  'delivery.retry': ['delivery retry order-77', 'delivery retry order-77 --merchant SHOP --env live --again'],
  'work.count': ['work count'],
} satisfies CommandTable;

/** Reads a file of goods. Its error never quotes the file, which is secret. */
async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('file_malformed', `${path} is not JSON`);
  }
}
