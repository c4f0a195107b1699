/** Prices that are changed in the table of plans, and routes in their editor. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { itInProof } from '../../support/budget.ts';
import { judge, openPage, overflow, refusal, settle, sizes, visit } from '../browser.ts';
import type { Console } from '../fixture.ts';
import { names } from '../names.ts';

const path = '/catalog?product=data&network=MTN';

type Record_ = Readonly<Record<string, unknown>>;

/** Fails unless the open dialog is accessible and fits a phone. */
async function fits(page: Page): Promise<void> {
  assert.deepEqual(await judge(page), []);
  await page.setViewportSize(sizes.small);
  assert.equal(await overflow(page), 0);
  await page.setViewportSize(sizes.large);
}

export function catalogStories(open: () => Console): void {
  async function plans(): Promise<readonly { readonly subject: string; readonly record: Record_ }[]> {
    const { body } = await open().run('catalog.list', { product: 'data' });
    return body.data.plans.filter(({ network }: { network: string }) => network === 'MTN');
  }

  async function priceOf(subject: string): Promise<unknown> {
    return (await plans()).find((plan) => plan.subject === subject)?.record.price;
  }

  /** The bar appears with the first change. */
  const changes = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

  itInProof('finds a plan by search, and goes to its price with few keys', async () => {
    const [, plan] = await plans();
    assert.ok(plan !== undefined);
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto('/overview');
    await settle(page);
    await page.keyboard.press('/');
    await page.keyboard.type(plan.subject.toLowerCase());
    await page.keyboard.press('Enter');
    const found = page.getByRole('region', { name: names.parts.plans, exact: true });
    await found.getByText(plan.subject, { exact: true }).waitFor();
    assert.deepEqual(await judge(page), []);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/catalog\?/);
    const price = page.locator(`input[data-field=price][aria-label$=" ${plan.subject}"]`);
    await price.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await price.and(page.locator(':focus')).waitFor();
    assert.deepEqual(take(), []);
  });

  it('changes prices in place by keyboard, shows the difference, and applies it as one change', async () => {
    const [first, second] = await plans();
    assert.ok(first !== undefined && second !== undefined);
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto(path);
    await settle(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const price = page.getByRole('textbox', { name: names.priceOf(first.subject) });
    await price.and(page.locator(':focus')).waitFor();
    const dearer = (Number(first.record.price) + 1).toLocaleString('en', { minimumFractionDigits: 2 });
    await price.fill(`₦${dearer}`);
    await changes(page, names.said.oneChange);
    // Enter moves to the next plan. Esc reverts the change.
    await page.keyboard.press('Enter');
    await page.keyboard.type('12');
    await changes(page, names.said.twoChanges);
    await page.keyboard.press('Escape');
    await changes(page, names.said.oneChange);
    // A text that is not an amount is not sent.
    await page.keyboard.type('600,00');
    await page.getByRole('button', { name: names.buttons.checkIt }).click();
    const other = page.getByRole('textbox', { name: names.priceOf(second.subject) });
    assert.equal(await other.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await fits(page);
    await other.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: names.buttons.checkIt }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(dearer).first().waitFor();
    await dialog.getByRole('button', { name: names.buttons.apply }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(names.said.catalogChanged).waitFor();
    assert.equal(await priceOf(first.subject), dearer.replaceAll(',', ''));
    assert.equal(await priceOf(second.subject), second.record.price);
    const { body } = await open().run('catalog.history', { limit: 1 });
    assert.deepEqual([body.data[0].subject, body.data[0].source], [first.subject, 'console']);
    assert.deepEqual(take(), []);
  });

  itInProof('keeps changes while other screens are open, and discards them', async () => {
    const [first] = await plans();
    assert.ok(first !== undefined);
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto(path);
    await settle(page);
    await page.getByRole('checkbox', { name: names.onSale(first.subject) }).uncheck();
    await changes(page, names.said.oneChange);
    await page.getByRole('link', { name: names.links.exchangeRates }).click();
    await page.getByRole('heading', { name: names.links.exchangeRates, level: 2 }).waitFor();
    await page.getByRole('link', { name: names.links.plans, exact: true }).click();
    await changes(page, names.said.oneChange);
    await page.getByRole('button', { name: names.buttons.discard }).click();
    await page.getByRole('button', { name: names.buttons.discard }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('checkbox', { name: names.onSale(first.subject) }).isChecked(), true);
    assert.deepEqual(take(), []);
  });

  it('shows a loss next to its plan, and requires a second person to sell below cost', async () => {
    const [, , plan] = await plans();
    assert.ok(plan !== undefined);
    const kobo = Math.round(Number(plan.record.price) * 100);
    await open().gateway.database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'data', 'MTN', 'vtpass', $1, 'NGN', $2, $2, now())
       on conflict (environment, product, network, provider, plan_code) do update
       set amount = excluded.amount, cost = excluded.cost`,
      [plan.subject, kobo],
    );
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto(path);
    await settle(page);
    const price = page.getByRole('textbox', { name: names.priceOf(plan.subject) });
    await price.fill(String((kobo - 100) / 100));
    await page.getByRole('button', { name: names.buttons.checkIt }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(names.said.belowCost).first().waitFor();
    const apply = dialog.getByRole('button', { name: names.buttons.apply });
    assert.equal(await apply.count(), 0);
    await fits(page);
    await dialog.getByLabel(names.fields.applyDespite).check();
    await apply.click();
    await dialog.getByText(names.said.aSecondPersonMustApproveIt).waitFor();
    await dialog.getByRole('button', { name: names.buttons.close }).last().click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await priceOf(plan.subject), plan.record.price);
    // Without the warnings of the preview, the gateway refuses it.
    await price.fill(String((kobo - 200) / 100));
    await page.route('**/api/operations/catalog.import', async (route) => {
      if ('apply' in route.request().postDataJSON()) return await route.continue();
      const answer = await route.fetch();
      const { data } = await answer.json();
      const blind = data.changes.map((change: object) => ({ ...change, losses: [] }));
      await route.fulfill({ response: answer, json: { data: { ...data, changes: blind } } });
    });
    await page.getByRole('button', { name: names.buttons.checkIt }).click();
    assert.deepEqual(await refusal(page, () => apply.click()), ['sells_below_cost']);
    await page.unroute('**/api/operations/catalog.import');
    await dialog.getByRole('button', { name: names.buttons.cancel }).click();
    await page.getByRole('button', { name: names.buttons.discard }).click();
    assert.equal(await priceOf(plan.subject), plan.record.price);
    assert.deepEqual(take(), []);
  });

  itInProof('states that the catalog changed meanwhile, and overwrites nothing', async () => {
    const [, , , plan] = await plans();
    assert.ok(plan !== undefined);
    const before = Number(plan.record.price);
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto(path);
    await settle(page);
    await page.getByRole('textbox', { name: names.priceOf(plan.subject) }).fill(String(before + 1));
    const theirs = (before + 2).toFixed(2);
    const content = JSON.stringify([{ ...plan.record, price: theirs }]);
    await open().run('catalog.import', { content, apply: true });
    const review = () => page.getByRole('button', { name: names.buttons.checkIt }).click();
    assert.deepEqual(await refusal(page, review), ['catalog_changed']);
    assert.equal(await priceOf(plan.subject), theirs);
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.showNewValues }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(names.said.meanwhile).waitFor();
    await review();
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.apply }).click();
    await page.getByRole('status').getByText(names.said.catalogChanged).waitFor();
    assert.equal(await priceOf(plan.subject), (before + 1).toFixed(2));
    assert.deepEqual(take(), []);
  });

  it('shows plans and routes without editors to a viewer', async () => {
    await using person = await open().person('looks@shop.example', 'viewer');
    const { page, take } = await openPage(person.context);
    await page.goto(path);
    await settle(page);
    await page.getByRole('table').getByRole('row').nth(1).waitFor();
    assert.equal(await page.getByRole('table').locator('input').count(), 0);
    await visit(page, '/providers');
    const routes = page.getByRole('region', { name: names.parts.routes });
    await routes.getByRole('row').nth(1).waitFor();
    assert.equal(await routes.getByRole('button', { name: names.buttons.change }).count(), 0);
    assert.deepEqual(take(), []);
  });
}

export function routeStories(open: () => Console): void {
  type Listed = { environment: string; product: string; network: string; providers: string[] };

  async function routeOf(
    network: string,
  ): Promise<(Listed & { shares: object; strategy: string }) | undefined> {
    const { body } = await open().run('route.list', { limit: 200 });
    return body.data.find(
      (one: Listed) => one.environment === 'live' && one.product === 'airtime' && one.network === network,
    );
  }

  it('orders the providers of a route by keyboard, shows the difference, and applies it', async () => {
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto('/providers');
    await settle(page);
    await page.getByRole('button', { name: names.buttons.setARoute }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.product).selectOption('airtime');
    await dialog.getByLabel(names.fields.network).fill('GLO');
    for (const provider of ['vtpass', 'nomba']) {
      await dialog.getByLabel(names.fields.addAProvider).selectOption(provider);
      await dialog.getByRole('button', { name: names.buttons.add, exact: true }).click();
    }
    // When it is moved by keyboard, the provider keeps the focus.
    await dialog.getByRole('button', { name: names.moveUp('nomba') }).focus();
    await page.keyboard.press('Enter');
    const items = dialog.getByRole('listitem');
    assert.match((await items.first().textContent()) ?? '', /nomba/);
    await page.keyboard.press('Alt+ArrowDown');
    assert.match((await items.first().textContent()) ?? '', /vtpass/);
    await page.keyboard.press('Alt+ArrowUp');
    await dialog.getByLabel(names.fields.strategy).selectOption('shares');
    await dialog.getByLabel(names.shareOf('nomba')).fill('70');
    await dialog.getByLabel(names.shareOf('vtpass')).fill('2000');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByText(names.said.sharesMustBe).waitFor();
    await fits(page);
    await dialog.getByLabel(names.shareOf('vtpass')).fill('30');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByRole('row').filter({ hasText: 'nomba' }).waitFor();
    assert.equal(await routeOf('GLO'), undefined);
    await dialog.getByRole('button', { name: names.buttons.apply }).click();
    await dialog.waitFor({ state: 'detached' });
    const set = await routeOf('GLO');
    assert.deepEqual(
      [set?.providers, set?.shares, set?.strategy],
      [['nomba', 'vtpass'], { nomba: 70, vtpass: 30 }, 'shares'],
    );
    const row = page.getByRole('region', { name: names.parts.routes }).getByRole('row', { name: 'GLO' });
    await row.getByRole('button', { name: names.buttons.change }).click();
    await dialog.getByRole('button', { name: names.removeProvider('nomba') }).click();
    await dialog.getByLabel(names.fields.strategy).selectOption('order');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByRole('button', { name: names.buttons.apply }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual((await routeOf('GLO'))?.providers, ['vtpass']);
    await open().run('route.remove', { environment: 'live', product: 'airtime', network: 'GLO' });
    assert.deepEqual(take(), []);
  });

  itInProof('shows what keeps a route from selling, and why it is refused', async () => {
    await using context = await open().window();
    const { page, take } = await openPage(context);
    await page.goto('/providers');
    await settle(page);
    await page.getByRole('button', { name: names.buttons.setARoute }).click();
    const dialog = page.getByRole('dialog');
    const review = () => dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await review();
    await dialog.getByText(names.said.thisIsNeeded).first().waitFor();
    await dialog.getByLabel(names.fields.product).selectOption('airtime');
    await dialog.getByLabel(names.fields.network).fill('DSTV');
    const choices = dialog.getByLabel(names.fields.addAProvider);
    const unable = await choices.locator('option', { hasText: names.said.noCredentials }).first();
    await choices.selectOption((await unable.getAttribute('value')) ?? '');
    await dialog.getByRole('button', { name: names.buttons.add, exact: true }).click();
    assert.deepEqual(await refusal(page, review), ['no_such_network']);
    assert.equal(await dialog.getByRole('button', { name: names.buttons.apply }).count(), 0);
    await dialog.getByRole('button', { name: names.buttons.back }).click();
    await dialog.getByLabel(names.fields.network).fill('GLO');
    await review();
    await dialog.getByText(names.said.sellsNothing).waitFor();
    await dialog.getByRole('button', { name: names.buttons.cancel }).click();
    await dialog.getByRole('button', { name: names.buttons.cancel }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await routeOf('GLO'), undefined);
    assert.deepEqual(take(), []);
  });
}
