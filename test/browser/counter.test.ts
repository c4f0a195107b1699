/**
 * A shop's day at the portal: buys one item with the price and the customer first, saves the
 * recipient and picks it again, buys in bulk, gives a receipt and answers a complaint.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isGate, itInProof } from '../support/budget.ts';
import { until } from '../support/until.ts';
import { judge, missing, openPage, overflow, settle, sizes, visit } from './browser.ts';
import { type Console, customer, openConsole } from './fixture.ts';
import { names } from './names.ts';

describe('buying at the portal', { skip: missing() }, () => {
  let of: Console;

  before(async () => {
    of = await openConsole();
  });
  after(() => of?.[Symbol.asyncDispose]());

  async function chooseTestKey(page: Page): Promise<void> {
    const { key } = of.gateway.credentials.test;
    await page.getByLabel(names.fields.payWithKey).selectOption(key);
  }

  async function isFine(page: Page): Promise<void> {
    for (const size of [sizes.large, sizes.small]) {
      await page.setViewportSize(size);
      assert.equal(await overflow(page), 0);
      if (isGate && size === sizes.small) continue;
      for (const colorScheme of isGate ? (['light'] as const) : (['light', 'dark'] as const)) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await judge(page), []);
      }
    }
    await page.setViewportSize(sizes.large);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  it('shows price, remainder and customer, saves the recipient, and buys once', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto('/buy');
    await settle(page);
    await chooseTestKey(page);
    await page.getByLabel(names.fields.product).selectOption('ELECTRICITY');
    const biller = page.getByLabel(names.fields.biller);
    await biller.locator('option', { hasText: 'Ikeja Electric' }).waitFor({ state: 'attached' });
    await biller.selectOption('Ikeja Electric');
    await page.getByLabel(names.fields.plan).selectOption('2001');
    const amount = page.getByLabel(names.fields.amount);
    await amount.fill('5000,00');
    await page.getByRole('button', { name: names.buttons.showPrice }).click();
    assert.equal(await amount.getAttribute('aria-invalid'), 'true');
    await amount.fill('₦5,000.00');
    assert.equal(await amount.getAttribute('aria-invalid'), null);
    await page.getByLabel(names.fields.meterNumber).fill('10000000001');
    await page.getByLabel(names.fields.customersMobile).fill('08031234567');
    await page.getByRole('button', { name: names.buttons.showPrice }).click();
    const price = page.getByRole('region', { name: names.parts.price });
    await price.getByText(names.said.customer, { exact: true }).waitFor();
    await price.getByText(names.said.remains, { exact: true }).waitFor();
    await price.getByText('₦5,000.00').first().waitFor();
    await isFine(page);
    await price.getByRole('button', { name: names.buttons.saveRecipient }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.name).fill('Mama Tolu');
    await dialog.getByRole('button', { name: names.buttons.saveRecipient }).click();
    await dialog.waitFor({ state: 'detached' });
    await price.getByRole('button', { name: names.buttons.buy, exact: true }).click();
    await page.waitForURL(/\/purchases\//);
    await page.getByRole('region', { name: names.parts.whatBecameOfIt }).waitFor();
    await page.getByText('10000000001').first().waitFor();
    assert.deepEqual(take(), []);
  });

  itInProof('picks a saved recipient, and sells nothing to a customer whom the biller rejects', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto('/recipients');
    await settle(page);
    const row = page.getByRole('row').filter({ hasText: 'Mama Tolu' });
    assert.doesNotMatch((await row.textContent()) ?? '', /10000000001/);
    await isFine(page);
    await row.getByRole('link', { name: names.buttons.buy }).click();
    await page.waitForURL(/\/buy\?recipient=/);
    const meter = page.getByLabel(names.fields.meterNumber);
    await meter.waitFor();
    assert.equal(await meter.inputValue(), '10000000001');
    await chooseTestKey(page);
    await page.getByLabel(names.fields.plan).selectOption('2001');
    await page.getByLabel(names.fields.amount).fill('5000');
    await meter.fill('99999999999');
    await page.getByLabel(names.fields.customersMobile).fill('08031234567');
    await page.getByRole('button', { name: names.buttons.showPrice }).click();
    const buy = page
      .getByRole('region', { name: names.parts.price })
      .getByRole('button', { name: names.buttons.buy, exact: true });
    await buy.waitFor();
    assert.equal(await buy.isDisabled(), true);
    await visit(page, '/recipients');
    await row.getByRole('button', { name: names.buttons.remove }).click();
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.remove }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual(take(), []);
  });

  it('buys a file in bulk after its errors are corrected, and the same file only once', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    const upload = async (name: string, csv: string): Promise<void> => {
      await page.goto('/bulk');
      await settle(page);
      await page.getByLabel(names.fields.key).selectOption(of.gateway.credentials.test.key);
      const file = { name, mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await page.getByLabel(names.fields.file).setInputFiles(file);
      await page.getByRole('button', { name: names.buttons.checkRows }).click();
    };
    const head = 'Phone,Network,Amount';
    await upload('friday.csv', `${head}\n08031230001,MTN,100\n0803,MTN,100`);
    const faults = page.getByRole('table', { name: names.parts.faults });
    await faults.getByRole('row').nth(1).waitFor();
    assert.equal(await faults.getByRole('row').count(), 2);
    await isFine(page);
    const rows = [1, 2, 3].map((at) => `0803123000${at},MTN,100`);
    const whole = [head, ...rows].join('\n');
    await upload('friday.csv', whole);
    await page.waitForURL(/\/bulk\/[0-9a-f-]{36}/);
    const batch = page.url();
    const bought = async (): Promise<unknown> => {
      const sql = "select count(*)::integer as count from purchases where recipient = '2348031230002'";
      return (await of.gateway.database.query<{ count: number }>(sql))[0]?.count;
    };
    assert.equal(await bought(), 0);
    await page.getByRole('button', { name: names.buttons.start, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByRole('button', { name: names.buttons.start, exact: true }).click();
    const listed = page.getByRole('table', { name: names.parts.rows });
    await until('each row is bought', async () => (await listed.getByText(names.said.success).count()) === 3);
    await isFine(page);
    await upload('friday again.csv', whole);
    await page.waitForURL(batch);
    assert.equal(await page.getByRole('button', { name: names.buttons.start, exact: true }).count(), 0);
    assert.equal(await bought(), 1);
    assert.deepEqual(take(), []);
  });

  itInProof('gives a customer a receipt by link, and withdraws it', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto(`/purchases/${of.sold.success}`);
    await settle(page);
    await page.getByRole('button', { name: names.buttons.createLink }).click();
    const link = page.getByRole('link', { name: names.links.openTheReceipt });
    // The port is not in the settings of this gateway.
    const url = new URL(new URL((await link.getAttribute('href')) ?? '').pathname, of.portalUrl).href;
    assert.deepEqual(await judge(page), []);
    // A customer has no session.
    await using visitor = await of.browser.newContext();
    const receipt = await openPage(visitor);
    await receipt.page.goto(url);
    await receipt.page.getByRole('heading', { name: names.headings.receipt }).waitFor();
    const text = (await receipt.page.getByRole('main').textContent()) ?? '';
    assert.match(text, /Demo Merchant/);
    assert.doesNotMatch(text, /sandbox|vtpass|margin|\bcost|balance/i);
    await isFine(receipt.page);
    assert.deepEqual(receipt.take(), []);
    await page.getByRole('button', { name: names.buttons.revokeLinks }).click();
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.revokeLinks }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await link.waitFor({ state: 'detached' });
    await receipt.page.goto(url);
    await receipt.page.getByRole('heading', { name: names.headings.noReceipt }).waitFor();
    // An undelivered purchase has no receipt.
    await visit(page, `/purchases/${of.sold.pending}`);
    assert.equal(await page.getByRole('button', { name: names.buttons.createLink }).count(), 0);
    assert.deepEqual(take(), []);
  });

  it('answers a complaint with the order, the providers’ answers, the money and the next step', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto(`/purchases/${of.sold.success}`);
    await page.getByRole('link', { name: names.links.complaint }).click();
    await page.waitForURL(/\/complaint$/);
    const part = (name: string) => page.getByRole('region', { name });
    await part(names.parts.whatWasRequested).getByText(customer.success).waitFor();
    await part(names.parts.whatEachProviderSaid).getByText(names.said.providerCalled).waitFor();
    const money = part(names.parts.whereTheMoneyIs).getByRole('table', { name: names.parts.money });
    await money.getByRole('row').nth(1).waitFor();
    await part(names.parts.whatHappens).waitFor();
    assert.equal(await page.getByText(names.said.doNotBuyAgain).count(), 0);
    assert.doesNotMatch((await page.getByRole('main').textContent()) ?? '', /sandbox|vtpass|margin|\bcost/i);
    await isFine(page);
    await visit(page, `/purchases/${of.sold.pending}/complaint`);
    await page.getByText(names.said.doNotBuyAgain).waitFor();
    assert.deepEqual(take(), []);
    await page.goto('/purchases/no-such-reference/complaint');
    await page.getByRole('alert').getByText(names.said.itIsNotThere).waitFor();
  });
});
