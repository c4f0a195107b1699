/** The tasks of the operator's team, in order. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { customer } from '../../test/browser/fixture.ts';
import { until } from '../../test/support/until.ts';
import { type Hand, makeHand } from './hand.ts';
import {
  close,
  confirm,
  dialogOf,
  findPurchase,
  goTo,
  goToMerchant,
  invite,
  linkOf,
  region,
  row,
  submit,
  type Task,
} from './play.ts';
import type { Stage } from './stage.ts';

const unzeroed = customer.pending.slice(1);
const dotted = customer.pending.replace(/^(....)(...)/, '$1.$2.');
const wrong = `${customer.pending.slice(0, -1)}9`;
const shops = ['SHOP1', 'SHOP2', 'SHOP3'] as const;

export const operatorTasks: readonly Task[] = [
  {
    name: 'Settle an unknown purchase with evidence',
    who: 'operator',
    isUnanswered: true,
    play: async (stage, hand) => {
      const { buttons, fields } = stage.labels;
      await findPurchase(hand, customer.pending);
      await hand.press(buttons.settle);
      await hand.choose(fields.outcome, 'Failed', dialogOf(hand));
      await hand.type(fields.evidence, 'Ticket 4711 of their support', dialogOf(hand));
      await confirm(stage, hand, buttons.settle);
    },
    happened: async ({ run, labels, console: { sold } }) =>
      await until('the purchase failed', async () => {
        const purchase = await run(labels.operations.show, { reference: sold.pending });
        return purchase.status === 'failed';
      }),
  },
  {
    name: 'Find a purchase by a number without its zero',
    who: 'operator',
    play: async (_, hand) => {
      await hand.search(unzeroed);
      await hand.openRow(linkOf(hand, customer.pending));
    },
    before: async (_, hand) => await findAgain(hand, unzeroed),
    happened: isAtPurchase,
  },
  {
    name: 'Find a purchase by a number with dots',
    who: 'operator',
    play: async (_, hand) => {
      await hand.search(dotted);
      await hand.openRow(linkOf(hand, customer.pending));
    },
    before: async (_, hand) => await findAgain(hand, dotted),
    happened: isAtPurchase,
  },
  {
    name: 'Find a purchase by a number with one wrong digit',
    who: 'operator',
    play: async (_, hand) => {
      await hand.search(wrong);
      await hand.follow(customer.pending);
      await hand.openRow(linkOf(hand, customer.pending));
    },
    before: 'none',
    happened: isAtPurchase,
  },
  {
    name: 'List the purchases of a merchant by its name',
    who: 'operator',
    play: async (_, hand) => {
      await hand.search('demo mer');
      await hand.follow('Purchases of DEMO');
    },
    before: async (stage, hand) => {
      await goToMerchant(stage, hand, 'DEMO');
      await hand.follow(stage.labels.tabs.purchases, hand.page.getByRole('main'));
    },
    happened: async (_, { page }) => await page.waitForURL(/merchant=DEMO|DEMO\?tab=purchases/),
  },
  {
    name: 'Make a new merchant ready to buy six products',
    who: 'operator',
    play: async (stage, hand) => {
      const { tabs } = stage.labels;
      await createMerchant(stage, hand);
      await hand.follow(tabs.products);
      for (const product of ['Electricity', 'Cable', 'Betting', 'Education']) await hand.tick(product);
      await hand.follow(tabs.wallets);
      await fundAndIssue(stage, hand);
    },
    before: async (stage, hand) => {
      await createMerchant(stage, hand);
      await hand.follow(stage.labels.tabs.products);
      for (const product of ['Electricity', 'Cable', 'Betting', 'Education']) {
        await hand.press('Enable a product');
        await hand.choose('Product', product, dialogOf(hand));
        await confirm(stage, hand, 'Enable a product');
      }
      await hand.follow(stage.labels.tabs.wallets);
      await fundAndIssue(stage, hand);
    },
    happened: async ({ run }) =>
      await until('the merchant can buy', async () => {
        const of = { merchant: 'MAMA' };
        const { products } = await run('merchant.show', of);
        const { length } = (await run('credential.list', of)) as unknown[];
        return products.live.length === 6 && isFunded(await run('wallet.show', of)) && length === 1;
      }),
  },
  {
    name: 'Give a discount of 2.5 %',
    who: 'operator',
    play: async (stage, hand) => {
      await goToMerchant(stage, hand, 'DEMO');
      await hand.follow(stage.labels.tabs.products);
      await discount(stage, hand, { network: 'MTN', percent: '2.5', points: '250' });
    },
    happened: async ({ run }) =>
      await until('the discount is set', async () => {
        const { discounts } = await run('merchant.show', { merchant: 'DEMO' });
        return discounts.length === 1;
      }),
  },
  {
    name: 'Give three merchants the prices of resellers',
    who: 'operator',
    prepare: async ({ run }) => {
      for (const code of shops) await run('merchant.create', { code, name: `Reseller ${code}` });
    },
    play: async (stage, hand) => {
      const rules = 'product,network,off\nairtime,MTN,2.5\nairtime,GLO,3';
      await goTo(hand, stage.labels.places.priceLists);
      await hand.press('Create a list');
      await hand.type('List', 'resellers', dialogOf(hand));
      await confirm(stage, hand, 'Create a list');
      await hand.openRow(linkOf(hand, 'resellers'));
      await hand.press('Add a version');
      await hand.paste('Rules', rules, dialogOf(hand));
      await confirm(stage, hand, 'Add a version');
      await hand.press('Start');
      await confirm(stage, hand, 'Start');
      await hand.press('Assign merchants');
      await hand.type('Merchants', shops.join(', '), dialogOf(hand));
      await confirm(stage, hand, 'Assign merchants');
    },
    before: async (stage, hand) => {
      for (const code of shops) {
        await goToMerchant(stage, hand, code);
        await hand.follow(stage.labels.tabs.products);
        await discount(stage, hand, { network: 'MTN', percent: '2.5', points: '250' });
        await discount(stage, hand, { network: 'GLO', percent: '3', points: '300' });
      }
    },
    happened: async ({ run, version }) => {
      for (const code of shops) {
        const merchant = await run('merchant.show', { merchant: code });
        const isPriced =
          version === '0.2' ? merchant.discounts.length === 2 : merchant.price_list === 'resellers';
        if (!isPriced) throw new Error(`${code} has no prices of resellers`);
      }
    },
  },
  {
    name: 'Change the price of one plan',
    who: 'operator',
    play: async (stage, hand) => {
      const { subject, price } = await firstPlan(stage);
      await hand.search(subject);
      await hand.openRow(linkOf(hand, subject));
      await hand.type(`Price of ${subject}`, price, hand.page.getByRole('main'));
      await hand.submit(stage.labels.buttons.review, hand.page.getByRole('main'));
      await hand.submit('Apply', dialogOf(hand));
      await dialogOf(hand).waitFor({ state: 'detached' });
    },
    before: changePriceByFile,
    happened: async ({ run }) =>
      await until('the price is changed', async () => {
        const changes = (await run('catalog.history', {})) as { source: string }[];
        return changes.some(({ source }) => ['console', 'import'].includes(source));
      }),
  },
  {
    name: 'Set an exchange rate of 1,560.50',
    who: 'operator',
    play: async (stage, hand) => {
      await openRate(stage, hand);
      await hand.type(stage.labels.fields.rate, '1,560.50', dialogOf(hand));
      await confirm(stage, hand, stage.labels.buttons.rate);
    },
    before: async (stage, hand) => {
      const { fields, buttons } = stage.labels;
      await openRate(stage, hand);
      await hand.type(fields.rate, '1,560.50', dialogOf(hand));
      await submit(stage, hand, buttons.rate);
      await dialogOf(hand).locator('[aria-invalid=true]').waitFor();
      await hand.type(fields.rate, '1560.50', dialogOf(hand));
      await confirm(stage, hand, buttons.rate);
    },
    happened: async ({ run }) =>
      await until('the rate is set', async () => JSON.stringify(await run('fx.list', {})).includes('1560.5')),
  },
  {
    name: 'Assign a deposit in suspense',
    who: 'operator',
    prepare: async ({ console: { gateway } }) =>
      await gateway.database.query(
        `insert into deposits
           (id, provider, provider_reference, environment, currency, paid_to, gross, fee, settled, paid_at)
         values (gen_random_uuid(), 'monnify', 'task', 'live', 'NGN', '6000000000', 100, 0, 100, now())`,
      ),
    play: async (stage, hand) => {
      const { places, buttons } = stage.labels;
      await goTo(hand, places.work);
      await hand.press(buttons.assign);
      await hand.type('Merchant', 'DEMO', dialogOf(hand));
      await confirm(stage, hand, buttons.assign);
    },
    happened: async ({ run }) =>
      await until('no deposit is in suspense', async () => (await suspense(run)).length === 0),
  },
  {
    name: 'Close a day',
    who: 'operator',
    prepare: async ({ run }) => {
      const day = new Date(Date.now() - 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
      await until('the report is complete', async () => {
        const report = await run('report.show', { environment: 'live', from: day, to: day, at_once: true });
        return report.added_up.complete;
      });
    },
    play: async (stage, hand) => {
      const { places, tabs, buttons } = stage.labels;
      await goTo(hand, places.books);
      await hand.follow(tabs.closedDays);
      await hand.press(buttons.closeADay);
      await confirm(stage, hand, buttons.closeADay);
    },
    happened: async ({ run }) =>
      await until('the day is closed', async () => {
        const days = (await run('day.list', { environment: 'live' })) as unknown[];
        return days.length === 1;
      }),
  },
  {
    name: 'Reconcile a statement',
    who: 'operator',
    prepare: async ({ console: { gateway }, folder }) => {
      const answer = await fetch(`${gateway.simulatorUrl}/statements/vtpass.csv`);
      await writeFile(join(folder, 'vtpass.csv'), await answer.text());
    },
    play: async (stage, hand) => {
      const { places, buttons, fields } = stage.labels;
      const [place = '', ...tabs] = places.reconciliation;
      await goTo(hand, place);
      for (const tab of tabs) await hand.follow(tab, hand.page.getByRole('main'));
      await hand.press(buttons.reconcile);
      await hand.type(fields.party, 'vtpass', dialogOf(hand));
      await hand.pick(fields.statementFile, join(stage.folder, 'vtpass.csv'), dialogOf(hand));
      await submit(stage, hand, buttons.reconcile);
      await close(hand);
    },
    happened: async ({ run }) =>
      await until('the run is listed', async () => {
        const runs = (await run('reconciliation.list', {})) as unknown[];
        return runs.length === 1;
      }),
  },
  {
    name: 'Pause a provider for one product',
    who: 'operator',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.providers);
      await hand.openRow(linkOf(hand, /^vtpass/));
      await hand.press(stage.labels.buttons.pause);
      await hand.type('Reason', 'Slow since noon', dialogOf(hand));
      await hand.choose('Product', 'Airtime', dialogOf(hand));
      await confirm(stage, hand, stage.labels.buttons.pause);
    },
    happened: async ({ run }) =>
      await until('the provider is paused', async () => {
        const provider = await run('provider.show', { provider: 'vtpass' });
        return provider.paused.length === 1;
      }),
  },
  {
    name: 'Put another provider first in a route',
    who: 'operator',
    play: async (stage, hand) => {
      await openRoute(stage, hand);
      await hand.press('Move nomba up', dialogOf(hand));
      await hand.submit(stage.labels.buttons.review, dialogOf(hand));
      await hand.submit('Apply', dialogOf(hand));
      await dialogOf(hand).waitFor({ state: 'detached' });
    },
    before: async (stage, hand) => {
      await openRoute(stage, hand);
      await hand.type('Providers', (await airtimeProviders(stage)).reverse().join(', '), dialogOf(hand));
      await confirm(stage, hand, stage.labels.buttons.change);
    },
    happened: async (stage) =>
      await until('the route is changed', async () => (await airtimeProviders(stage))[0] !== 'vtpass'),
  },
  {
    name: 'Acknowledge an alarm',
    who: 'operator',
    prepare: async ({ console: { gateway } }) => {
      const values = `('quarantined', 'A purchase could not be processed.')`;
      await gateway.database.query(`insert into alarms (kind, message) values ${values}`);
    },
    play: async (stage, hand) => {
      const { places, buttons, fields } = stage.labels;
      await goTo(hand, places.work);
      await hand.press(buttons.acknowledge, row(hand, 'could not be processed'));
      await hand.type(fields.note, 'Processed again, with success', dialogOf(hand));
      await confirm(stage, hand, buttons.acknowledge);
    },
    happened: async ({ run }) =>
      await until('the alarm is acknowledged', async () => {
        return !JSON.stringify(await run('alarm.list', {})).includes('could not be processed');
      }),
  },
  {
    name: 'Adjust a balance with the approval of a second person',
    who: 'operator',
    play: async (stage, { device }) => {
      const { maker, checker } = stage.pages;
      for (const page of [maker, checker]) await page.goto('/overview');
      const [first, second] = [makeHand(maker, device), makeHand(checker, device)];
      await goToMerchant(stage, first, 'DEMO');
      await adjust(stage, first, '2000000', 'Paid in at the bank');
      await dialogOf(first).getByRole('link').waitFor();
      await goTo(second, stage.labels.places.approvals);
      await second.openRow(linkOf(second, 'maker'));
      await second.press(stage.labels.buttons.approve);
      await confirm(stage, second, stage.labels.buttons.approve);
      return [first, second];
    },
    happened: async ({ run }) =>
      await until('the balance is adjusted', async () => {
        const of = { merchant: 'DEMO', environment: 'live', currency: 'NGN' };
        return JSON.stringify(await run('wallet.statement', of)).includes('Paid in at the bank');
      }),
  },
  {
    name: 'Refund a part of a purchase',
    who: 'operator',
    prepare: async (stage) => await stage.buy('08035550001'),
    play: async (stage, hand) => {
      await findPurchase(hand, '08035550001');
      await hand.press(stage.labels.buttons.refund);
      await hand.type('Amount', '50', dialogOf(hand));
      await hand.type('Reason', 'The customer paid twice', dialogOf(hand));
      await confirm(stage, hand, stage.labels.buttons.refund);
    },
    happened: async ({ run, labels }, { page }) =>
      await until('the part is refunded', async () => {
        const reference = new URL(page.url()).pathname.split('/').at(-1);
        const { refunded } = await run(labels.operations.show, { reference });
        return refunded === '50.00';
      }),
  },
  {
    name: 'Resend a webhook of a purchase',
    who: 'operator',
    prepare: async (stage) => {
      const { call } = stage.console.gateway;
      const body = { url: `${stage.hook.url}/shop`, events: ['transaction.success'] };
      await call('POST', '/v1/webhooks/endpoints', { as: 'live', body });
      await stage.buy('08035550002');
      await until('the webhook comes', () => stage.hook.of('/shop').length === 1);
    },
    play: async (stage, hand) => {
      await findPurchase(hand, '08035550002');
      await hand.press(stage.labels.buttons.resend, region(hand, 'Webhooks'));
      await confirm(stage, hand, stage.labels.buttons.resend);
    },
    happened: async ({ hook }) => await until('it comes again', () => hook.of('/shop').length === 2),
  },
  {
    name: 'Invite a colleague',
    who: 'operator',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.team);
      await invite(stage, hand, 'sade@oja.example', 'Support');
    },
    happened: async ({ mails }) =>
      await until('the invitation is sent', async () => (await mails('sade@oja.example')) > 0),
  },
];

async function findAgain(hand: Hand, spelled: string): Promise<void> {
  await hand.search(spelled);
  await hand.page.getByRole('region', { name: 'Nothing was found' }).waitFor();
  await findPurchase(hand, customer.pending);
}

async function isAtPurchase({ console: { sold } }: Stage, { page }: Hand): Promise<void> {
  await page.waitForURL(new RegExp(`/purchases/${sold.pending}`));
}

async function createMerchant(stage: Stage, hand: Hand): Promise<void> {
  const { places, buttons, fields } = stage.labels;
  await goTo(hand, places.merchants);
  await hand.press(buttons.newMerchant);
  await hand.type('Code', 'MAMA', dialogOf(hand));
  await hand.type(fields.businessName, 'Mama Put Stores', dialogOf(hand));
  await confirm(stage, hand, buttons.newMerchant);
  await hand.page.getByRole('heading', { name: 'Mama Put Stores' }).waitFor();
}

async function fundAndIssue(stage: Stage, hand: Hand): Promise<void> {
  const { tabs, buttons } = stage.labels;
  await adjust(stage, hand, '5000', 'Paid in by transfer');
  await dialogOf(hand).waitFor({ state: 'detached' });
  await hand.follow(tabs.credentials);
  await hand.press(buttons.issue);
  if (stage.version === '0.2') await hand.choose('Environment', 'Live', dialogOf(hand));
  await submit(stage, hand, buttons.issue);
  await close(hand);
}

async function adjust(stage: Stage, hand: Hand, amount: string, memo: string): Promise<void> {
  const { buttons, fields } = stage.labels;
  const wallet = stage.version === '0.2' ? /Live.*NGN/ : 'NGN';
  await hand.press(buttons.adjust, row(hand, wallet));
  await hand.type(fields.adjustment, amount, dialogOf(hand));
  await hand.type(fields.memo, memo, dialogOf(hand));
  await submit(stage, hand, buttons.adjust);
}

function isFunded(wallets: readonly { readonly environment: string; readonly available: string }[]): boolean {
  return wallets.some(({ environment, available }) => environment === 'live' && available === '5000.00');
}

/** 0.2 takes basis points. */
async function discount(
  stage: Stage,
  hand: Hand,
  {
    network,
    percent,
    points,
  }: { readonly network: string; readonly percent: string; readonly points: string },
): Promise<void> {
  const { buttons, fields } = stage.labels;
  await hand.press(buttons.discount);
  await hand.choose('Product', 'Airtime', dialogOf(hand));
  await hand.type('Network', network, dialogOf(hand));
  await hand.type(fields.discount, stage.version === '0.2' ? points : percent, dialogOf(hand));
  await confirm(stage, hand, buttons.discount);
}

