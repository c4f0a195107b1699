/** Commands of merchants: their credentials, wallets, funding, vouchers and webhooks. */
import { join } from 'node:path';
import { createOption } from 'commander';
import type { Static } from 'typebox';
import { documentBytesMax } from '../../funding/id-document.ts';
import type { showStatementOperation } from '../../wallet/operations/show-statement.ts';
import { csvEnd, csvHead, csvItems, houseColumns } from '../../wallet/statement-csv.ts';
import type { issueVouchersOperation } from '../../wallet/vouchers/operations/issue-vouchers.ts';
import { CommandError } from '../command-error.ts';
import type { CommandTable } from '../operation-command.ts';
import { table } from '../output.ts';
import type { Form } from '../print-pages.ts';
import { readBytes, readSecret } from '../read-file.ts';

const endpoint = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

const documentKinds = 'a JPEG, PNG, WebP or PDF file of at most 5 MB';

/** Has a line for the opening and the closing balance. */
const statementCsv: Form<Static<(typeof showStatementOperation)['output']>> = {
  head: ({ from, opening_balance: opening }) => csvHead(houseColumns, from, opening),
  lines: ({ items }) => (items.length === 0 ? '' : csvItems(houseColumns, items)),
  end: ({ to, closing_balance: closing }) => csvEnd(houseColumns, to, closing),
};

/** In examples. */
const recipient = '0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69';

