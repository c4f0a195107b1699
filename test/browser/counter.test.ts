/**
 * A shop's day at the portal: buys one item with the price and the customer first, saves the
 * recipient, and picks it again.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { judge, missing, openPage, overflow, settle, sizes } from './browser.ts';
import { type Console, openConsole } from './fixture.ts';
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
      for (const colorScheme of ['light', 'dark'] as const) {
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
    await page.getByLabel(names.fields.amount).fill('5000');
    await page.getByLabel(names.fields.meterNumber).fill('10000000001');
    await page.getByLabel(names.fields.customersMobile).fill('08031234567');
    await page.getByRole('button', { name: names.buttons.showPrice }).click();
    const price = page.getByRole('region', { name: names.parts.price });
    await price.getByText(names.said.customer, { exact: true }).waitFor();
    await price.getByText(names.said.remains, { exact: true }).waitFor();
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

  it('picks a saved recipient, and sells nothing to a customer whom the biller rejects', async () => {
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
    await page.goto('/recipients');
    await settle(page);
    await row.getByRole('button', { name: names.buttons.remove }).click();
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.remove }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual(take(), []);
  });
});
