/**
 * Details of the console, each with a test of its fix. The proof also tests details that are only
 * visual.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { itInProof } from '../support/budget.ts';
import { until } from '../support/until.ts';
import { missing, openPage, refusal, type Seen, settle } from './browser.ts';
import { type Console, openConsole } from './fixture.ts';
import { names } from './names.ts';

/** Captions of the tables whose columns do not fit. */
const cutTables = `[...document.querySelectorAll('table')]
  .filter(({ parentElement: around }) => around.scrollWidth > around.clientWidth)
  .map(({ caption }) => caption?.textContent)`;

/**
 * Makes the container of a table slightly narrower than the table, and counts how often its layout
 * changes in the following frames.
 */
const narrowTable = `(async () => {
  const frames = async (count) => {
    for (; count > 0; count -= 1) await new Promise(requestAnimationFrame);
  };
  const time = [...document.querySelectorAll('td time')].find(
    (one) => getComputedStyle(one).whiteSpace === 'nowrap',
  );
  const table = time.closest('table');
  const wrap = table.parentElement;
  table.style.width = 'min-content';
  const { offsetWidth } = table;
  table.style.width = '';
  wrap.style.width = offsetWidth - 8 + 'px';
  await frames(3);
  let changes = 0;
  const observer = new MutationObserver(() => (changes += 1));
  observer.observe(wrap, { attributeFilter: ['class'] });
  await frames(12);
  observer.disconnect();
  const place = getComputedStyle(table).display;
  return { place, isWrapped: getComputedStyle(time).whiteSpace === 'normal', changes };
})()`;

const deposits = ['credited', 'suspense', 'assigned'].map((state, at) => ({
  id: `019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a1${at}`,
  state,
  merchant: state === 'suspense' ? null : 'DEMO',
  environment: 'live',
  currency: 'NGN',
  gross: '1250000.00',
  fee: '50.00',
  settled: '1249950.00',
  provider: 'monnify',
  provider_reference: `MNFY|04|20261130102205|00${at}421`,
  paid_to: '9912345678',
  paid_at: '2026-11-30T10:22:05.000+01:00',
  received_at: '2026-11-30T10:22:09.000+01:00',
  assigned_at: state === 'assigned' ? '2026-11-30T11:00:00.000+01:00' : null,
}));

