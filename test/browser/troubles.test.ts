/**
 * Queries that fail or are still running: a screen shows their state, and never states what it
 * cannot know. The drills have the failing ones, the proof also the slow ones.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { itInProof } from '../support/budget.ts';
import { judge, missing, openPage, settle, visit } from './browser.ts';
import { type Console, customer, openConsole } from './fixture.ts';
import { names } from './names.ts';

const NOBODY = '08039999999';

/** The gateway's answers when a part of it is broken. */
const broken = {
  status: 500,
  json: { error: { code: 'internal_error', message: 'something broke' } },
};
const forbidden = {
  status: 403,
  json: { error: { code: 'role_lacking', message: 'your roles do not allow this' } },
};

describe('unknown values', { skip: missing() }, () => {
  let it_: Console;

  before(async () => {
    it_ = await openConsole();
    // A second test purchase, so that a list of one has a next page.
    const { call, credentials } = it_.gateway;
    const body = { merchant: credentials.merchant, msisdn: '08031234560', network: 'mtn', amount: '100' };
    await call('POST', '/v1/transactions/airtime/sync', {
      as: 'test',
      body: { ...body, request_ref: 'second-1' },
    });
  });
  after(async () => {
    await it_?.[Symbol.asyncDispose]();
  });

  it('does not claim that a purchase does not exist when the search failed', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    const none = page.getByText(names.said.noMerchantBoughtThis);
    await fail(page, 'purchase.list', forbidden);
    await page.goto(`/purchases?find=${NOBODY}`);
    await page.getByRole('alert').getByText(names.said.yourRolesDoNotShowThis).waitFor();
    assert.equal(await none.count(), 0);

    await fail(page, 'purchase.list');
    await page.reload();
    const alert = page.getByRole('alert');
    await alert.getByText(names.said.theGatewayCouldNotAnswer).waitFor();
    assert.equal(await none.count(), 0);
    assert.deepEqual(await judge(page), []);
    // The search succeeded, and found nothing.
    await mend(page, 'purchase.list');
    await alert.getByRole('button', { name: names.buttons.tryAgain }).click();
    await none.waitFor();
    assert.equal(await alert.count(), 0);
    assert.deepEqual(take(), []);
  });

  itInProof('names what could not be searched beside what was found', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.route(of('purchase.list'), (route) =>
      'meter' in asked(route) ? route.fulfill(forbidden) : route.fallback(),
    );
    await page.goto(`/purchases?environment=test&find=${customer.success}`);
    await region(page, names.parts.asAMobileNumber).getByRole('link').first().waitFor();
    const failed = region(page, names.parts.couldNotBeSearched);
    await failed.getByText(names.said.asTheNumberOfAMeter).waitFor();
    await failed.getByRole('alert').waitFor();
    assert.equal(await failed.getByText(names.parts.asAMobileNumber).count(), 0);
  });

  itInProof('continues a search whose first page is empty', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await beginEmpty(page, 'purchase.list', (input) => 'phone' in input);
    await page.goto(`/purchases?environment=test&find=${customer.success}`);
    const found = region(page, names.parts.asAMobileNumber);
    await found.getByText(names.said.noPurchaseSoFar).waitFor();
    assert.equal(await page.getByText(names.said.noMerchantBoughtThis).count(), 0);
    assert.deepEqual(await judge(page), []);
    await found.getByRole('button', { name: names.buttons.showMore }).click();
    await found.getByRole('link').first().waitFor();
    assert.deepEqual(take(), []);
  });

  itInProof('makes no claim about a number before it searched', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto(`/purchases?environment=test&find=${NOBODY}`);
    await page.getByText(names.said.noMerchantBoughtThis).waitFor();
    const { hold, release } = holding();
    await page.route(of('purchase.list'), hold);
    await page.getByRole('searchbox', { name: names.fields.search }).fill(customer.success);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: names.searchFor(customer.success) }).waitFor();
    await page.getByText(names.said.loadingWhatWasFound).waitFor();
    assert.equal(await page.getByText(names.said.noMerchantBoughtThis).count(), 0);
    release();
    await region(page, names.parts.asAMobileNumber).getByRole('link').first().waitFor();
  });

  itInProof('continues a list whose first page is empty, and shows the end', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await beginEmpty(page, 'purchase.list', () => true);
    await page.goto('/purchases?environment=test');
    const list = region(page, names.parts.whatWasFound);
    await list.getByText(names.said.noPurchaseSoFar).waitFor();
    assert.equal(await list.getByText(names.said.noPurchases).count(), 0);
    assert.deepEqual(await judge(page), []);
    await list.getByRole('button', { name: names.buttons.showMore }).click();
    await list.getByText(names.said.allPurchasesShown).waitFor();
    await page.goto(`/purchases?environment=test&phone=${NOBODY}`);
    await list.getByRole('button', { name: names.buttons.showMore }).click();
    await list.getByText(names.said.noPurchases).waitFor();
    assert.equal(await list.getByRole('button', { name: names.buttons.showMore }).count(), 0);
    await page.goto('/providers/vtpass');
    const failures = region(page, names.parts.lastFailures);
    await failures.getByText(names.said.noFailureSoFar).waitFor();
    assert.equal(await failures.getByText(names.said.noneFailedOfLate).count(), 0);
    assert.deepEqual(take(), []);
  });

  it('keeps the rows when the next page or a later refresh fails', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.route(of('purchase.list'), async (route) => {
      const { cursor, ...input } = asked(route);
      if (cursor === undefined) return await continueWith(route, { ...input, limit: 1 });
      await route.fallback();
    });
    await page.goto('/purchases?environment=test');
    const list = region(page, names.parts.whatWasFound);
    const rows = list.locator('tbody').getByRole('row');
    await list.getByText(names.said.onePurchaseShown).waitFor();

    // The page after it.
    let isBroken = true;
    await page.route(of('purchase.list'), (route) =>
      isBroken && 'cursor' in asked(route) ? route.fulfill(forbidden) : route.fallback(),
    );
    await list.getByRole('button', { name: names.buttons.showMore }).click();
    const alert = list.getByRole('alert');
    await alert.waitFor();
    assert.equal(await rows.count(), 1);
    assert.deepEqual(await judge(page), []);
    isBroken = false;
    await list.getByRole('button', { name: names.buttons.showMore }).click();
    await rows.nth(1).waitFor();
    await alert.waitFor({ state: 'detached' });

    // Automatic refreshes.
    await fail(page, 'purchase.list', forbidden);
    const shown = await rows.count();
    await page.getByRole('button', { name: names.buttons.followNewOnes }).click();
    await alert.waitFor();
    assert.equal(await rows.count(), shown);
    await mend(page, 'purchase.list');
    await alert.waitFor({ state: 'detached' });

    // Without rows only the error is shown.
    await fail(page, 'purchase.list', forbidden);
    await page.goto('/purchases?environment=test');
    await alert.waitFor();
    assert.deepEqual([await rows.count(), await list.getByText(names.said.noPurchases).count()], [0, 0]);
    assert.deepEqual(take(), []);
  });

  itInProof('retries the next page, and keeps the loaded ones', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    let isBroken = true;
    await page.route(of('purchase.list'), async (route) => {
      const { cursor, ...input } = asked(route);
      if (cursor === undefined) return await continueWith(route, { ...input, limit: 1 });
      if (isBroken) return await route.fulfill(broken);
      await route.fallback();
    });
    await page.goto('/purchases?environment=test');
    const list = region(page, names.parts.whatWasFound);
    await list.getByRole('button', { name: names.buttons.showMore }).click();
    await list.getByRole('alert').getByText(names.said.theGatewayCouldNotAnswer).waitFor();
    isBroken = false;
    await list.getByRole('button', { name: names.buttons.tryAgain }).click();
    await list.locator('tbody').getByRole('row').nth(1).waitFor();
    await list.getByRole('alert').waitFor({ state: 'detached' });
  });

  itInProof('shows pending purchases of its environment in a box of the overview', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    const counts = {
      alarms: 4_711,
      pending: [{ environment: 'live', age: 'under_30s', count: 9 }],
      deliveries: 0,
      endpoints: { failing: 0, disabled: 0 },
    };
    await page.route('**/api/live', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 600000\nevent: counts\ndata: ${JSON.stringify(counts)}\n\n`,
      }),
    );
    await page.goto('/overview?environment=test');
    await page.getByRole('navigation', { name: names.parts.screens }).getByText('4711').waitFor();
    const figure = page.getByText(names.said.pending, { exact: true }).first().locator('..');
    await figure.getByText(names.said.noneOverdue).waitFor();
    assert.match((await figure.textContent()) ?? '', /^\D+0/);
  });

  it('shows a restore lock, its absence, or that it is unknown', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    const locked = page.getByText(names.said.locked);
    await fail(page, 'restore.status');
    await page.goto('/books');
    const alert = page.getByRole('alert');
    await alert.getByText(names.said.theGatewayCouldNotAnswer).waitFor();
    assert.deepEqual(await judge(page), []);
    await page.unroute(of('restore.status'));
    await page.route(of('restore.status'), async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const at = '2026-10-01T08:00:00+01:00';
      await route.fulfill({
        response: answer,
        json: { data: { ...data, locked: true, raised_at: at, next: 'Reconcile it.' } },
      });
    });
    await alert.getByRole('button', { name: names.buttons.tryAgain }).click();
    await locked.waitFor();
    assert.equal(await alert.count(), 0);
    await mend(page, 'restore.status');
    await page.reload();
    await settle(page);
    await page.waitForLoadState('networkidle');
    assert.deepEqual([await locked.count(), await alert.count()], [0, 0]);
    assert.deepEqual(take(), []);
  });

  itInProof('makes no claim about floats, waiting work or endings that it could not load', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    // Without it the counts come from the stream.
    await page.route('**/api/live', (route) => route.abort());
    for (const name of ['float.list', 'work.count', 'provider.success']) {
      await fail(page, name, forbidden);
    }
    await page.goto('/work');
    const floats = region(page, names.parts.floats);
    await floats.getByRole('alert').waitFor();
    assert.equal(await floats.getByText(names.said.everyFloatLasts).count(), 0);
    await region(page, names.parts.howMuchWaits).getByRole('alert').waitFor();
    await visit(page, '/providers');
    const all = region(page, names.parts.howTheyDo);
    await all.getByRole('alert').nth(1).waitFor();
    assert.equal(await all.getByRole('alert').count(), 2);
    assert.deepEqual(await judge(page), []);
    await visit(page, '/providers/vtpass');
    await page.getByText(names.said.successOfADay).waitFor();
    const health = page.getByText(names.said.successOfADay).locator('..');
    await region(page, names.parts.whatWasDelivered).getByRole('alert').waitFor();
    assert.equal(await health.getByText(names.said.nothingBecameFinal).count(), 0);
    await health.getByText(names.said.notKnown).waitFor();
    // A known value is shown.
    for (const name of ['float.list', 'work.count', 'provider.success']) await mend(page, name);
    await page.goto('/work');
    await floats.getByText(names.said.everyFloatLasts).waitFor();
    await page.getByText(names.said.pendingPurchases, { exact: true }).first().waitFor();
    await page.goto('/providers/vtpass');
    await health.getByText(names.said.successFigure).waitFor();
    assert.deepEqual(take(), []);
  });

  itInProof('states that no threshold is set only when that is known', async () => {
    await using context = await it_.ownerWindow();
    const { page, take } = await openPage(context);
    const figure = page.getByText(names.said.youAreToldBelow).locator('..');
    const notSet = page.getByText(names.said.notSet);
    const { held, release } = holding();
    await page.route(of('wallet.alerts'), async (route) => {
      await held;
      await route.fulfill(broken);
    });
    await page.goto('/balance');
    await figure.getByText(names.said.notKnownYet).waitFor();
    assert.equal(await notSet.count(), 0);
    release();
    const wallets = region(page, names.parts.wallets);
    await wallets.getByRole('alert').getByText(names.said.theGatewayCouldNotAnswer).waitFor();
    assert.equal(await notSet.count(), 0);
    await wallets.locator('tbody').getByText(names.said.notKnownYet).first().waitFor();
    assert.deepEqual(await judge(page), []);
    await page.unroute(of('wallet.alerts'));
    await page.route(of('wallet.alerts'), (route) => route.fulfill({ json: { data: [] } }));
    await wallets.getByRole('button', { name: names.buttons.tryAgain }).click();
    await figure.getByText(names.said.notSet).waitFor();
    assert.equal(await wallets.getByRole('alert').count(), 0);
    await page.unroute(of('wallet.alerts'));
    const told = { environment: 'live', currency: 'NGN', threshold: '5000.00', low_since: null };
    await page.route(of('wallet.alerts'), (route) => route.fulfill({ json: { data: [told] } }));
    await page.reload();
    await figure.getByText('₦5,000.00').waitFor();
    assert.deepEqual(take(), []);
  });

  itInProof('does not claim that the merchant did not buy it when the search failed', async () => {
    await using context = await it_.ownerWindow();
    const { page } = await openPage(context);
    const none = page.getByText(names.said.youDidNotBuyThis);
    await fail(page, 'merchant_purchase.list', forbidden);
    await page.goto(`/purchases?find=${NOBODY}`);
    await page.getByRole('alert').waitFor();
    assert.equal(await none.count(), 0);
    await mend(page, 'merchant_purchase.list');
    await page.reload();
    await none.waitFor();
  });

  itInProof('shows no balances of another wallet while the selected one is loading', async () => {
    await using context = await it_.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/statement');
    await page.getByText(names.said.closingBalance).waitFor();
    const { hold, release } = holding();
    await page.route(of('wallet.entries'), hold);
    await page.getByLabel(names.fields.environment).selectOption('test');
    await page.getByRole('button', { name: names.buttons.show, exact: true }).click();
    await page.waitForURL(/environment=test/);
    await page.getByText(names.said.loadingLines).waitFor();
    assert.equal(await page.getByText(names.said.closingBalance).count(), 0);
    release();
    await page.getByText(names.said.closingBalance).waitFor();
  });
});

function of(operation: string): string {
  return `**/api/operations/${operation}`;
}

function region(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

type Input = Readonly<Record<string, unknown>>;

function asked(route: Route): Input {
  return route.request().postDataJSON() as Input;
}

async function continueWith(route: Route, input: Input): Promise<void> {
  await route.continue({ postData: JSON.stringify(input) });
}

async function fail(page: Page, operation: string, answer: typeof broken = broken): Promise<void> {
  await page.unroute(of(operation));
  await page.route(of(operation), (route) => route.fulfill(answer));
}

async function mend(page: Page, operation: string): Promise<void> {
  await page.unroute(of(operation));
}

/** The first page of the query is empty, and the next one is the whole list. */
async function beginEmpty(page: Page, operation: string, isOf: (input: Input) => boolean): Promise<void> {
  await page.route(of(operation), async (route) => {
    const { cursor, ...input } = asked(route);
    if (!isOf(input)) return await route.fallback();
    if (cursor === 'further') return await continueWith(route, input);
    await route.fulfill({ json: { data: [], cursor: 'further', searched_until: '2026-01-01' } });
  });
}

/** Answers wait until they are released. */
function holding() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    held: promise,
    hold: async (route: Route) => {
      await promise;
      await route.continue();
    },
    release: resolve,
  };
}
