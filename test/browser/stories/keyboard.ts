/** A person without a mouse signs in, searches, reads, and leaves. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { openPage } from '../browser.ts';
import { type Console, customer, password } from '../fixture.ts';
import { names } from '../names.ts';

const STOPS_MAX = 60;

export function keyboardStories(open: () => Console): void {
  it('can be used with only the keyboard, from signing in to signing out', async () => {
    await using person = await open().person('keys@shop.example', 'support');
    await using context = await open().browser.newContext({ baseURL: open().url });
    const { page, take } = await openPage(context);
    await page.goto('/sign-in');
    await page.getByRole('heading', { name: names.headings.signIn }).waitFor();
    await tabTo(page, names.fields.email);
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: names.headings.yourSecondFactor }).waitFor();
    await tabTo(page, names.fields.code);
    await page.keyboard.type(person.code());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: names.headings.overview }).waitFor();

    // A key that is typed into a field is not a shortcut.
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: names.fields.search }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('a?jk/');
    assert.equal(await page.getByRole('searchbox', { name: names.fields.search }).inputValue(), 'a?jk/');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: names.parts.keys }).waitFor();
    await page.keyboard.press('/');
    assert.equal(await page.getByRole('dialog').count(), 1, 'nor is one while a dialog is open');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await tabTo(page, names.said.test);
    await page.keyboard.press('Enter');
    await page.waitForURL(/environment=test/);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(customer.success);
    await page.keyboard.press('Enter');
    const rows = page.getByRole('region', { name: names.parts.asAMobileNumber });
    await rows.waitFor();
    await page.keyboard.press('j');
    await rows.locator('a[data-row]:focus').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await rows.locator('a[data-row]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: names.parts.whatHappensNext })
      .getByText(names.said.itWasDelivered)
      .waitFor();

    await tabTo(page, person.email.slice(0, 4));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: names.buttons.signOut }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: names.headings.signIn }).waitFor();
    assert.deepEqual(take(), []);
  });
}

/** Moves by the Tab key to the element with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    const focused = (await page.evaluate(
      '(() => { const it = document.activeElement; return it.labels?.[0]?.textContent ?? it.textContent; })()',
    )) as string | null;
    if (focused?.includes(name) === true && (await page.locator(':focus').count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`the tabulator does not come to "${name}"`);
}