/** Goes to an address without loading the application again. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: names.fields.search }).fill(text);
  await page.keyboard.press('Enter');
}

describe('details of the console', { skip: missing() }, () => {
  let it_: Console;
  const open = (): Console => it_;

  let shared: Seen;

  before(async () => {
    it_ = await openConsole();
    shared = await openPage(await it_.window());
  });
  after(async () => {
    await it_?.[Symbol.asyncDispose]();
  });

  async function withPage(path: string, act: (page: Page) => Promise<void>): Promise<void> {
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto(path);
    await settle(page);
    await act(page);
    assert.deepEqual(take(), []);
  }

  /**
   * All tests share one page, which navigates inside the application, so nothing is loaded twice.
   */
  async function withShared(path: string, act: (page: Page) => Promise<void>): Promise<void> {
    const { page, take } = shared;
    if (page.url() === 'about:blank') await page.goto(path);
    else await go(page, path);
    await settle(page);
    await act(page);
    assert.deepEqual(take(), []);
  }

  it('keeps a secret that is shown once until its button closes it, and copies it', async () => {
    await using context = await open().window();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = await openPage(context);
    await page.goto('/merchants/DEMO?tab=credentials');
    await page.getByRole('button', { name: names.buttons.issueACredential }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.environment).selectOption('test');
    // A click beside a half-filled form loses nothing.
    await page.mouse.click(5, 5);
    await dialog.getByRole('button', { name: names.buttons.issueACredential }).click();
    await dialog.getByText(names.said.itIsShownThisOnce).waitFor();
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: names.buttons.copyTheSecret }).click();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.match(String(copied), /^[\w-]{30,}$/);
    assert.ok((await dialog.textContent())?.includes(String(copied)));
    await dialog.getByRole('button', { name: names.buttons.close }).last().click();
    await dialog.waitFor({ state: 'detached' });
  });

  itInProof('writes the trial balance to a file, and shows that its totals are the same', async () => {
    await withPage('/books?tab=balance', async (page) => {
      await page
        .getByRole('region', { name: names.parts.totals })
        .getByText(names.said.balanced)
        .first()
        .waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: names.links.csvOfAllOfThese }).click();
      assert.match((await downloading).suggestedFilename(), /books/);
      await page.getByRole('status').getByText(names.said.rowsWritten).waitFor();
    });
  });

  itInProof('filters the audit log by console and portal', async () => {
    await withPage('/audit-log', async (page) => {
      const show = async (source: string): Promise<void> => {
        await page.getByLabel(names.fields.source).selectOption(source);
        await page.getByRole('button', { name: names.buttons.show, exact: true }).click();
        await page.waitForURL(new RegExp(`edge=${source}`));
      };
      await show('console');
      await page.getByRole('cell', { name: 'console' }).first().waitFor();
      await show('portal');
      await settle(page);
      assert.equal(await page.getByRole('cell', { name: 'console' }).count(), 0);
    });
  });

  itInProof('keeps the navigation at an unknown address', async () => {
    await withPage('/no/such/page', async (page) => {
      await page.getByText(names.said.nothingAtThisAddress).waitFor();
      await page.getByRole('navigation', { name: names.parts.screens }).getByRole('link').first().waitFor();
    });
  });

  it('states that the gateway does not answer when a screen cannot be loaded, and loads it later', async () => {
    await using context = await open().window();
    const { page } = await openPage(context);
    await page.goto('/purchases');
    await settle(page);
    await page.route('**/assets/*.js', (route) => route.abort());
    const navigation = page.getByRole('navigation', { name: names.parts.screens });
    await navigation.getByRole('link', { name: 'Books' }).click();
    await page.getByText(names.said.theGatewayDoesNotAnswer).waitFor();
    await page.unroute('**/assets/*.js');
    await page.getByRole('button', { name: names.buttons.tryAgain }).click();
    await page.getByRole('region', { name: names.parts.audit }).waitFor();
  });

  itInProof('names the paused part of a provider', async () => {
    const paused = { provider: 'vtpass', product: 'airtime', network: 'mtn' };
    await it_.run('provider.pause', { ...paused, reason: 'A test' });
    await withPage('/providers', async (page) => {
      await page.getByText(names.said.pausedAirtime).first().waitFor();
    });
    await it_.run('provider.resume', paused);
  });

  itInProof('says when a purchase moved no money', async () => {
    await withPage(`/purchases/${open().sold.pending}`, async (page) => {
      const transfers = page.getByRole('region', { name: names.parts.transfers });
      await transfers.getByText(names.said.noMoneyWasMoved).waitFor();
    });
  });

  itInProof('shows a purchase that was refunded in full as refunded', async () => {
    const { body } = await it_.run('purchase.show', { reference: it_.sold.success });
    if (body.data.refunded !== body.data.charge) {
      await it_.run('purchase.refund', {
        reference: it_.sold.success,
        reason: 'A test',
        key: crypto.randomUUID(),
      });
    }
    await withPage(`/purchases/${it_.sold.success}`, async (page) => {
      await page.getByText(names.said.refunded).waitFor();
      await page.getByText(names.said.allOfItsMoneyBack).waitFor();
    });
  });

  itInProof('finds a merchant and its purchases by a part of its name, and not by another name', async () => {
    await withShared('/purchases?find=dEMO%20mer', async (page) => {
      const merchants = page.getByRole('region', { name: names.parts.merchants });
      await merchants.getByRole('link', { name: 'Demo Merchant' }).waitFor();
      await merchants.getByRole('link', { name: names.links.purchasesOfDemo }).click();
      await page.waitForURL(/\/purchases\?merchant=DEMO$/);
      await search(page, 'no merchant of this name');
      await page.getByText(names.said.noMerchantBoughtThis).waitFor();
    });
  });

  it('keeps the answer of a provider open when the purchase ends meanwhile', async () => {
    const pending = open().sold.pending;
    const { body: ended } = await it_.run('purchase.show', { reference: it_.sold.success });
    await withShared(`/purchases/${pending}`, async (page) => {
      const acts = page.getByRole('region', { name: names.parts.whatCanBeDone });
      await acts.getByRole('button', { name: names.buttons.queryTheProviderNow }).click();
      const dialog = page.getByRole('dialog');
      // From now on the page reads the purchase as one that has ended.
      await page.route('**/api/operations/purchase.show', (route) =>
        route.fulfill({ json: { data: { ...ended.data, id: pending, refunded: '0.00' } } }),
      );
      await dialog.getByRole('button', { name: names.buttons.queryTheProviderNow }).click();
      // The dialog hides the page from queries by role.
      await page.getByText(names.buttons.refundTheMerchant, { exact: true }).waitFor();
      await dialog.getByText(names.said.pending).first().waitFor();
      await dialog.getByRole('button', { name: names.buttons.close }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await page.unroute('**/api/operations/purchase.show');
    });
  });

  itInProof('shows no provider as well that delivers little, and counts all calls of a rate', async () => {
    const { call, credentials } = it_.gateway;
    const failing = { merchant: credentials.merchant, msisdn: '08000000105', network: 'mtn', amount: '100' };
    for (const request_ref of ['till-little-1', 'till-little-2', 'till-little-3']) {
      await call('POST', '/v1/transactions/airtime/sync', { as: 'test', body: { ...failing, request_ref } });
    }
    await withShared('/providers?environment=test', async (page) => {
      const table = page.getByRole('table', { name: names.parts.providers, exact: true });
      const row = table.getByRole('row').filter({ hasText: 'sandbox' });
      await row.getByText(names.said.degraded).waitFor();
      assert.equal(await row.getByText(names.said.well).count(), 0);
      const rate = await row.locator('[data-head="5 min"]').textContent();
      assert.ok(Number.parseFloat(rate ?? '') < 80, rate ?? '');
      // It answers with errors, which count as calls although they are neither success nor failure.
      await go(page, '/providers');
      await table.getByRole('link', { name: 'vtpass' }).click();
      const figure = page.getByText(names.said.successOfFiveMinutes, { exact: true }).first().locator('..');
      await figure.getByText(/%/).waitFor();
      const told = ((await figure.textContent()) ?? '').replace(names.said.successOfFiveMinutes, '');
      const [percent = 0, successes = 0, ...others] = (told.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
      const calls = others.reduce((sum, count) => sum + count, successes);
      assert.ok(calls > 0, told);
      assert.equal(percent, Math.round((1_000 * successes) / calls) / 10);
    });
  });

  itInProof('names a refused field by its label, and shows a change without indexes', async () => {
    await withShared('/merchants/DEMO?tab=products', async (page) => {
      await page.getByRole('button', { name: names.buttons.setADiscount }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(names.fields.product).selectOption('airtime');
      await dialog.getByLabel(names.fields.network).fill('MTN');
      await dialog.getByLabel(names.fields.discount).fill('200');
      const submit = dialog.getByRole('button', { name: names.buttons.setADiscount });
      assert.deepEqual(await refusal(page, () => submit.click()), ['input_malformed', 'discount']);
      assert.equal(await dialog.getByText(/^discount /).count(), 0);
      await dialog.getByRole('button', { name: names.buttons.cancel }).click();

      const { body } = await it_.run('catalog.export', { product: 'data' });
      const [head = '', first = ''] = (body.data.content as string).split('\n');
      const dearer = first.replace(/,(\d+)\.00,/, (_, naira) => `,${Number(naira) + 1}.00,`);
      await go(page, '/catalog');
      await page.getByRole('button', { name: names.buttons.importPlans }).click();
      const buffer = Buffer.from(`${head}\n${dearer}\n`);
      await dialog
        .getByLabel(names.fields.content)
        .setInputFiles({ name: 'plans.csv', mimeType: 'text/csv', buffer });
      await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
      await dialog.getByRole('button', { name: names.buttons.importPlans }).click();
      const row = dialog.getByRole('region', { name: names.parts.changes }).getByRole('row').nth(1);
      await row.waitFor();
      assert.equal(await row.getByText('0', { exact: true }).count(), 0);
      await dialog.getByRole('button', { name: names.buttons.close }).last().click();
    });
  });

  itInProof('shows the times of a reconciliation as times', async () => {
    const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
    await it_.run('reconciliation.run', { party: 'vtpass', from: today, to: today });
    await withShared('/reconciliation', async (page) => {
      const row = page.getByRole('region', { name: names.parts.reconciliations }).getByRole('row').nth(1);
      await row.waitFor();
      assert.equal(await row.locator('time').count(), 3);
      assert.doesNotMatch((await row.textContent()) ?? '', /\d{4}-\d\d-\d\d/);
    });
  });

  itInProof('shows names, links and times in the audit log, and no UUID or null', async () => {
    await withShared('/audit-log', async (page) => {
      const table = page.getByRole('table');
      await table.getByRole('link', { name: 'DEMO', exact: true }).first().waitFor();
      assert.ok((await table.locator('time').count()) > 0);
      const text = (await table.textContent()) ?? '';
      assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-|\bnull\b|\d{4}-\d\d-\d\dT/);
    });
  });

  itInProof('answers a question that has no fields as soon as its dialog opens', async () => {
    await withShared('/team', async (page) => {
      await page.getByRole('button', { name: names.buttons.show, exact: true }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('ada@oja.example').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });
  });

  itInProof('takes what was refunded off the margin of the overview', async () => {
    const refund = { reference: it_.sold.success, amount: '1', reason: 'A test', key: crypto.randomUUID() };
    const { body } = await it_.run('purchase.show', { reference: it_.sold.success });
    if (body.data.refunded === '0.00') await it_.run('purchase.refund', refund);
    const day = new Date().toLocaleDateString('sv-SE', { timeZone: 'Africa/Lagos' });
    const report = { environment: 'test', from: day, to: day, at_once: true };
    const total = await until('the refund is added up', async () => {
      const { body: told } = await it_.run('report.show', report);
      const [naira] = told.data.totals;
      return naira !== undefined && naira.refunded !== '0.00' ? naira : undefined;
    });
    const left = Number(total.margin) - Number(total.refunded) + Number(total.provider_refunded);
    await withShared(`/overview?environment=test&from=${day}&to=${day}`, async (page) => {
      const figure = page.getByText(names.said.marginAfterRefunds, { exact: true }).first().locator('..');
      const shown = Math.abs(left).toFixed(2);
      await figure.getByText(`${left < 0 ? '−' : ''}₦${shown}`, { exact: true }).waitFor();
    });
  });

  itInProof('keeps one layout of a table that fits only with wrapped times', async () => {
    await withPage(`/purchases/${it_.sold.success}`, async (page) => {
      await page.locator('td time').first().waitFor();
      const seen = (await page.evaluate(narrowTable)) as {
        place: string;
        isWrapped: boolean;
        changes: number;
      };
      assert.deepEqual([seen.place, seen.isWrapped], ['table', true]);
      assert.ok(seen.changes <= 1, `${seen.changes} changes of its layout`);
    });
  });

  itInProof('cuts no column of a list on a laptop', async () => {
    await using context = await open().window();
    const { page } = await openPage(context);
    await page.route('**/api/operations/deposit.list', (route) =>
      route.fulfill({ json: { data: deposits, cursor: null } }),
    );
    const cut: string[] = [];
    for (const path of [
      '/purchases',
      '/providers',
      '/providers/vtpass',
      '/money',
      '/audit-log',
      `/purchases/${it_.sold.success}`,
    ]) {
      await page.goto(path);
      await settle(page);
      await page.waitForLoadState('networkidle');
      for (const width of [1_280, 1_440]) {
        await page.setViewportSize({ width, height: 800 });
        const captions = (await page.evaluate(cutTables)) as string[];
        cut.push(...captions.map((caption) => `${caption} at ${width}`));
      }
    }
    assert.deepEqual(cut, []);
  });
});
