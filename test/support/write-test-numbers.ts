/**
 * Writes docs/merchants/test-numbers.md, and the table of docs/merchants/products.md, from the
 * registries of products, stories, test numbers and test customers: `npm run test-numbers`. A test
 * compares the pages.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderProducts } from '../../src/core/products/product.ts';
import type { ProductRecord } from '../../src/core/products/product-record.ts';
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
import { replaceWritten } from './replace-written.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'merchants');
export const testNumbersPage = join(folder, 'test-numbers.md');
export const productsPage = join(folder, 'products.md');

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

/** How a purchase names its story, by product. */
function forms(): string {
  const byRecipient = productRecords.flatMap((record) =>
    record.storyPrefixes.map((prefix) => {
      const sent = prefix.replace(/^234/, '0');
      const networks = record.kind === 'bill' ? (record.customer.customerNetworks ?? []) : [];
      const known = networks.map((network) => `, \`${network}\``).join('');
      const others = networks.length > 0 && sent !== prefix;
      const name = `\`${record.name}\`${others ? ', other networks' : known}`;
      return [name, '`msisdn`', `\`${sent}nnn\``, `\`${sent}120\``];
    }),
  );
  const orders = orderProducts.map((product) => `\`${product}\``).join(', ');
  return table(
    ['Product', 'Field', 'Form', 'For example'],
    [...byRecipient, [orders, '`request_id`', '`oja-nnn-` and anything', '`oja-150-7f3a`']],
  );
}

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

const kinds: Readonly<Record<ProductRecord['kind'], string>> = {
  direct: 'sync or async, for a mobile number',
  bill: 'sync, for a customer of a biller',
  order: 'ordered by plan, at routes of its own',
};

function msisdnOf(record: ProductRecord): string {
  if (record.kind === 'direct') return 'a Nigerian mobile number';
  if (record.kind === 'order') return 'none';
  const { customerIdText, customerNetworks } = record.customer;
  const id = customerIdText.replace(' and nothing else', '');
  return customerNetworks === undefined ? id : `${id}; elsewhere a Nigerian mobile number`;
}

function bringsOf(record: ProductRecord): string {
  if (record.kind === 'direct' || record.owes === undefined) return 'a receipt';
  const goods = `\`${record.owes.goods}\``;
  return record.owes.plans === 'all' ? goods : `${goods} by ${record.owes.plans} plans, else a receipt`;
}

/** The page of the products with its current table. */
/** Links the product's page, if there is one: `gift-cards.md` is that of GIFTCARD. */
function linkOf(product: string): string {
  const form = new RegExp(`^${product}s?\\.md$`, 'i');
  const page = readdirSync(folder).find((file) => form.test(file.replaceAll('-', '')));
  return page === undefined ? `\`${product}\`` : `[\`${product}\`](${page})`;
}

export function withProducts(text: string): string {
  const rows = productRecords.map((record) => [
    linkOf(record.name),
    kinds[record.kind],
    msisdnOf(record),
    record.kind === 'bill' ? record.customer.phone : 'no',
    bringsOf(record),
    record.isEnabledAtFirst ? 'yes' : 'no',
  ]);
  const head = ['`product`', 'Bought', '`msisdn`', '`phone`', 'Brings', 'Enabled at first'];
  return replaceWritten(text, 'products', table(head, rows));
}

export function makeTestNumbersPage(): string {
  return `# Test numbers

<!-- Written from the code by \`npm run test-numbers\`. -->

Test credentials (\`oja_test_…\`) buy in the gateway itself, from a test wallet. No network is
called. Purchases behave as live ones do. The [sandbox](sandbox.md) has a clock, so that you need
not wait. Airtime and data for any other valid mobile number are delivered at once.

## Stories

Three digits at the end of what you buy for decide what happens:

${forms()}

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

if (import.meta.main) {
  writeFileSync(testNumbersPage, makeTestNumbersPage());
  writeFileSync(productsPage, withProducts(readFileSync(productsPage, 'utf8')));
}
