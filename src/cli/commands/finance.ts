/** Commands of the books: the audit, reports, closed days and reconciliation. */

import { Type } from 'typebox';
import { auditText } from '../audit-text.ts';
import type { CommandTable } from '../operation-command.ts';
import { answerText } from '../print-answer.ts';
import { readText } from '../read-file.ts';

const salesColumns = [
  'product',
  'network',
  'kind',
  'provider',
  'merchant',
  'currency',
  'purchases',
  'successes',
  'failures',
  'refused',
  'success_rate',
  'face_value',
  'charge',
  'cost',
  'margin',
  'loss',
  'refunded',
  'pending',
  'latency_ms.p95',
  'refunded_within_30s',
];

const differenceColumns = [
  'number',
  'kind',
  'at',
  'merchant',
  'purchase',
  'reference',
  'line',
  'amount',
  'effect',
  'here',
  'there',
  'applied',
  'verdict',
  'reason',
];

export const financeCommands = {
  'audit.run': {
    command: 'audit',
    examples: ['audit', 'audit --json'],
    text: auditText,
    isWrong: ({ ok }) => !ok,
  },
  'report.show': {
    command: 'report',
    examples: [
      'report',
      'report --from 2026-11-01 --to 2026-11-30 --by product,network,kind,provider,merchant',
      'report --from 2026-11-21 --to 2026-11-21 --by provider --csv',
    ],
    columns: salesColumns,
    whole: { list: ({ by }) => (by.length === 0 ? 'totals' : 'rows') },
  },
  'day.close': ['day close 2026-11-21', 'day close 2026-11-21 --json'],
  'day.list': ['day list', 'day list --env test --json'],
  'day.sales': {
    examples: ['day sales --from 2026-11-15 --to 2026-11-21', 'day sales --from 2026-11-01 --json'],
    text: ({ days, added_up: addedUp }) =>
      answerText(Type.Unknown(), {
        data: days.flatMap(({ day, totals }) => totals.map((total) => ({ day, ...total }))),
        added_up: addedUp,
      }),
  },
  'day.show': {
    examples: ['day show 2026-11-21'],
    columns: salesColumns,
    isWrong: ({ intact }) => !intact,
  },
  'books.export': {
    examples: [
      'books export --from 2026-11-01 --to 2026-11-30',
      'books export --from 2026-11-21 --to 2026-11-21 --format csv',
    ],
    whole: {},
  },
  'books.balance': {
    examples: ['books balance --at 2026-11-30', 'books balance --at 2026-11-30 --csv'],
    whole: {},
  },
  'reconciliation.run': {
    command: 'reconcile',
    arguments: ['party', 'file'],
    flags: { mapping: '--mapping <path>' },
    examples: [
      'reconcile vtpass november.csv',
      'reconcile nomba --from 2026-11-21 --to 2026-11-21',
      'reconcile vtpass november.csv --mapping ours.json --csv',
      'reconcile monnify --from 2026-11-21 --apply',
      'reconcile vtpass november.csv --from 2026-11-22 --to 2026-11-22T12:00:00+01:00 --apply',
    ],
    files: { mapping: readText },
    columns: differenceColumns,
    actionsBy: 'number',
    whole: { hides: ['limit', 'cursor', 'statement'] },
  },
  'reconciliation.list': ['reconciliation list', 'reconciliation list --party vtpass'],
  'reconciliation.show': {
    examples: [
      'reconciliation show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
      'reconciliation show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 --csv',
    ],
    columns: differenceColumns,
    actionsBy: 'number',
    whole: {},
  },
  'reconciliation.mapping': {
    examples: ['reconciliation mapping vtpass'],
    text: (mapping) => JSON.stringify(mapping, null, 2),
  },
  'finding.list': {
    examples: ['finding list', 'finding list --verdict open'],
    columns: [
      'party',
      'kind',
      'at',
      'reference',
      'provider_id',
      'merchant',
      'listed.product',
      'listed.recipient',
      'amount',
      'there',
      'verdict',
      'reason',
    ],
    actionsBy: 'reference',
  },
  'finding.enter': [
    'finding enter vtpass 2026112210300000000000000000000000k3',
    'finding enter vtpass 202611221030k3j9 --merchant SHOP --reference INV-1042 --product airtime --network MTN',
  ],
  'finding.dismiss': [
    'finding dismiss vtpass 2026112210300000000000000000000000k3 --reason "of our old system" --yes',
  ],
} satisfies CommandTable;