export const merchantCommands = {
  'shop.show': ['shop show SHOP'],
  'shop.set': ['shop set SHOP --name "Mama Put Stores"'],
  'recipient.list': ['recipient list SHOP', 'recipient list SHOP --product airtime'],
  'recipient.show': [`recipient show SHOP ${recipient}`],
  'recipient.add': {
    arguments: ['merchant', 'name'],
    examples: ['recipient add SHOP "Mama Tolu" --product airtime --network MTN --number 08031234567'],
  },
  'recipient.rename': [`recipient rename SHOP ${recipient} --name "Tolu, meter"`],
  'recipient.remove': [`recipient remove SHOP ${recipient}`],
  'merchant.create': {
    arguments: ['code', 'name'],
    examples: ['merchant create SHOP "Mama Put Stores"'],
  },
  'merchant.list': ['merchant list', 'merchant list --find mama'],
  'merchant.show': ['merchant show SHOP'],
  'merchant.enable_product': {
    command: 'merchant enable',
    examples: ['merchant enable SHOP data --env live'],
  },
  'merchant.disable_product': {
    command: 'merchant disable',
    examples: ['merchant disable SHOP data --env live'],
  },
  'merchant.set_discount': {
    command: 'merchant discount',
    arguments: ['merchant', 'product', 'network', 'discount'],
    examples: ['merchant discount SHOP airtime MTN 2.5', 'merchant discount SHOP data MTN 1 --kind sme'],
  },
  'merchant.remove_discount': {
    command: 'merchant remove-discount',
    examples: ['merchant remove-discount SHOP data MTN sme'],
  },
  'wallet.set_floor': {
    command: 'merchant floor',
    arguments: ['merchant', 'floor'],
    examples: ['merchant floor SHOP -50000', 'merchant floor SHOP 0 --env test'],
  },
  'merchant.suspend': ['merchant suspend SHOP'],
  'merchant.resume': ['merchant resume SHOP'],
  'merchant.add_mtn_line': {
    command: 'merchant mtn-line add',
    arguments: ['merchant', 'phone', 'client_name'],
    examples: ['merchant mtn-line add SHOP 08031234567 "Mama Put Stores"'],
  },
  'merchant.remove_mtn_line': {
    command: 'merchant mtn-line remove',
    examples: ['merchant mtn-line remove SHOP 08031234567'],
  },
  'merchant.list_mtn_lines': {
    command: 'merchant mtn-line list',
    examples: ['merchant mtn-line list SHOP'],
  },
  'credential.issue': {
    flags: { ip: '--ip <cidr...>' },
    examples: [
      'credential issue SHOP --env test',
      'credential issue SHOP --env live --label "till 4" --ip 203.0.113.7 198.51.100.0/24 --rate 50 --expires-in 90d',
    ],
  },
  'credential.list': ['credential list SHOP'],
  'credential.list_unconfirmed': ['credential list-unconfirmed'],
  'credential.confirm': [
    'credential confirm --credential oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA',
    'credential confirm --all --yes',
  ],
  'credential.revoke': ['credential revoke oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --yes'],
  'credential.set_caps': [
    'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --per-purchase 5000 --per-day 20000',
    'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --mcp-purchases allowed',
    'credential set-caps oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --per-purchase none --per-day none --mcp-purchases none',
  ],
  'credential.rotate': ['credential rotate oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA --overlap 24h'],
  'wallet.show': ['wallet show SHOP'],
  'wallet.credit': {
    arguments: ['merchant', 'amount'],
    examples: [
      'wallet credit SHOP 250000 --env live --memo "bank transfer of 21 Nov" --key bank-0042',
      'wallet credit SHOP -500.50 --env live --memo "credited twice on 20 Nov"',
    ],
  },
  'wallet.set_alert': {
    command: 'wallet alert',
    arguments: ['merchant', 'threshold'],
    flags: { emails: '--emails <address...>' },
    examples: ['wallet alert SHOP 20000 --emails ada@shop.example', 'wallet alert SHOP'],
  },
  'wallet.alerts': ['wallet alerts SHOP'],
  'wallet.open': {
    arguments: ['merchant', 'currency'],
    examples: ['wallet open SHOP USD', 'wallet open SHOP USD --env test'],
  },
  'wallet.statement': {
    examples: [
      'wallet statement SHOP --from 2026-11-01 --to 2026-11-30',
      'wallet statement SHOP --from 2026-11-21 --csv',
    ],
    whole: { list: () => 'items', csv: statementCsv },
  },
  'wallet.entries': ['wallet entries SHOP --from 2026-11-01 --to 2026-11-30'],
  'funding.enable': ['funding enable SHOP NGN', 'funding enable SHOP NGN --env live'],
  'funding.disable': ['funding disable SHOP NGN', 'funding disable SHOP NGN --env live'],
  'funding.show': ['funding show SHOP'],
  'funding.account': ['funding account SHOP'],
  'funding.open': {
    flags: { document: '--document <path>' },
    files: { document: readDocument },
    examples: [
      'funding open SHOP --env test --document id-card.jpg',
      'funding open SHOP --env test --first-name Ada --last-name Obi --email ada@shop.example --phone 08031234567 --bvn 22222222222',
    ],
  },
  'funding.reveal_document': {
    command: 'funding document',
    examples: ['funding document SHOP --env live --file id-card.jpg'],
    file: {
      option: createOption('--file <path>', 'a new file, readable only by you').makeOptionMandatory(),
      when: 'after_commit',
      contentOf: ({ content }) => Buffer.from(content, 'base64'),
      inPlaceOf: 'content',
    },
  },
  'funding.replace_document': {
    flags: { content: '--file <path>' },
    examples: ['funding replace-document SHOP --env live --file new-card.jpg'],
    files: { content: readDocument },
  },
  'funding.forget_documents': [
    'funding forget-documents --days 90 --yes',
    'funding forget-documents --days 0 --merchant SHOP --yes',
  ],
  'deposit.list': ['deposit list --suspense', 'deposit list --day 2026-11-21 --provider monnify'],
  'deposit.total': ['deposit total --day 2026-11-21 --provider monnify'],
  'deposit.show': ['deposit show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
  'deposit.credited': ['deposit credited SHOP', 'deposit credited SHOP --day 2026-11-21'],
  'deposit.assign': {
    arguments: ['deposit', 'merchant'],
    examples: ['deposit assign 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 SHOP --yes'],
  },
  'deposit.try': {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: ['deposit try SHOP oja_test_… --secret-file secret.txt --amount 5000 --reference deposit-1'],
  },
  'voucher.issue': {
    examples: [
      'voucher issue SHOP --value 5000 --count 10 --env live',
      'voucher issue SHOP --value 5000 --count 10 --env live --file /mnt/codes.csv',
    ],
    // A code is as good as money, and Oja does not store it. The file is written before the issue
    // is committed, so the codes survive a lost terminal.
    file: {
      option: createOption(
        '--file <path>',
        'a new file for the codes, written before they are issued (default: one named after the issue, in the folder vouchers of the data folder)',
      ),
      when: 'before_commit',
      defaultPath: ({ issue }) => join('vouchers', `${issue}.csv`),
      contentOf: codesFile,
      unwritten: 'no vouchers were issued',
    },
    text: issuedText,
  },
  'voucher.list': ['voucher list SHOP', 'voucher list SHOP --env live --state open'],
  'voucher.show': ['voucher show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
  'voucher.cancel': ['voucher cancel 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 --yes'],
  'voucher.cancel_issue': ['voucher cancel-issue 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 --yes'],
  'webhook.list': ['webhook list', 'webhook list --merchant SHOP', 'webhook list --troubled'],
  'webhook.show': [`webhook show ${endpoint}`],
  'webhook.deliveries': [`webhook deliveries ${endpoint} --state failed`],
  'webhook.disable': [`webhook disable ${endpoint} --reason "it floods our network"`],
  'webhook.enable': [`webhook enable ${endpoint}`],
  'webhook.rotate': [`webhook rotate ${endpoint}`, `webhook rotate ${endpoint} --overlap 0s`],
  'webhook.show_delivery': [`webhook show-delivery ${endpoint} 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a11`],
  'webhook.replay': [
    `webhook replay ${endpoint} --since 24h`,
    `webhook replay ${endpoint} --since 24h --until 1h --state delivered`,
  ],
  'webhook.replay_delivery': [`webhook replay-delivery ${endpoint} 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a11`],
  'webhook.test': [`webhook test ${endpoint}`],
  'webhook.create': {
    arguments: ['merchant', 'url'],
    examples: [
      'webhook create SHOP https://shop.example/webhooks --env live',
      'webhook create SHOP https://shop.example/webhooks --env test --events transaction.success order.success',
    ],
  },
  'webhook.change': [`webhook change ${endpoint} --url https://shop.example/hooks`],
  'webhook.delete': [`webhook delete ${endpoint} --yes`],
} satisfies CommandTable;

/** Returns the file in base 64. Throws CommandError if it cannot be read or is too large. */
async function readDocument(path: string): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes.length > documentBytesMax)
    throw new CommandError('document_malformed', `${path} must be ${documentKinds}`);
  return bytes.toString('base64');
}

type Issued = Static<(typeof issueVouchersOperation)['output']>;

function codesFile({ issue, vouchers }: Issued): string {
  const lines = vouchers.map(({ id, code }) => `${issue},${id},${code}\n`);
  return `issue,voucher,code\n${lines.join('')}`;
}

function issuedText(
  { issue, merchant, environment, value, total, vouchers }: Issued,
  file: string | undefined,
): string {
  const codes = table(
    vouchers,
    [
      { title: 'ID', of: (voucher) => voucher.id },
      { title: 'CODE', of: (voucher) => voucher.code ?? '-' },
    ],
    '',
  );
  const where = file === undefined ? '' : ` They are in ${file}. Delete it when the merchant has them.`;
  return (
    `${codes}\n\n${merchant} (${environment}) paid ${total} NGN for ${vouchers.length} of ${value} NGN. ` +
    `Issue ${issue}.\nThe codes are not shown again.${where}`
  );
}
