/**
 * Finance closes a day, and corrects a wallet: within its limit, with approval, and with the
 * password again.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { openPage, refusal, settle } from '../browser.ts';
import { type Console, password, send } from '../fixture.ts';
import { names } from '../names.ts';

const DAY_MS = 86_400_000;

export function moneyStories(open: () => Console): void {
  it('closes a day that is over, and says why today cannot be closed', async () => {
    await using person = await open().person('funmi@shop.example', 'finance');
    const { page, take } = await openPage(person.context);
    await page.goto('/books?tab=days');
    await settle(page);
    const close = async (day: string): Promise<void> => {
      await page.getByRole('button', { name: names.buttons.closeADay }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: names.fields.day }).fill(day);
      await page.getByRole('dialog').getByRole('button', { name: names.buttons.checkIt }).click();
      await page.getByRole('dialog').getByRole('button', { name: names.buttons.closeADay }).click();
    };
    const [{ now }] = (await open().gateway.database.query<{ now: Date }>('select now()')) as [{ now: Date }];
    const today = lagosDay(now);
    const cancel = async (): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name: names.buttons.cancel }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    assert.deepEqual(await refusal(page, () => close(today)), ['day_not_over']);
    await cancel();
    const over = lagosDay(new Date(now.getTime() - 2 * DAY_MS));
    const closed = page.getByRole('status').getByText(names.said.theDayIsClosed);
    // A day is refused until all of it is rolled up, which is late on a busy machine.
    await until('the day is closed', async () => {
      await close(over);
      const refused = page.getByRole('dialog').getByRole('alert');
      await closed.or(refused).first().waitFor();
      // The message about the closed day does not stay, and a refusal does.
      if ((await refused.count()) === 0) return true;
      await cancel();
      return false;
    });
    await page.getByRole('cell', { name: over, exact: true }).waitFor();
    const older = lagosDay(new Date(now.getTime() - 4 * DAY_MS));
    assert.deepEqual(await refusal(page, () => close(older)), ['day_before_first']);
    assert.deepEqual(take(), []);
  });

  it('lets one person make small corrections, and requires two for large ones', async () => {
    await using maker = await open().person('maker@shop.example', 'finance');
    await using checker = await open().person('checker@shop.example', 'finance');
    const second = await openPage(checker.context);
    await second.page.goto('/overview');
    const navigation = second.page.getByRole('navigation', { name: names.parts.screens });
    const { page, take } = await openPage(maker.context);
    await correct(page, '12.50', 'a small one');
    await page.getByRole('status').getByText(names.said.theWalletIsCorrected).waitFor();
    await correct(page, '1000000.01', 'a large one');
    await page.getByText(names.said.aSecondPersonMustApproveIt).waitFor();
    await page.getByRole('link', { name: names.links.seeWhatWaits }).click();
    await page.getByRole('heading', { name: names.headings.adjustAWalletBalance }).waitFor();
    // It names the merchant, the amount and both people, and has a link that can be sent.
    const request = page.getByRole('region', { name: names.parts.theRequest });
    await request.getByRole('link', { name: 'Demo Merchant' }).waitFor();
    await request.getByText('₦1,000,000.01').waitFor();
    await request.getByText(page.url()).waitFor();
    const stands = page.getByRole('region', { name: names.parts.whereItStands });
    for (const { email } of [maker, checker]) await stands.getByText(email).waitFor();
    // The requester is not offered to approve, and the server refuses it.
    assert.equal(await page.getByRole('button', { name: names.buttons.approve }).count(), 0);
    assert.equal(await page.getByRole('link', { name: names.links.approvalsForYou }).count(), 0);
    const approval = page.url().split('/').at(-1);
    const refused = await send(page, '/api/operations/approval.approve', { approval });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'approval_by_same_person']);
    assert.equal(await balanceAfter(page, 'a large one'), undefined);

    // The navigation of the open page notifies the other person.
    await navigation.getByRole('link', { name: names.links.approvalsForYou }).click();
    await second.page
      .getByRole('region', { name: names.parts.requests })
      .getByRole('link', { name: names.links.adjustAWalletBalance })
      .click();
    await second.page.getByRole('button', { name: names.buttons.approve }).click();
    const dialog = second.page.getByRole('dialog');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByText('₦1,000,000.01').waitFor();
    await dialog.getByRole('button', { name: names.buttons.approve }).click();
    await second.page.getByRole('status').getByText(names.said.approved).waitFor();
    await navigation.getByRole('link', { name: names.links.approvalsForYou }).waitFor({ state: 'detached' });
    await second.page
      .getByRole('region', { name: names.parts.whereItStands })
      .getByText(checker.email)
      .waitFor();
    assert.equal(await balanceAfter(page, 'a large one'), '1000000.01');
    assert.deepEqual([...take(), ...second.take()], []);
  });

  it('requires the password again after five minutes, and nothing weaker', async () => {
    await using person = await open().person('stepper@shop.example', 'finance');
    const { page, take } = await openPage(person.context);
    await page.goto('/merchants/DEMO');
    await open().gateway.database.query(
      `update user_sessions set stepped_up_until = now()
       where user_id = (select id from users where email = $1)`,
      [person.email],
    );
    await correct(page, '1.25', 'after five minutes');
    const asked = page.getByRole('dialog', { name: names.parts.yourPasswordAgain });
    await asked.locator('input').fill('not the password at all');
    const goOn = asked.getByRole('button', { name: names.buttons.goOn });
    assert.deepEqual(await refusal(page, () => goOn.click()), ['sign_in_refused']);
    assert.equal(await balanceAfter(page, 'after five minutes'), undefined);
    await asked.locator('input').fill(password);
    await asked.getByRole('button', { name: names.buttons.goOn }).click();
    await page.getByRole('status').getByText(names.said.theWalletIsCorrected).waitFor();
    assert.equal(await balanceAfter(page, 'after five minutes'), '1.25');
    // The message of the first may still be on the page.
    await correct(page, '1.50', 'within five minutes');
    // The message about the first may still be on the page.
    const told = () => balanceAfter(page, 'within five minutes');
    assert.equal(await until('it is in the statement', told), '1.50');
    assert.deepEqual(take(), []);
  });
}

/** The live wallet of the demo's merchant, which is shown first. */
async function correct(page: Page, amount: string, why: string): Promise<void> {
  if (!page.url().endsWith('/merchants/DEMO')) await page.goto('/merchants/DEMO');
  const row = page.getByRole('row').filter({ hasText: 'NGN' });
  await row.getByRole('button', { name: names.buttons.adjustBalance }).click();
  const dialog = page.getByRole('dialog', { name: names.parts.adjustBalance });
  await dialog.getByLabel(names.fields.amount).fill(amount);
  await dialog.getByLabel(names.fields.why).fill(why);
  await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
  await dialog.getByRole('button', { name: names.buttons.adjustBalance }).click();
}

/** Finds the line of a correction in the statement. */
async function balanceAfter(page: Page, memo: string): Promise<string | undefined> {
  const input = { merchant: 'DEMO', environment: 'live', currency: 'NGN' };
  const { body } = await send(page, '/api/operations/wallet.statement', input);
  const items: { amount: string }[] = body.data.items;
  return items.find((item) => JSON.stringify(item).includes(memo))?.amount;
}

function lagosDay(at: Date): string {
  return at.toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
}
