/**
 * Webhooks of a purchase, background tasks, saved views and files of lists, and the behaviour
 * common to all lists.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { itInProof } from '../../support/budget.ts';
import { judge, openPage, overflow, settle, sizes, visit } from '../browser.ts';
import type { Console } from '../fixture.ts';
import { names } from '../names.ts';

export function listStories(open: () => Console): void {
  itInProof('shows the webhooks of a purchase, and the time of the next attempt', async () => {
    const it_ = open();
    const { call } = it_.gateway;
    const made = await call('POST', '/v1/webhooks/endpoints', {
      as: 'test',
      body: { url: 'http://127.0.0.1:9/closed', events: ['transaction.success'] },
    });
    assert.ok(made.status < 300, made.text);
    const body = { merchant: it_.gateway.credentials.merchant, msisdn: '08035556677', network: 'mtn' };
    const bought = await call('POST', '/v1/transactions/airtime/sync', {
      as: 'test',
      body: { ...body, amount: '150', request_ref: 'till-8642' },
    });
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto(`/purchases/${bought.body.data.internal_reference}`);
    const webhooks = page.getByRole('region', { name: names.parts.webhooks });
    await webhooks.getByText(names.said.waiting).waitFor({ timeout: 60_000 });
    await page.getByText(names.said.endpointIsTold).waitFor();
    await webhooks.getByRole('link', { name: 'transaction.success' }).click();
    await page.waitForURL(/\/webhooks\/.*delivery=/);
    await page.getByText(names.said.oneEventShown).waitFor();
    assert.deepEqual(take(), []);
  });

  it('runs long work, and finds it again', async () => {
    const it_ = open();
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/books');
    await page.getByRole('button', { name: names.buttons.runTheAudit }).click();
    await page
      .getByRole('region', { name: names.parts.audit })
      .getByText(names.said.itHolds)
      .first()
      .waitFor({ timeout: 60_000 });
    await visit(page, '/work');
    const long = page.getByRole('region', { name: names.parts.longWork });
    await long.getByRole('link', { name: names.links.auditRun }).first().click();
    await page.getByRole('region', { name: names.parts.whereItStands }).getByText(names.said.done).waitFor();
    await page.getByRole('button', { name: names.buttons.startItAgain }).waitFor();
    assert.deepEqual(await judge(page), []);
    assert.deepEqual(take(), []);
  });

  itInProof('saves a view, and writes a list to a file that says how many rows it has', async () => {
    const it_ = open();
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/purchases?from=2020-01-01');
    await settle(page);
    await page.getByRole('button', { name: names.buttons.saveThisView }).click();
    await page.getByRole('dialog').getByLabel(names.fields.name).fill('Of the tills');
    assert.deepEqual(await judge(page), []);
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.save }).click();
    await page.goto('/purchases');
    await page.getByRole('link', { name: 'Of the tills' }).click();
    await page.waitForURL(/from=2020-01-01/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: names.links.csvOfAllOfThese }).click();
    const file = await (await downloading).createReadStream();
    let text = '';
    for await (const piece of file) text += String(piece);
    const rows = text.trim().split('\r\n').length - 1;
    await page.getByRole('status').getByText(names.rowsWritten(rows)).waitFor();
    await page.getByRole('button', { name: names.buttons.forgetTheView }).click();
    await page.getByRole('link', { name: 'Of the tills' }).waitFor({ state: 'detached' });
    assert.deepEqual(take(), []);
  });

  itInProof('sorts a list by a head, and its head stays in sight', async () => {
    const it_ = open();
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/providers');
    const table = page.getByRole('table', { name: names.parts.providers });
    await table.getByRole('row').nth(2).waitFor();
    const firstCells = async () =>
      await table
        .locator('tbody tr td:first-child')
        .evaluateAll((cells) => cells.map((cell) => cell.textContent));
    const byName = (await firstCells()).toSorted();
    await table.getByRole('button', { name: names.headings.provider }).press('Enter');
    assert.deepEqual(await firstCells(), byName);
    await table.getByRole('button', { name: names.headings.provider }).press('Enter');
    assert.deepEqual(await firstCells(), byName.toReversed());
    assert.equal(
      await table.getByRole('columnheader', { name: names.headings.provider }).getAttribute('aria-sort'),
      'descending',
    );
    assert.deepEqual(await judge(page), []);
    await page.setViewportSize({ width: 1_440, height: 400 });
    await page.evaluate('document.querySelector("tbody tr:last-child").scrollIntoView()');
    const { top } = (await page.evaluate(
      '(({ top }) => ({ top }))(document.querySelector("thead").getBoundingClientRect())',
    )) as { top: number };
    assert.ok(top > 0, `the head is at ${top}`);
    assert.deepEqual(take(), []);
  });

  itInProof('says that a sort is only of the rows that are loaded, while there are more', async () => {
    const it_ = open();
    await it_.gateway.database.query(
      `insert into alarms (kind, message)
       select 'quarantined', 'one of many ' || n
       from generate_series(1, 120) n`,
    );
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/work');
    const alarms = page.getByRole('region', { name: names.parts.alarms });
    const sort = alarms.getByRole('button', { name: names.headings.message });
    const partly = alarms.getByText(names.said.sortsOnlyLoaded);
    await sort.waitFor();
    assert.equal(await partly.count(), 0);
    await sort.click();
    await partly.waitFor();
    assert.deepEqual(await judge(page), []);
    await alarms.getByRole('button', { name: names.buttons.showMore }).click();
    await partly.waitFor({ state: 'detached' });
    await it_.gateway.database.query("delete from alarms where message like 'one of many %'");
    assert.deepEqual(take(), []);
  });

  itInProof(
    'offers the action of an alarm as a button with its subject filled in, or explains why there is none',
    async () => {
      const it_ = open();
      await it_.gateway.database.query(
        `insert into alarms (kind, message, provider, purchase_id, merchant_id)
       values ('provider_unwell', 'played: away', 'vtpass', null, null),
         ('deposit_unpaid', 'played: unpaid', null, null, null),
         ('overdue', 'played: overdue', null, $1, (select id from merchants where code = 'DEMO'))
       on conflict (provider, kind)
         where ended_at is null and kind in ('provider_unwell', 'low_float', 'float_unknown', 'float_differs')
         do update set message = excluded.message`,
        [it_.sold.pending],
      );
      await using context = await it_.window();
      const { page, take } = await openPage(context);
      await page.goto('/work');
      const alarms = page.getByRole('region', { name: names.parts.alarms });
      const row = (text: string) => alarms.getByRole('row').filter({ hasText: text });
      await row('played: away').getByRole('button', { name: names.buttons.pause }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(names.fields.reason).fill('played');
      assert.deepEqual(await judge(page), []);
      await dialog.getByRole('button', { name: names.buttons.pause, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const shown = await it_.run('provider.show', { provider: 'vtpass' });
      assert.match(JSON.stringify(shown.body), /played/);
      await it_.run('provider.resume', { provider: 'vtpass' });
      const buttons = await row('played: unpaid').getByRole('button').allTextContents();
      assert.deepEqual(buttons, [names.buttons.acknowledge]);
      await row('played: overdue').getByRole('button', { name: names.buttons.settleIt }).waitFor();
      await row('played: overdue').getByRole('button', { name: names.buttons.queryTheProviderNow }).waitFor();
      for (const size of [sizes.large, sizes.small]) {
        await page.setViewportSize(size);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(await judge(page), []);
      }
      await it_.gateway.database.query("delete from alarms where message like 'played: %'");
      assert.deepEqual(take(), []);
    },
  );

  itInProof('shows no typed secret, and steps through rows without links', async () => {
    const it_ = open();
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/providers/vtpass');
    await page.getByRole('button', { name: names.buttons.storeCredentials }).click();
    const dialog = page.getByRole('dialog');
    const fields = dialog.locator('fieldset input');
    await fields.first().fill('the secret of all');
    for (const field of await fields.all()) {
      assert.deepEqual(
        [await field.getAttribute('type'), await field.getAttribute('autocomplete')],
        ['password', 'new-password'],
      );
    }
    assert.deepEqual(await judge(page), []);
    assert.ok(!(await dialog.textContent())?.includes('the secret of all'));
    await visit(page, '/audit-log');
    await page.getByText(names.said.entries).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await page.evaluate('document.activeElement.rowIndex'), 2);
  });
}