async function openRate(stage: Stage, hand: Hand): Promise<void> {
  const { places, tabs, buttons } = stage.labels;
  await goTo(hand, places.catalog);
  await hand.follow(tabs.rates);
  await hand.press(buttons.rate);
  await hand.choose('Currency', 'USD', dialogOf(hand));
}

async function openRoute(stage: Stage, hand: Hand): Promise<void> {
  await goTo(hand, stage.labels.places.providers);
  const routes = hand.page.getByRole('table', { name: 'Routes', exact: true });
  await hand.press(
    stage.labels.buttons.change,
    routes.getByRole('row').filter({ hasText: 'Airtime' }).first(),
  );
}

/** The providers of live airtime, in order. */
async function airtimeProviders({ run }: Stage): Promise<string[]> {
  const routes = (await run('route.list', { limit: 200 })) as {
    readonly environment: string;
    readonly product: string;
    readonly providers: string[];
  }[];
  const found = routes.find(({ environment, product }) => environment === 'live' && product === 'airtime');
  return found?.providers ?? [];
}

/** A file with the first data plan, whose price is one naira higher. */
async function firstPlan({ run }: Stage): Promise<{
  readonly subject: string;
  readonly price: string;
  readonly file: string;
}> {
  const { content } = (await run('catalog.export', { product: 'data' })) as { readonly content: string };
  const [head = '', first = ''] = content.split('\n');
  const [, naira = ''] = /,(\d+)\.00,/.exec(first) ?? [];
  const price = `${Number(naira) + 1}.00`;
  const file = `${head}\n${first.replace(`,${naira}.00,`, `,${price},`)}\n`;
  return { subject: first.split(',')[head.split(',').indexOf('plan_code')] ?? '', price, file };
}

