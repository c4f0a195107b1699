/** A customer calls support: the airtime did not arrive. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openPage, settle, visit } from '../browser.ts';
import { type Console, customer, send } from '../fixture.ts';
import { names } from '../names.ts';

export function supportStories(open: () => Console): void {
  it('answers "no airtime came" from a number and a day, in seven steps', async () => {
    const it_ = open();
    await using person = await it_.person('sade@shop.example', 'support');
    const { page, take } = await openPage(person.context);
    await page.goto('/');
    await settle(page);
    const day = lagosDay(it_.soldAt);
    await page.getByRole('searchbox', { name: names.fields.search }).click();
    await page.keyboard.type(customer.pending);
    await page.keyboard.press('Enter');
    await page.getByLabel(names.fields.onTheDay).fill(day);
    await page.getByRole('button', { name: names.buttons.show, exact: true }).click();
    await page.waitForURL(/day=/);
    const found = page.getByRole('region', { name: names.parts.asAMobileNumber });
    await found.getByRole('link').first().click();
    const next = page.getByRole('region', { name: names.parts.whatHappensNext });
    await next.getByText(names.said.toTheCustomer).waitFor();
    assert.ok(page.url().endsWith(`/purchases/${it_.sold.pending}`));
    // An operation outside the role shows who may run it, and is refused if it is sent anyway.
    await visit(page, `/purchases/${it_.sold.success}`);
    await page
      .getByRole('region', { name: names.parts.whatCanBeDone })
      .getByText(names.said.whoMayDoThis)
      .first()
      .waitFor();
    const input = { reference: it_.sold.success, reason: 'x', key: 'support-story' };
    const refused = await send(page, '/api/operations/purchase.refund', input);
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'role_lacking']);
    // The number bought nothing on another day, and the screen reports that.
    await visit(page, `/purchases?find=${customer.pending}&day=2020-01-01`);
    await page.getByText(names.said.noMerchantBoughtThis).waitFor();
    assert.deepEqual(take(), []);
  });
}

function lagosDay(at: Date): string {
  return at.toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
}
