/** What a day of work at the console showed to be wrong, each as it must be. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { missing, openPage, settle } from './browser.ts';
import { type Console, openConsole } from './fixture.ts';
import { names } from './names.ts';

/** Captions of the tables whose columns do not fit. */
const cutTables = `[...document.querySelectorAll('table')]
  .filter(({ parentElement: around }) => around.scrollWidth > around.clientWidth)
  .map(({ caption }) => caption?.textContent)`;

describe('details of the console', { skip: missing() }, () => {
  let it_: Console;
  const open = (): Console => it_;

  before(async () => {
    it_ = await openConsole();
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

  it('keeps a secret that is shown once until its button closes it, and copies it', async () => {
    await using context = await open().window();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = await openPage(context);
    await page.goto('/merchants/DEMO?tab=credentials');
    await page.getByRole('button', { name: names.buttons.issueACredential }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.environment).selectOption('test');
    // A press beside a form that is half filled loses nothing.
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

  it('writes the trial balance to a file, and shows that its totals are the same', async () => {
    await withPage('/books?tab=balance', async (page) => {
      await page
        .getByRole('region', { name: names.parts.totals })
        .getByText(names.said.balanced)
        .first()
        .waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: names.links.csv, exact: true }).click();
      assert.match((await downloading).suggestedFilename(), /books/);
      await page.getByRole('status').getByText(names.said.rowsWritten).waitFor();
    });
  });

  it('filters the audit log by the console and the portal', async () => {
    await withPage('/audit-log?edge=console', async (page) => {
      await page.getByRole('cell', { name: 'console' }).first().waitFor();
      await page.goto('/audit-log?edge=portal');
      await settle(page);
      assert.equal(await page.getByRole('cell', { name: 'console' }).count(), 0);
    });
  });

  it('keeps the navigation at an unknown address', async () => {
    await withPage('/no/such/page', async (page) => {
      await page.getByText(names.said.nothingAtThisAddress).waitFor();
      await page.getByRole('navigation', { name: names.parts.screens }).getByRole('link').first().waitFor();
    });
  });

  it('says that the gateway does not answer where a screen cannot be loaded, and loads it later', async () => {
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

  it('names what of a provider is paused', async () => {
    const paused = { provider: 'vtpass', product: 'airtime', network: 'mtn' };
    await it_.run('provider.pause', { ...paused, reason: 'A test' });
    await withPage('/providers', async (page) => {
      await page.getByText(names.said.pausedAirtime).first().waitFor();
    });
    await it_.run('provider.resume', paused);
  });

  it('says so where a purchase moved no money', async () => {
    await withPage(`/purchases/${open().sold.pending}`, async (page) => {
      const transfers = page.getByRole('region', { name: names.parts.transfers });
      await transfers.getByText(/\S/).first().waitFor();
      if ((await transfers.getByRole('table').count()) > 0) return;
      await transfers.getByText(names.said.noMoneyWasMoved).waitFor();
    });
  });

  it('finds a number without its leading zero, with dots and as +234', async () => {
    await using context = await open().window();
    const { page } = await openPage(context);
    for (const written of ['8031234567', '0803.123.4567', '+234 803 123 4567', '(0803) 123-4567']) {
      await page.goto(`/purchases?find=${encodeURIComponent(written)}`);
      await page.getByRole('region', { name: names.parts.asAMobileNumber }).getByRole('row').nth(1).waitFor();
    }
  });

  it('shows a purchase that was refunded in full as refunded', async () => {
    const { body } = await it_.run('vend.show', { reference: it_.sold.success });
    if (body.data.refunded !== body.data.charge) {
      await it_.run('vend.refund', {
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

  it('cuts no column of a list on a laptop', async () => {
    await using context = await open().window();
    const { page } = await openPage(context);
    const cut: string[] = [];
    for (const path of [
      '/purchases',
      '/providers',
      '/providers/vtpass',
      '/money?tab=deposits',
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