/** Exports the plans, edits the file in another program, compares it, and applies it. */
async function changePriceByFile(stage: Stage, hand: Hand): Promise<void> {
  const { places, buttons, fields } = stage.labels;
  const { subject, price, file } = await firstPlan(stage);
  await goTo(hand, places.catalog);
  await hand.press(buttons.exportPlans);
  await hand.choose('Product', 'Data', dialogOf(hand));
  await submit(stage, hand, buttons.exportPlans);
  await dialogOf(hand).locator('form').waitFor({ state: 'detached' });
  // The text is copied from its box: one click, and two chords.
  hand.elsewhere({ clicks: 1, keys: 4 });
  await close(hand);
  // In an editor it is pasted, the plan is found, its price typed, and the file saved.
  hand.elsewhere({ keys: 2 + 2 + subject.length + 1 + price.length + 2 });
  const path = join(stage.folder, 'plans.csv');
  await writeFile(path, file);
  for (const isApplied of [false, true]) {
    await hand.press(buttons.compare);
    await hand.pick(fields.catalogFile, path, dialogOf(hand));
    if (isApplied) await hand.tick(fields.apply, dialogOf(hand));
    await submit(stage, hand, buttons.compare);
    await close(hand);
  }
}

async function suspense(run: Stage['run']): Promise<readonly unknown[]> {
  return await run('deposit.list', { suspense: true });
}
