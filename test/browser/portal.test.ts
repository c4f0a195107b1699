/**
 * The portal in a real browser: the work of merchants' users and the limits of a viewer. The proof
 * adds every screen, small and large, light and dark.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { portalScreens } from '../../console/src/portal-screens.ts';
import { itInProof } from '../support/budget.ts';
import type { KeyPair } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { judge, missing, openPage, overflow, refusal, settle, sizes, visit, walkScreen } from './browser.ts';
import { type Console, openConsole, password } from './fixture.ts';
import { names } from './names.ts';
import { onboardingStory, pathOf } from './stories/onboarding.ts';

/** A PNG. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the portal in a browser', { skip: missing() }, () => {
  let of: Console;
  let receiver: WebhookReceiver;
  let viewer: Awaited<ReturnType<BrowserContext['storageState']>>;

  before(async () => {
    of = await openConsole();
    receiver = await startWebhookReceiver();
    viewer = await viewerOf(of);
  });
  after(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await of?.[Symbol.asyncDispose]();
  });

  itInProof('has no fault on any screen: large and small, light and dark', async () => {
    const endpoint = await addEndpoint(of, receiver);
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    const key = of.gateway.credentials.test.key;
    const csv = 'Phone,Network,Amount\n08031234567,MTN,100';
    const made = await of.run('batch.create', { merchant: 'DEMO', credential: key, csv });
    const named: Readonly<Record<string, string>> = {
      $reference: of.sold.success,
      $endpoint: endpoint,
      $batch: made.body.data.batch.id,
    };
    const paths = Object.values(portalScreens).map(({ path }) =>
      path.replaceAll(/\$\w+/g, (name) => named[name] ?? assert.fail(`${path} has no ${name}`)),
    );
    const further = ['/account', '/no-such-page', '/work', '/purchases?find=08031234567'];
    for (const path of [...paths, ...further]) await walkScreen(page, path, take);
  });

  it('finds a purchase by keyboard only, without provider, cost or margin', async () => {
    await using context = await of.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/purchases');
    await settle(page);
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: names.fields.search }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('till-8640');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: names.parts.asAReference }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: names.parts.whatBecameOfIt })
      .getByText(names.said.itWasDelivered)
      .waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    assert.doesNotMatch(text, /sandbox|vtpass|nomba|margin|\bcost/i);
  });

  itInProof('lists live or test, and live when the address names neither', async () => {
    const { merchant, live, test } = of.gateway.credentials;
    const csv = 'Phone,Network,Amount\n08031230009,MTN,100';
    for (const [name, { key }] of Object.entries({ live, test })) {
      const url = `https://shop.example/${name}`;
      await of.run('webhook.create', { merchant, environment: name, url });
      await of.run('batch.create', { merchant, credential: key, csv, name: `Rows of ${name}` });
      await of.run('voucher.issue', { merchant, environment: name, value: '50', count: 1, key: name });
    }
    const sold = await of.gateway.database.query<{ reference: string; environment: string }>(
      'select reference, environment from purchases',
    );
    const textsOf = async (environment: string) => {
      const mine = sold.filter((one) => one.environment === environment);
      const vouchers = await of.run('voucher.list', { merchant, environment });
      return {
        purchases: mine.map(({ reference }) => reference),
        webhooks: [`https://shop.example/${environment}`],
        bulk: [`Rows of ${environment}`],
        vouchers: vouchers.body.data.map(({ hint }: { hint: string }) => hint),
      };
    };
    const expected = { live: await textsOf('live'), test: await textsOf('test') };
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    for (const screen of ['purchases', 'webhooks', 'bulk', 'vouchers'] as const) {
      for (const [query, shown, hidden] of [
        ['', 'live', 'test'],
        ['?environment=live', 'live', 'test'],
        ['?environment=test', 'test', 'live'],
      ] as const) {
        await page.goto(`/${screen}${query}`);
        const filter = page
          .getByRole('form', { name: names.parts.filters })
          .getByLabel(names.fields.environment);
        assert.equal(await filter.inputValue(), shown, `${screen}${query}`);
        await settle(page);
        const text = (await page.getByRole('main').textContent()) ?? '';
        for (const one of expected[shown][screen]) assert.ok(text.includes(one), `${screen}${query}: ${one}`);
        for (const one of expected[hidden][screen])
          assert.ok(!text.includes(one), `${screen}${query}: ${one}`);
      }
    }
    assert.deepEqual(take(), []);
  });

  it('buys with a test key over the API, and shows the request and the answer', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto('/try');
    await settle(page);
    await page.getByRole('form', { name: names.parts.aKeyThatYouHave }).waitFor();
    await useKey(page, of.gateway.credentials.live);
    const buy = page.getByRole('button', { name: names.buttons.buy, exact: true });
    assert.deepEqual(await refusal(page, () => buy.click()), ['credential_live']);
    await page.getByRole('button', { name: names.buttons.useAnotherKey }).click();
    await useKey(page, { ...of.gateway.credentials.test, secret: 'not-the-secret' });
    await page.getByRole('button', { name: names.buttons.buy, exact: true }).click();
    await page.getByText(names.said.theApiAnswered401).waitFor();
    await page.getByRole('button', { name: names.buttons.useAnotherKey }).click();
    await page.getByRole('button', { name: names.buttons.makeATestKey }).click();
    await page.getByLabel(names.fields.whatIsToHappen).selectOption({ label: names.said.itIsRefusedAtOnce });
    await page.getByRole('button', { name: names.buttons.buy, exact: true }).click();
    const answer = page.getByRole('region', { name: names.parts.theAnswer });
    await answer.getByText('"response_code": "01"').waitFor();
    const request = await page.getByRole('region', { name: names.parts.theRequest }).textContent();
    assert.match(request ?? '', /POST \/v1\/transactions\/airtime\/sync[\s\S]*"msisdn": "08000000101"/);
    await page.setViewportSize(sizes.small);
    assert.deepEqual(await judge(page), []);
    assert.equal(await overflow(page), 0);
    await answer.getByRole('link', { name: names.links.seeThePurchase }).click();
    await page.getByText(names.said.yourMoneyIsBack).waitFor();
    // The secret is stored nowhere that outlives the page.
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    assert.deepEqual(take(), []);
  });

  it('creates a funding account and uploads a document, and names a missing field', async () => {
    await using context = await of.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/balance');
    const row = page
      .getByRole('region', { name: names.parts.fundingAccounts })
      .getByRole('row')
      .filter({ hasText: names.said.test });
    await row.getByRole('button', { name: names.buttons.makeOne }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(names.fields.firstName).fill('Ada');
    const make = dialog.getByRole('button', { name: names.buttons.makeOne });
    const [code, ...fields] = await refusal(page, () => make.click());
    assert.deepEqual([code, fields.includes('bvn')], ['input_malformed', true]);
    assert.deepEqual(await judge(page), []);
    await dialog.getByLabel(names.fields.lastName).fill('Obi');
    await dialog.getByLabel(names.fields.email).fill('ada@demo.example');
    await dialog.getByLabel(names.fields.phoneNumber).fill('08031234567');
    await dialog.getByLabel(names.fields.bvn).fill('22222222222');
    await dialog.getByRole('button', { name: names.buttons.makeOne }).click();
    await row.getByText(names.said.active).waitFor();
    assert.match((await row.textContent()) ?? '', /\d{10}/);

    await row.getByRole('button', { name: names.buttons.uploadOne }).click();
    const file = dialog.getByLabel(names.fields.documentOfIdentity);
    const upload = dialog.getByRole('button', { name: names.buttons.uploadOne });
    const fault = names.said.fileMustBe;
    await upload.click();
    await dialog.getByText(names.said.thisIsNeeded).waitFor();
    const image = { name: 'card.png', mimeType: 'image/png' };
    for (const wrong of [
      { name: 'card.txt', mimeType: 'text/plain', buffer: Buffer.from('Ada Obi') },
      { ...image, buffer: Buffer.alloc(5 * 1_048_576 + 3) },
    ]) {
      await file.setInputFiles(wrong);
      await dialog.getByText(fault).waitFor();
      await upload.click();
      await file.setInputFiles([]);
      await dialog.getByText(fault).waitFor({ state: 'detached' });
    }
    // The gateway checks the bytes, whatever the file's name.
    await file.setInputFiles({ ...image, buffer: Buffer.from('no picture') });
    assert.deepEqual(await refusal(page, () => upload.click()), ['document_malformed', 'document']);
    assert.deepEqual(await judge(page), []);
    await file.setInputFiles({ ...image, buffer: picture(1_000_000) });
    await upload.click();
    await row.getByText(names.said.stored).waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
  });

  itInProof('shows an admin at the console what was uploaded: a picture, or a file to save', async () => {
    await using context = await of.window();
    const { page, take } = await openPage(context);
    await page.goto('/merchants/DEMO?tab=funding&environment=test');
    const row = page.getByRole('table', { name: names.parts.fundingAccounts }).getByRole('row');
    await row.getByRole('button', { name: names.buttons.showIt }).click();
    const dialog = page.getByRole('dialog', { name: names.parts.theDocumentOfIdentity });
    await dialog.getByRole('button', { name: names.buttons.showIt }).click();
    const shown = dialog.getByRole('img', { name: names.parts.theDocument });
    await shown.waitFor();
    assert.equal(await shown.evaluate((image: { naturalWidth: number }) => image.naturalWidth), 1);
    assert.match((await dialog.textContent()) ?? '', /image\/png/);
    const saving = page.waitForEvent('download');
    await dialog.getByRole('link', { name: names.links.saveItAsAFile }).click();
    assert.equal((await saving).suggestedFilename(), 'document.png');
    assert.deepEqual(await judge(page), []);
    assert.deepEqual(take(), []);
  });

  itInProof(
    'sets the low-balance threshold, replays an event and rotates a key, each by its button',
    async () => {
      const endpoint = await addEndpoint(of, receiver);
      await using context = await of.ownerWindow();
      const { page, take } = await openPage(context);
      await page.goto('/balance');
      const live = page
        .getByRole('region', { name: names.parts.wallets })
        .getByRole('row')
        .filter({ hasText: names.said.live });
      await live.getByRole('button', { name: names.buttons.setAlert }).click();
      await page.getByRole('dialog').getByLabel(names.fields.tellUsBelow).fill('5000');
      const member = page.getByRole('dialog').getByRole('checkbox').first();
      await member.check();
      assert.deepEqual(await judge(page), []);
      await page.getByRole('dialog').getByRole('button', { name: names.buttons.save }).click();
      await live.getByText('₦5,000.00').waitFor();

      await visit(page, `/webhooks/${endpoint}`);
      await page.getByRole('button', { name: names.buttons.sendATestEvent }).click();
      await page.getByRole('dialog').getByRole('button', { name: names.buttons.sendATestEvent }).click();
      const log = page.getByRole('region', { name: names.parts.whatBecameOfItsEvents });
      const tested = log.getByRole('row').filter({ hasText: 'endpoint.test' });
      await until('the test event comes', () =>
        receiver.received.find(({ event }) => event.type === 'endpoint.test'),
      );
      await until('the log says so', async () => {
        await page.reload();
        await settle(page);
        return (await tested.getByText(names.said.delivered).count()) > 0;
      });
      await tested.getByRole('button', { name: names.buttons.payload }).click();
      const shown = page.getByRole('dialog');
      await shown.getByText('"type": "endpoint.test"').waitFor();
      await shown.getByText(/^webhook-id: evt_/m).waitFor();
      assert.deepEqual(await judge(page), []);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await shown.getByRole('button', { name: names.buttons.copyThePayload }).click();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      assert.equal(JSON.parse(copied).type, 'endpoint.test');
      await shown.getByRole('button', { name: names.buttons.close, exact: true }).click();
      await tested.getByRole('button', { name: names.buttons.sendAgain }).click();
      await page.getByRole('dialog').getByRole('button', { name: names.buttons.sendAgain }).click();
      await until('it comes once more', () => {
        const [first, again] = receiver.received.filter(({ event }) => event.type === 'endpoint.test');
        return again !== undefined && first?.event.id === again.event.id;
      });

      await visit(page, '/keys');
      const link = page.getByRole('link', { name: names.links.collection });
      const collection = await context.request.get((await link.getAttribute('href')) ?? '');
      assert.equal(((await collection.json()) as { info: { name: string } }).info.name, 'Oja');
      await page
        .getByRole('row')
        .filter({ hasText: of.gateway.credentials.live.key })
        .getByRole('button', { name: names.buttons.rotate })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: names.buttons.rotate }).click();
      await dialog.getByText(names.said.itIsShownThisOnce).waitFor();
      await dialog.getByText(names.fields.secret, { exact: true }).waitFor();
      assert.deepEqual(await judge(page), []);
      assert.deepEqual(take(), []);
    },
  );

  itInProof('gives a statement as CSV and for print, with figures to the right', async () => {
    await using context = await of.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/statement?environment=test');
    await settle(page);
    const csv = await context.request.get(
      (await page.getByRole('link', { name: names.links.csv }).getAttribute('href')) ?? '',
    );
    assert.match(await csv.text(), /amount/);
    const align = await page.evaluate("getComputedStyle(document.querySelector('td.figures')).textAlign");
    assert.equal(align, 'right');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // Paper is white, even in dark mode.
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('h2')).color"), 'rgb(0, 0, 0)');
    // The column headers stay, which are buttons on a screen.
    assert.equal(await page.locator('button:visible:not(th button)').count(), 0);
    assert.equal(await page.getByRole('navigation', { name: names.parts.screens }).isVisible(), false);
    assert.equal(await page.getByRole('form', { name: names.parts.filters }).isVisible(), false);
    await page.getByRole('heading', { name: names.headings.statementOf }).waitFor();
  });

  it('shows a viewer no button that it may not use', async () => {
    await using context = await of.browser.newContext({
      baseURL: of.portalUrl,
      storageState: viewer,
      viewport: sizes.large,
    });
    const { page, take } = await openPage(context);
    await page.goto('/');
    await page.getByRole('heading', { name: names.headings.balance }).waitFor();
    const screens = await page
      .getByRole('navigation', { name: names.parts.screens })
      .getByRole('link')
      .allTextContents();
    assert.ok(!screens.includes(portalScreens.tryIt.name), screens.join());
    const forbidden = names.changingButtons;
    for (const path of [
      '/balance',
      '/keys',
      '/webhooks',
      '/team',
      '/vouchers',
      `/purchases/${of.sold.success}`,
      '/prices',
      '/statement',
    ]) {
      await visit(page, path);
      const buttons = await page.locator('main button:not(th button)').allTextContents();
      assert.deepEqual(
        buttons.filter((name) => forbidden.test(name)),
        [],
        path,
      );
      assert.deepEqual(take(), [], path);
    }
    // A request without the button is refused.
    const status = await inPage(page, 'credential.issue', { environment: 'test' });
    assert.deepEqual([status.status, status.body.error.code], [403, 'role_lacking']);
    await visit(page, '/try');
    assert.equal(await page.getByRole('button', { name: names.buttons.makeATestKey }).count(), 0);
  });

  onboardingStory(
    () => of,
    () => receiver,
  );
});

/** A user of the demo's merchant with read-only access. */
async function viewerOf(of: Console) {
  await using owner = await of.ownerWindow();
  const { page } = await openPage(owner);
  await page.goto('/team');
  await settle(page);
  const invited = await inPage(page, 'team.invite', {
    email: 'viewer@demo.example',
    roles: ['viewer'],
    link: true,
  });
  assert.equal(invited.status, 200, JSON.stringify(invited.body));
  await using context = await of.browser.newContext({ baseURL: of.portalUrl });
  const { page: own } = await openPage(context);
  await own.goto(pathOf(invited.body.data.link));
  await own.getByLabel(names.fields.yourName).fill('Vera');
  await own.getByLabel(names.fields.aPassword, { exact: true }).fill(password);
  await own.getByRole('button', { name: names.buttons.goOn }).click();
  await own.getByRole('heading', { name: names.headings.balance }).waitFor();
  return await context.storageState();
}

