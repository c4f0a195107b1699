/** A merchant is onboarded: from the console's invitation to its first purchase with live money. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import type { KeyPair } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { judge, openPage, settle, sizes, visit } from '../browser.ts';
import { type Console, password } from '../fixture.ts';
import { names } from '../names.ts';

export function onboardingStory(open: () => Console, hook: () => WebhookReceiver): void {
  it('onboards a merchant: from the invitation by the console to its first live purchase', async () => {
    const of = open();
    const receiver = hook();
    await using admin = await of.window();
    const { page } = await openPage(admin);
    await page.goto('/merchants');
    await page.getByRole('button', { name: names.buttons.newMerchant }).click();
    await page.getByRole('dialog').getByLabel(names.fields.code).fill('MAMA');
    await page.getByRole('dialog').getByLabel(names.fields.nameOfTheBusiness).fill('Mama Put Stores');
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.newMerchant }).click();
    await page.getByRole('heading', { name: 'Mama Put Stores' }).waitFor();
    await visit(page, '/merchants/MAMA?tab=people');
    await page.getByRole('button', { name: names.buttons.inviteSomebody }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.email).fill('mama@stores.example');
    await dialog.getByLabel(names.fields.owner).check();
    await dialog.getByRole('button', { name: names.buttons.inviteSomebody }).click();
    await dialog.getByRole('button', { name: names.buttons.close }).last().click();
    const link = await until('the invitation is in the outbox', () => invitation(of, 'mama@stores.example'));

    await using owner = await of.browser.newContext({ baseURL: of.portalUrl, viewport: sizes.large });
    const { page: portal, take } = await openPage(owner);
    await portal.goto(pathOf(link));
    await portal.getByLabel(names.fields.yourName).fill('Mama');
    await portal.getByLabel(names.fields.aPassword, { exact: true }).fill(password);
    await portal.getByRole('button', { name: names.buttons.goOn }).click();
    await portal.getByRole('heading', { name: names.headings.balance }).waitFor();
    const key = await makeKey(portal);
    const endpoint = await portalEndpoint(portal, `${receiver.url}/mama`);
    await visit(portal, '/try');
    await portal.getByRole('button', { name: names.buttons.makeATestKey }).click();
    await portal.getByRole('button', { name: names.buttons.buy, exact: true }).click();
    await payIn(portal);
    const body = {
      merchant: 'MAMA',
      msisdn: '08031234567',
      network: 'mtn',
      amount: '100',
      request_ref: 'first-1',
    };
    const bought = await of.gateway.call('POST', '/v1/transactions/airtime/sync', { as: key, body });
    assert.equal(bought.body.response_code, '00', bought.text);
    await until('its webhook comes', () =>
      receiver
        .of('/mama')
        .find(
          ({ event }) => event.type === 'transaction.success' && JSON.stringify(event).includes('first-1'),
        ),
    );
    await visit(portal, '/purchases?environment=test');
    await portal.getByRole('row').filter({ hasText: 'first-1' }).getByRole('link').click();
    await portal
      .getByRole('region', { name: names.parts.whatBecameOfIt })
      .getByText(names.said.itWasDelivered)
      .waitFor();
    await until('the purchase tells of its webhook', async () => {
      await portal.reload();
      await settle(portal);
      const told = portal.getByRole('region', { name: names.parts.itsWebhooks });
      return (await told.getByText(names.said.delivered).count()) > 0;
    });
    await visit(portal, `/webhooks/${endpoint}`);
    await portal
      .getByRole('region', { name: names.parts.whatBecameOfItsEvents })
      .getByText('transaction.success')
      .first()
      .waitFor();
    await buyLive(of, page, portal);
    // Another merchant's purchase is not found.
    await portal.goto(`/purchases/${of.sold.success}`);
    await portal.getByRole('alert').getByText(names.said.itIsNotThere).waitFor();
    assert.deepEqual(take(), []);
  });
}

/** Its test wallet is empty: it adds test funds, with the key of the page, and buys again. */
async function payIn(portal: Page): Promise<void> {
  const offer = portal.getByRole('region', { name: names.parts.testWalletTooLow });
  const pay = offer.getByRole('button', { name: names.buttons.payIn });
  await offer.getByLabel(names.fields.depositInNaira).fill('half a million');
  await pay.click();
  await offer.getByLabel(names.fields.depositInNaira).and(portal.locator('[aria-invalid="true"]')).waitFor();
  await offer.getByLabel(names.fields.depositInNaira).fill('1,000');
  assert.deepEqual(await judge(portal), []);
  await pay.press('Enter');
  await portal.getByText(names.said.moneyIsInTestWallet).waitFor();
  const sent = await portal.getByRole('region', { name: names.parts.theRequest }).textContent();
  assert.match(sent ?? '', /POST \/v1\/test\/deposits[\s\S]*"amount": "1000"/);
  // A keyboard user continues at the same place.
  await portal
    .getByRole('button', { name: names.buttons.buy, exact: true })
    .and(portal.locator(':focus'))
    .waitFor();
  await portal.keyboard.press('Enter');
  await portal.getByText(names.said.thePurchaseIsAmongYours).waitFor();
}

