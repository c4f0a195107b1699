/**
 * The console in a real browser: an operator's day. All tests share one gateway and one browser.
 * The drills contain the stories that change data. The proof adds those about searches, widths and
 * keys, and every screen, small and large, light and dark.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { screens } from '../../console/src/screens.ts';
import { itInProof } from '../support/budget.ts';
import { judge, missing, openPage, refusal, settle, sizes, walkScreen } from './browser.ts';
import { type Console, customer, openConsole } from './fixture.ts';
import { names } from './names.ts';
import { keyboardStories } from './stories/keyboard.ts';
import { listStories } from './stories/lists.ts';
import { moneyStories } from './stories/money.ts';
import { scriptStories } from './stories/script.ts';
import { supportStories } from './stories/support.ts';

/** The width in the search box that its hint leaves, in pixels. Below zero, the hint is cut. */
const roomOfHint = `(() => {
  const input = document.querySelector('input[type=search]');
  const { font, paddingLeft, paddingRight } = getComputedStyle(input);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = font;
  const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
  return input.clientWidth - padding - pen.measureText(input.placeholder).width;
})()`;

describe('the console in a browser', { skip: missing() }, () => {
  let it_: Console;

  before(async () => {
    it_ = await openConsole();
  });
  after(async () => {
    await it_?.[Symbol.asyncDispose]();
  });

  it('leads signed-out users to the sign-in page, and back afterwards', async () => {
    await using context = await it_.browser.newContext({ baseURL: it_.url });
    const { page } = await openPage(context);
    await page.goto('/purchases?status=pending');
    await page.getByRole('heading', { name: names.headings.signIn }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('back'), '/purchases?status=pending');
    await page.getByLabel(names.fields.email).fill('nobody@shop.example');
    await page.getByLabel(names.fields.password).fill('not the password at all');
    const code = await refusal(page, () => page.getByRole('button', { name: names.buttons.signIn }).click());
    assert.deepEqual(code, ['sign_in_refused']);
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await judge(page), []);
  });

  it('finds a purchase by number and day, and shows its outcome', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/overview?environment=test');
    await page.getByRole('heading', { name: names.headings.overview }).waitFor();
    // A customer reports missing airtime. The number is known.
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: names.fields.search }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(customer.success);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: names.parts.asAMobileNumber }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const next = page.getByRole('region', { name: names.parts.whatHappensNext });
    await next.getByText(names.said.itWasDelivered).waitFor();
    assert.match(page.url(), new RegExp(`/purchases/${it_.sold.success}\\?environment=test$`));
    assert.match(await page.title(), /₦200\.00.*\b08031234567\b/);
    const story = page.getByRole('region', { name: names.parts.itsStory });
    for (const step of names.steps) {
      await story.getByText(step, { exact: true }).waitFor();
    }
    assert.deepEqual(take(), []);
  });

  itInProof('shows the whole hint of the search box at 1440 and 768 px', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/approvals');
    await settle(page);
    for (const size of [sizes.large, sizes.middle]) {
      await page.setViewportSize(size);
      const room = Number(await page.evaluate(roomOfHint));
      assert.ok(room >= 0, `${size.width} px: ${room}`);
    }
    await page.setViewportSize(sizes.large);
  });

  itInProof('says what to do when a search finds nothing', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/purchases?find=08039999999');
    await page.getByText(names.said.noMerchantBoughtThis).waitFor();
    await page.goto('/purchases/no-such-reference');
    await page.getByRole('alert').getByText(names.said.itIsNotThere).waitFor();
  });

  itInProof('finds numbers in other spellings, and suggests similar ones', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    const search = async (find: string): Promise<void> => {
      await page.goto(`/purchases?${new URLSearchParams({ find, environment: 'test' })}`);
    };
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    for (const spelling of [
      customer.success.slice(1),
      `+234${customer.success.slice(1)}`,
      customer.success.replace(/^(....)(...)/, '$1.$2.'),
      customer.success.replace(/^(....)(...)/, '($1) $2-'),
    ]) {
      await search(spelling);
      await part(names.parts.asAMobileNumber).getByText(customer.success).waitFor();
    }
    await search(`${customer.success.slice(0, -1)}9`);
    const near = part(names.parts.didYouMean).getByRole('link', { name: customer.success });
    await near.waitFor();
    assert.deepEqual(await judge(page), []);
    await near.click();
    await part(names.parts.asAMobileNumber).getByText(customer.success).waitFor();
    await search('TILL-8640');
    await part(names.parts.didYouMean).getByRole('link', { name: 'till-8640' }).waitFor();
    // A purchase of the other environment is suggested, but is not in the list.
    await search(customer.pending);
    await part(names.parts.didYouMean).getByRole('link', { name: customer.pending }).waitFor();
    await search('webhook');
    await part(names.parts.pages).getByRole('link', { name: 'Webhooks' }).waitFor();
    await search(it_.gateway.credentials.test.key.toUpperCase());
    await part(names.parts.merchants).getByText('Demo Merchant').waitFor();
    assert.deepEqual(take(), []);
  });

  itInProof('says that it is offline, and stops once it is online again', async () => {
    await using person = await it_.person('offline@shop.example', 'support');
    const { page } = await openPage(person.context);
    await page.goto('/work');
    await settle(page);
    await person.context.setOffline(true);
    await page.getByRole('alert').getByText(names.said.offline).waitFor();
    assert.deepEqual(await judge(page), []);
    await person.context.setOffline(false);
    await page.getByRole('alert').getByText(names.said.offline).waitFor({ state: 'detached' });
  });

  itInProof('says that the gateway stands still, and stops once it answers', async () => {
    await using person = await it_.person('still@shop.example', 'support');
    const { page } = await openPage(person.context);
    await page.goto('/work');
    await settle(page);
    const address = new URL('/', page.url()).href;
    // A process that is stopped accepts connections, and does not answer.
    await page.route(`${address}**`, () => undefined);
    await page.getByRole('link', { name: names.links.purchases, exact: true }).first().click();
    await page.getByRole('alert').getByText(names.said.offline).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('alert').getByText(names.said.offline).waitFor({ state: 'detached' });
  });

  it('queries the provider of a pending purchase, and settles it by evidence', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto(`/purchases/${it_.sold.pending}`);
    const acts = page.getByRole('region', { name: names.parts.whatCanBeDone });
    await acts.getByRole('button', { name: names.buttons.queryTheProviderNow }).click();
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.queryTheProviderNow }).click();
    await page.getByRole('dialog').getByText(names.said.pending).first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: names.buttons.close }).last().click();

    await acts.getByRole('button', { name: names.buttons.settleIt }).click();
    const dialog = page.getByRole('dialog', { name: names.parts.settleIt });
    await dialog.getByLabel(names.fields.whatBecameOfIt).selectOption('failed');
    // A missing value is reported at its field.
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByText(names.said.thisIsNeeded).waitFor();
    await dialog.getByLabel(names.fields.theEvidence).fill('Ticket 4711 of their support');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    assert.deepEqual(await judge(page), []);
    await dialog.getByRole('button', { name: names.buttons.settleIt }).click();
    await page.getByRole('status').getByText(names.said.itIsSettled).waitFor();
    await page.getByText(names.said.merchantHasMoneyBack).waitFor();
    assert.deepEqual(take(), []);
  });

  it('refunds a part once, also when it is sent repeatedly', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto(`/purchases/${it_.sold.success}`);
    await page.getByRole('button', { name: names.buttons.refundTheMerchant }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.amount).fill('50');
    await dialog.getByLabel(names.fields.reason).fill('The customer paid twice');
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    // The answer gets lost; the person sends it again.
    let isLost = true;
    await page.route('**/api/operations/purchase.refund', async (route) => {
      await route.fetch();
      if (!isLost) return await route.continue();
      isLost = false;
      await route.abort();
    });
    await dialog.getByRole('button', { name: names.buttons.refundTheMerchant }).click();
    await dialog.getByText(names.said.theGatewayDoesNotAnswer).waitFor();
    await dialog.getByRole('button', { name: names.buttons.checkIt }).click();
    await dialog.getByRole('button', { name: names.buttons.refundTheMerchant }).click();
    await page.getByRole('status').getByText(names.said.nothingWasDoneTwice).waitFor();
    await page.getByRole('region', { name: names.parts.refunds }).getByText('₦50.00').waitFor();
    await page.getByText(names.said.leftToGiveBack).waitFor();
  });

  itInProof('shows its keyboard shortcuts, and closes what is open with Esc', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/work');
    await settle(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: names.parts.keys }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.goto('/work');
    await settle(page);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').textContent(), names.links.skipToTheContent);
  });

  it('shows live or test on every screen, and never both in a list', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    await page.goto('/purchases');
    const list = page.getByRole('table', { name: names.parts.purchases });
    await list.getByText(customer.pending).waitFor();
    assert.equal(await list.getByText(customer.success).count(), 0);
    const test = page.getByRole('button', { name: names.said.test, exact: true });
    await test.click();
    await page.waitForURL(/environment=test/);
    await list.getByText(customer.success).waitFor();
    assert.equal(await list.getByText(customer.pending).count(), 0);
    assert.equal(await test.getAttribute('aria-pressed'), 'true');
    // Links keep the environment. From a purchase of one environment, switching leads to the list
    // of the other.
    await list.getByRole('link').first().click();
    await page.waitForURL(/\/purchases\/[^?]+\?environment=test/);
    await settle(page);
    await page.getByRole('button', { name: names.said.live, exact: true }).click();
    await page.waitForURL(/\/purchases$/);
    await list.getByText(customer.pending).waitFor();
    assert.deepEqual(take(), []);
  });

  itInProof('keeps filters in the address, and restores them', async () => {
    await using context = await it_.window();
    const { page } = await openPage(context);
    await page.goto('/purchases?environment=test');
    await page.getByLabel(names.fields.merchant, { exact: true }).fill('DEMO');
    await page.getByLabel(names.fields.status).selectOption('success');
    await page.getByRole('button', { name: names.buttons.show, exact: true }).click();
    await page.waitForURL(/status=success/);
    await page.getByText(names.said.allPurchasesShown).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel(names.fields.merchant, { exact: true }).inputValue(), 'DEMO');
    await page.goBack();
    await page.waitForURL(/\/purchases\?environment=test$/);
  });

  supportStories(() => it_);
  moneyStories(() => it_);
  listStories(() => it_);
  keyboardStories(() => it_);
  scriptStories(() => it_);

  itInProof('cuts no table from a laptop to the largest screen', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    const cut = `[...document.querySelectorAll('table')]
      .filter(({ parentElement: around }) => around.scrollWidth > around.clientWidth)
      .map(({ caption }) => caption?.textContent)`;
    for (const [path, part] of [
      ['/overview?environment=test', names.parts.byMerchant],
      ['/providers?environment=test', names.parts.whatWasDelivered],
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

  itInProof('has no fault on any screen: large and small, light and dark', async () => {
    await using context = await it_.window();
    const { page, take } = await openPage(context);
    for (const path of await paths(it_)) await walkScreen(page, path, take);
  });
});

/** Every screen, and every part of a screen with parts. */
async function paths(of: Console): Promise<readonly string[]> {
  const { sold, run, gateway } = of;
  await run('price_list.create', { list: 'walked' });
  const wallet = { merchant: 'DEMO', environment: 'live', key: 'walked', memo: 'Walked' };
  const asked = await run('wallet.credit', { ...wallet, amount: '2000000' });
  await run('audit.run', {});
  const tasks = await run('task.list', {});
  const body = { url: 'http://127.0.0.1:9/walked' };
  const endpoint = await gateway.call('POST', '/v1/webhooks/endpoints', { as: 'live', body });
  const named: Readonly<Record<string, string>> = {
    $reference: sold.success,
    $merchant: 'DEMO',
    $provider: 'vtpass',
    $list: 'walked',
    $approval: asked.body.data.approval.id,
    $task: tasks.body.data[0].id,
    $endpoint: endpoint.body.data.id,
  };
  const whole = Object.values(screens).map(({ path }) =>
    path.replaceAll(/\$\w+/g, (name) => named[name] ?? assert.fail(`${path} has no ${name}`)),
  );
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
      'own',
    ].map((tab) => `/merchants/DEMO?tab=${tab}`),
    '/money',
    ...['rates', 'guards', 'rules'].map((tab) => `/catalog?tab=${tab}`),
    ...['esims', 'sent', 'vouchers'].map((tab) => `/orders?tab=${tab}`),
    ...['days', 'balance'].map((tab) => `/books?tab=${tab}`),
    ...['sessions', 'tokens'].map((tab) => `/team?tab=${tab}`),
    '/account',
    '/no-such-page',
    `/purchases/${sold.pending}`,
    `/purchases?environment=test&find=${customer.success}`,
  ];
  return [...whole, ...parts];
}