/** Sent by the page itself, like a request of its scripts. */
async function inPage(page: Page, operation: string, input: object) {
  return await page.evaluate(
    async ([name, given]) => {
      const answer = await fetch(`/api/operations/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      });
      // biome-ignore lint/suspicious/noExplicitAny: looked into by path, and the assertions judge its shape
      return { status: answer.status, body: (await answer.json()) as any };
    },
    [operation, input] as const,
  );
}

async function addEndpoint(of: Console, receiver: WebhookReceiver): Promise<string> {
  const body = { url: `${receiver.url}/demo` };
  const made = await of.gateway.call('POST', '/v1/webhooks/endpoints', { as: 'test', body });
  assert.ok(made.status < 300, made.text);
  return made.body.data.id;
}

/** A file of the stated size that begins like a PNG. */
/** Bytes after the end of the image are ignored. */
function picture(bytes: number): Buffer {
  return Buffer.concat([Buffer.from(ONE_PIXEL, 'base64'), Buffer.alloc(bytes)]);
}

async function useKey(page: Page, { key, secret }: KeyPair): Promise<void> {
  await page.getByLabel(names.fields.key, { exact: true }).fill(key);
  await page.getByLabel(names.fields.secret, { exact: true }).fill(secret);
  await page.getByRole('button', { name: names.buttons.useThisKey }).click();
}
