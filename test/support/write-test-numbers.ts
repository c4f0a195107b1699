/**
 * Writes docs/merchants/test-numbers.md from the registries of stories, test numbers and test
 * customers: `npm run test-numbers`. A test compares the page.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productRecords } from '../../src/core/products/registry.ts';
import { mobileTestNumbers, type TestCustomer } from '../../src/core/products/test-rules.ts';
import {
  deliveryStories,
  findStory,
  type StoryEnd,
  storyFamilies,
  type TestStory,
  testStories,
} from '../../src/core/products/test-stories.ts';

export const testNumbersPage = join(import.meta.dirname, '..', '..', 'docs', 'merchants', 'test-numbers.md');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

const brings: Readonly<Record<TestCustomer['brings'], string>> = {
  token: '`token`, `units`',
  'token and key change': '`kct1`, `kct2`, `token`, `units`',
  'debt cleared': '`payment_spent_on`: a debt took it all, no token',
  receipt: 'a receipt',
  'serial and PIN': '`pins`: one with a `serial` and a `pin`',
  PIN: '`pins`: one with a `pin`',
};

function customers(): string {
  const rows = productRecords.flatMap((record) =>
    record.kind === 'bill'
      ? record.testCustomers.map(({ id, network, meterKind, brings: gets }) => {
          const plan = meterKind === undefined ? 'any plan' : `any ${meterKind} plan`;
          const of = network === undefined ? plan : `${plan} of \`${network}\``;
          return [`\`${id}\``, `\`${record.name}\`, ${of}`, brings[gets]];
        })
      : [],
  );
  return table(['`msisdn`', 'Product', 'Brings'], rows);
}

function endOf(end: StoryEnd): string {
  switch (end.kind) {
    case 'success':
      return '`00`';
    case 'failed':
      return `\`01\`: ${failedWords[end.reason]}`;
    case 'refused':
      return `HTTP ${end.status}, nothing is stored`;
  }
}

const failedWords = {
  refused: 'refused',
  customer_rejected: 'the biller does not accept this customer',
  amount_out_of_range: 'the amount is outside the limits of this customer',
  not_verified: 'the customer could not be verified',
  not_found: 'the provider did not receive it',
  not_sent: 'no provider could be reached',
} as const;

function productsOf(names: readonly string[]): string {
  return names.length === productRecords.length ? 'all' : names.map((name) => `\`${name}\``).join(', ');
}

function stories(): string {
  const row = (id: string, { text, products, end }: Pick<TestStory, 'text' | 'products' | 'end'>) => [
    `\`${id}\``,
    text,
    productsOf(products),
    endOf(end),
  ];
  return table(
    ['`nnn`', 'Course', 'Products', 'Outcome'],
    [
      ...testStories.map((story) => row(story.id, story)),
      ...storyFamilies.map((family) => row(`${family.digit}nn`, family)),
    ],
  );
}

/** As `src/core/products/test-stories.ts` reads them, and as the test of all stories sends them. */
const forms = table(
  ['Product', 'Field', 'Form', 'For example'],
  [
    ['`airtime`, `data`', '`msisdn`', '`08000000nnn`', '`08000000120`'],
    ['`ELECTRICITY`, `CABLE`, any network', '`msisdn`', '`10000000nnn`', '`10000000140`'],
    ['`BETTING`', '`msisdn`', '`TESTBETnnn`', '`TESTBET101`'],
    ['`EDUCATION`, `JAMB`', '`msisdn`', '`1000000nnn`', '`1000000101`'],
    ['`EDUCATION`, `WAEC`', '`msisdn`', '`08000000nnn`', '`08000000210`'],
    ['`GIFTCARD`, `ESIM`', '`request_id`', '`oja-nnn-` and anything', '`oja-150-7f3a`'],
  ],
);

function shortNumbers(): string {
  const rows = mobileTestNumbers.map(({ number, story }) => [
    `\`${number}\``,
    findStory(story, 'airtime')?.text ?? '',
    `\`${story}\``,
  ]);
  return table(['`msisdn`', 'Course', 'As story'], rows);
}

function deliveries(): string {
  const rows = deliveryStories.map(({ id, text }) => [
    `\`oja-${id}@example.com\``,
    `\`08000000${id}\``,
    text,
  ]);
  return table(['`destination` of e-mail', 'of SMS and WhatsApp', 'Course'], rows);
}

export function makeTestNumbersPage(): string {
  return `# Test numbers

<!-- Written from the code by \`npm run test-numbers\`. -->

Test credentials (\`oja_test_…\`) buy in the gateway itself, from a test wallet. No network is
called. Purchases behave as live ones do. The [sandbox](sandbox.md) has a clock, so that you need
not wait. Airtime and data for any other valid mobile number are delivered at once.

## Stories

Three digits at the end of what you buy for decide what happens:

${forms}

Any spelling of a mobile number works. What follows \`oja-nnn-\` in a \`request_id\` is yours.

${stories()}

\`nn\` is from \`01\` to \`99\`: \`08000000210\` is pending for ten minutes. After a day pending you get
\`transaction.overdue\`.

Sync purchases wait for their end, for 60 seconds by default, and then answer HTTP 500. Move the
clock to see the end at once.

\`120\` and \`121\` look the same to the caller, and only one was delivered. \`121\` fails within a
minute, or at once when the clock is moved.

## Short numbers

Five stories have short numbers for airtime and data:

${shortNumbers()}

## Bills

Test credentials pay bills for these customers, and for those that name a story. Others, and
customers of the wrong kind, are refused: 400 in a verification, \`01\` in a purchase.

${customers()}

All except \`WAEC\` return \`customer_name\`. Purchases above \`1000000.00\` on a test meter are outside
its limits.

## Cards that are sent

The \`destination\` of an order can name a story of its own. The order succeeds in any case:

${deliveries()}

## Other things to try

| To see | Send |
|---|---|
| a wallet that cannot pay: \`01\`, \`insufficient_funds\` | airtime of \`500000.00\` until the test wallet is empty |
| a duplicate, which is a reference used before: 422 with \`differs: false\` | the same request twice |
| a reference used for something else: 422 with \`differs: true\` | the same request with another amount |
| a plan at another price: 400 | a data purchase with any other \`amount\` |
| a plan of another network: 400 | \`"network":"glo"\` with \`"plan_code":"MTN-1"\` |
| a merchant that is not you: 403 or 404 | another code in \`merchant\` |
`;
}

if (import.meta.main) writeFileSync(testNumbersPage, makeTestNumbersPage());
