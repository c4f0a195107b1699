/** Finance closes a day, and corrects a wallet: alone, in twos, and with the password again. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { openPage, settle } from '../browser.ts';
import { type Console, password, send } from '../fixture.ts';

const DAY_MS = 86_400_000;

export function moneyStories(open: () => Console): void {
  it('closes a day that is over, and says why today cannot be closed', async () => {
    await using person = await open().person('funmi@shop.example', 'finance');
    const { page, take } = await openPage(person.context);
    await page.goto('/books?tab=days');
    await settle(page);
    const close = async (day: string): Promise<void> => {
      await page.getByRole('button', { name: 'Close a day' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Day' }).fill(day);
      await page.getByRole('dialog').getByRole('button').last().click();
    };
    const [{ now }] = (await open().gateway.database.query<{ now: Date }>('select now()')) as [{ now: Date }];
    const today = lagosDay(now);
    await close(today);
    await page.getByRole('dialog').getByText(`${today} can be closed from`).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const over = lagosDay(new Date(now.getTime() - 2 * DAY_MS));
    await close(over);
    await page.getByRole('status').getByText('The day is closed.').waitFor();
    await page.getByRole('cell', { name: over, exact: true }).waitFor();
    const older = lagosDay(new Date(now.getTime() - 4 * DAY_MS));
    await close(older);
    await page.getByRole('dialog').getByText(`${older} is older than the first day`).waitFor();
    assert.deepEqual(take(), []);
  });

  it('lets one person correct little, and two together correct much', async () => {
    await using maker = await open().person('maker@shop.example', 'finance');
    await using checker = await open().person('checker@shop.example', 'finance');
    const { page, take } = await openPage(maker.context);
    await correct(page, '12.50', 'a small one');
    await page.getByRole('status').getByText('The wallet is corrected.').waitFor();
    await correct(page, '1000000.01', 'a large one');
    await page.getByText('a second person must approve it').waitFor();
    await page.getByRole('link', { name: 'See what waits' }).click();
    await page.getByRole('heading', { name: 'Wallet credit' }).waitFor();
    const approve = async (by: Page): Promise<void> => {
      await by.getByRole('button', { name: 'Approve' }).click();
      await by.getByRole('dialog').getByRole('button', { name: 'Check it' }).click();
      await by.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    };
    await approve(page);
    await page.getByRole('alert').getByText('asked for it, and so cannot approve it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await balanceAfter(page, 'a large one'), undefined);

    const second = await openPage(checker.context);
    await second.page.goto('/work');
    await second.page
      .getByRole('region', { name: 'Waits for a second person' })
      .getByRole('link', { name: 'Wallet credit' })
      .click();
    await approve(second.page);
    await second.page.getByRole('status').getByText('It is approved, and was carried out.').waitFor();
    await second.page.getByText('checker', { exact: true }).first().waitFor();
    assert.equal(await balanceAfter(page, 'a large one'), '1000000.01');
    assert.deepEqual([...take(), ...second.take()], []);
  });

  it('asks for the password again five minutes after it was given, and for nothing less than it', async () => {
    await using person = await open().person('stepper@shop.example', 'finance');
    const { page, take } = await openPage(person.context);
    await page.goto('/merchants/DEMO');
    await open().gateway.database.query(
      `update user_sessions set stepped_up_until = now()
       where user_id = (select id from users where email = $1)`,
      [person.email],
    );
    await correct(page, '1.25', 'after five minutes');
    const asked = page.getByRole('dialog', { name: 'Your password again' });
    await asked.locator('input').fill('not the password at all');
    await asked.getByRole('button', { name: 'Go on' }).click();
    await asked.getByText('That is not right').waitFor();
    assert.equal(await balanceAfter(page, 'after five minutes'), undefined);
    await asked.locator('input').fill(password);
    await asked.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('status').getByText('The wallet is corrected.').waitFor();
    assert.equal(await balanceAfter(page, 'after five minutes'), '1.25');
    // Within the five minutes it is not asked for.
    await correct(page, '1.50', 'within five minutes');
    // What was said of the first may still be on the page.
    const told = () => balanceAfter(page, 'within five minutes');
    assert.equal(await until('it is in the statement', told), '1.50');
    assert.deepEqual(take(), []);
  });
}

/** Of the live wallet of the demo's merchant. */
async function correct(page: Page, amount: string, why: string): Promise<void> {
  if (!page.url().endsWith('/merchants/DEMO')) await page.goto('/merchants/DEMO');
  const row = page.getByRole('row').filter({ hasText: 'Live' }).filter({ hasText: 'NGN' });
  await row.getByRole('button', { name: 'Correct' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct the wallet' });
  await dialog.getByLabel(/^Amount/).fill(amount);
  await dialog.getByLabel('Why').fill(why);
  await dialog.getByRole('button', { name: 'Check it' }).click();
  await dialog.getByRole('button', { name: 'Correct' }).click();
}

/** What the statement has of a correction; undefined where it has none. */
async function balanceAfter(page: Page, memo: string): Promise<string | undefined> {
  const input = { merchant: 'DEMO', environment: 'live', currency: 'NGN' };
  const { body } = await send(page, '/api/operations/wallet.statement', input);
  const items: { amount: string }[] = body.data.items;
  return items.find((item) => JSON.stringify(item).includes(memo))?.amount;
}

function lagosDay(at: Date): string {
  return at.toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
}
