/**
 * The console in a real browser: a person's day, and then every screen, small and large, light and
 * dark. One gateway and one browser for all of it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { screens } from '../../console/src/screens.ts';
import { judge, missing, openPage, settle, walkScreen } from './browser.ts';
import { type Console, customer, openConsole } from './fixture.ts';
import { keyboardStories } from './stories/keyboard.ts';
import { listStories } from './stories/lists.ts';
import { moneyStories } from './stories/money.ts';
import { scriptStories } from './stories/script.ts';
import { supportStories } from './stories/support.ts';

describe('the console in a browser', { skip: missing() }, () => {
  let it_: Console;

  before(async () => {
    it_ = await openConsole();
  });
  after(async () => {
    await it_?.[Symbol.asyncDispose]();
  });

  it('leads whoever is not signed in to the sign-in page, and back afterwards', async () => {
    await using context = await it_.browser.newContext({ baseURL: it_.url });
    const { page } = await openPage(context);
    await page.goto('/purchases?status=pending');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('back'), '/purchases?status=pending');
    await page.getByLabel('E-mail address').fill('nobody@shop.example');
    await page.getByLabel('Password').fill('not the password at all');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('That is not right').waitFor();
    assert.deepEqual(await judge(page), []);
  });

  it('finds a purchase by number and day, and tells what became of it', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // A customer says: no airtime. The number is known.
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(customer.success);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'As a mobile number' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const next = page.getByRole('region', { name: 'What happens next' });
    await next.getByText('It was delivered').waitFor();
    assert.match(page.url(), new RegExp(`/purchases/${it_.sold.success}$`));
    assert.match(await page.title(), /₦200\.00 MTN airtime for 08031234567 · Oja/);
    const story = page.getByRole('region', { name: 'Its story' });
    for (const step of ['Accepted', 'Attempt 1', 'Answer to 1', 'Success', 'Transfer']) {
      await story.getByText(step, { exact: true }).waitFor();
    }
    assert.deepEqual(take(), []);
  });

  it('says what to do where nothing is found', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/purchases?find=08039999999');
    await page.getByText('No merchant bought this.').waitFor();
    await page.goto('/purchases/no-such-reference');
    await page.getByRole('alert').getByText('It is not there.').waitFor();
  });

  it('asks the provider of a pending purchase, and settles it by evidence', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto(`/purchases/${it_.sold.pending}`);
    const acts = page.getByRole('region', { name: 'What can be done' });
    await acts.getByRole('button', { name: 'Ask the provider now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ask the provider now' }).click();
    await page.getByRole('dialog').getByText('Pending').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    await acts.getByRole('button', { name: 'Settle it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settle it by the word of the provider’s support' });
    await dialog.getByLabel('What became of it').selectOption('failed');
    // What is missing is said at its field.
    await dialog.getByRole('button', { name: 'Check it' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await dialog.getByLabel('The evidence').fill('Ticket 4711 of their support');
    await dialog.getByRole('button', { name: 'Check it' }).click();
    assert.deepEqual(await judge(page), []);
    await dialog.getByRole('button', { name: 'Settle it' }).click();
    await page.getByRole('status').getByText('It is settled.').waitFor();
    await page.getByText('The merchant has its money back.').waitFor();
    assert.deepEqual(take(), []);
  });

  it('refunds a part, once, however often it is sent', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto(`/purchases/${it_.sold.success}`);
    await page.getByRole('button', { name: 'Refund the merchant' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Amount/).fill('50');
    await dialog.getByLabel('Reason').fill('The customer paid twice');
    await dialog.getByRole('button', { name: 'Check it' }).click();
    // The answer gets lost; the person sends it again.
    let isLost = true;
    await page.route('**/api/operations/vend.refund', async (route) => {
      await route.fetch();
      if (!isLost) return await route.continue();
      isLost = false;
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Refund the merchant' }).click();
    await dialog.getByText('The gateway does not answer.').waitFor();
    await dialog.getByRole('button', { name: 'Check it' }).click();
    await dialog.getByRole('button', { name: 'Refund the merchant' }).click();
    await page.getByRole('status').getByText('nothing was done twice').waitFor();
    await page.getByRole('region', { name: 'Refunds' }).getByText('₦50.00').waitFor();
    await page.getByText('Up to ₦150.00 is left to give back').waitFor();
  });

  it('shows its keys, and closes what is open with Esc', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/work');
    await settle(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.goto('/work');
    await settle(page);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').textContent(), 'Skip to the content');
  });

  it('keeps filters in the address, and gives them back', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/purchases');
    await page.getByLabel('Merchant', { exact: true }).fill('DEMO');
    await page.getByLabel('Status').selectOption('success');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/status=success/);
    await page.getByText(/Purchases: \d+ shown, which is all/).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel('Merchant', { exact: true }).inputValue(), 'DEMO');
    await page.goBack();
    await page.waitForURL(/\/purchases$/);
  });

  supportStories(() => it_);
  moneyStories(() => it_);
  listStories(() => it_);
  keyboardStories(() => it_);
  scriptStories(() => it_);

  it('cuts no table where there is room, from a laptop to the largest screen', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    const cut = `[...document.querySelectorAll('table')]
      .filter(({ parentElement: around }) => around.scrollWidth > around.clientWidth)
      .map(({ caption }) => caption?.textContent)`;
    for (const [path, part] of [
      ['/overview?environment=test', 'By merchant'],
      ['/providers', 'What was delivered'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('region', { name: part }).getByRole('row').nth(1).waitFor();
      for (const width of [1_440, 1_920, 2_560, 3_840]) {
        await page.setViewportSize({ width, height: (width * 9) / 16 });
        assert.deepEqual(await page.evaluate(cut), [], `${path} at ${width}`);
      }
    }
    assert.deepEqual(take(), []);
  });

  it('has no fault on any screen: large and small, light and dark', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    for (const path of paths(it_)) await walkScreen(page, path, take);
  });
});

/** Every screen, and every part of those that have parts. */
function paths({ sold }: Console): string[] {
  const whole: Readonly<Record<string, string>> = {
    $reference: sold.success,
    $merchant: 'DEMO',
    $provider: 'vtpass',
  };
  const known = Object.values(screens).flatMap(({ path }) => {
    const filled = path.replaceAll(/\$\w+/g, (name) => whole[name] ?? name);
    return filled.includes('$') ? [] : [filled];
  });
  const parts = [
    ...[
      'purchases',
      'statement',
      'credentials',
      'products',
      'funding',
      'webhooks',
      'vouchers',
      'people',
      'done',
    ].map((tab) => `/merchants/DEMO?tab=${tab}`),
    ...['deposits', 'reconciliation'].map((tab) => `/money?tab=${tab}`),
    ...['rates', 'guards'].map((tab) => `/catalog?tab=${tab}`),
    ...['esims', 'sent', 'vouchers'].map((tab) => `/orders?tab=${tab}`),
    ...['days', 'balance'].map((tab) => `/books?tab=${tab}`),
    ...['sessions', 'tokens'].map((tab) => `/people?tab=${tab}`),
    '/account',
    '/no-such-page',
    `/purchases/${sold.pending}`,
    `/purchases?find=${customer.success}`,
  ];
  return [...known, ...parts];
}