/** Tests listen on any free port, which no setting names. */
export function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return `${pathname}${hash}`;
}

/** With money that the admin booked, a live key and a provider that delivers. */
async function buyLive(of: Console, admin: Page, portal: Page): Promise<void> {
  await visit(admin, '/merchants/MAMA');
  const wallet = admin
    .getByRole('region', { name: names.parts.wallets })
    .getByRole('row')
    .filter({ hasText: 'NGN' });
  await wallet.getByRole('button', { name: names.buttons.adjustBalance }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel(names.fields.amount).fill('5000');
  await dialog.getByLabel(names.fields.why).fill('Paid in by transfer, before its account is open');
  await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
  await dialog.getByRole('button', { name: names.buttons.adjustBalance }).click();
  await admin.getByRole('status').getByText(names.said.theWalletIsCorrected).waitFor();

  await of.wakeProvider();
  const live = await makeKey(portal, 'live');
  const body = {
    merchant: 'MAMA',
    msisdn: '08031239876',
    network: 'mtn',
    amount: '150',
    request_ref: 'live-1',
  };
  const bought = await of.gateway.call('POST', '/v1/transactions/airtime/sync', { as: live, body });
  assert.equal(bought.body.response_code, '00', bought.text);
  await visit(portal, '/purchases');
  await portal.getByRole('row').filter({ hasText: 'live-1' }).getByRole('link').click();
  await portal
    .getByRole('region', { name: names.parts.whatBecameOfIt })
    .getByText(names.said.itWasDelivered)
    .waitFor();
  await visit(portal, '/balance');
  await portal.getByText('₦4,850.00').first().waitFor();
}

async function makeKey(page: Page, environment: 'test' | 'live' = 'test'): Promise<KeyPair> {
  await visit(page, '/keys');
  await page.getByRole('button', { name: names.buttons.makeAKey }).click();
  const dialog = page.getByRole('dialog');
  if (environment === 'live') await dialog.getByLabel(names.fields.environment).selectOption('live');
  await dialog.getByLabel(names.fields.whatItIsFor).fill('till 1');
  await dialog.getByRole('button', { name: names.buttons.makeAKey }).click();
  await dialog.getByText(names.said.itIsShownThisOnce).waitFor();
  const [key, secret] = await Promise.all(
    [names.fields.key, names.fields.secret].map((name) => factOf(dialog, name)),
  );
  await dialog.getByRole('button', { name: names.buttons.close }).last().click();
  return { key: key ?? '', secret: secret ?? '' };
}

async function factOf(within: ReturnType<Page['locator']>, name: string): Promise<string> {
  const term = within.locator('dl > div').filter({ has: within.page().getByText(name, { exact: true }) });
  const value = term.locator('dd').first();
  // Each value that can be copied has a button next to it.
  const code = value.locator('code');
  return (await ((await code.count()) > 0 ? code.first() : value).textContent()) ?? '';
}

/** Creates it through its screen and returns its id. */
async function portalEndpoint(page: Page, url: string): Promise<string> {
  await visit(page, '/webhooks?environment=test');
  await page.getByRole('button', { name: names.buttons.addAnEndpoint }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(names.fields.itsAddress).fill(url);
  await dialog.getByRole('button', { name: names.buttons.addAnEndpoint }).click();
  await dialog.getByText(names.said.itIsShownThisOnce).waitFor();
  const id = await factOf(dialog, names.fields.id);
  await dialog.getByRole('button', { name: names.buttons.close }).last().click();
  return id;
}

/** The link of an e-mail that the demo wrote to its folder. */
async function invitation({ gateway }: Console, email: string): Promise<string | undefined> {
  const folder = join(gateway.dataDir, 'outbox');
  for (const file of await readdir(folder).catch(() => [])) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    // In an e-mail, "=" breaks a long line, and "=3D" stands for "=".
    const plain = text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const [link] = /http:\S+#token=[\w-]{43}/.exec(plain) ?? [];
    if (file.endsWith('.eml') && plain.includes(email) && link !== undefined) return link;
  }
  return undefined;
}
