/**
 * The portal in a real browser: what merchants' people do there, what a viewer may not, and every
 * screen, small and large, light and dark.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { portalScreens } from '../../console/src/portal-screens.ts';
import type { KeyPair } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { judge, missing, openPage, overflow, settle, sizes, walkScreen } from './browser.ts';
import { type Console, openConsole, password } from './fixture.ts';
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

  it('has no fault on any screen: large and small, light and dark', async () => {
    const endpoint = await addEndpoint(of, receiver);
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    const named: Readonly<Record<string, string>> = { $reference: of.sold.success, $endpoint: endpoint };
    const paths = Object.values(portalScreens).map(({ path }) =>
      path.replaceAll(/\$\w+/g, (name) => named[name] ?? name),
    );
    const further = ['/account', '/no-such-page', '/work', '/purchases?find=08031234567'];
    for (const path of [...paths, ...further]) await walkScreen(page, path, take);
  });

  it('finds a purchase by the keyboard alone, and says nothing of providers, costs and margins', async () => {
    await using context = await of.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/purchases');
    await settle(page);
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('till-8640');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'As a reference' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'What became of it' }).getByText('It was delivered.').waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    assert.doesNotMatch(text, /sandbox|vtpass|nomba|margin|\bcost/i);
  });

  it('buys with a test key over the API, and shows the request and the answer', async () => {
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto('/try');
    await settle(page);
    await page.getByRole('form', { name: 'A key that you have' }).waitFor();
    await useKey(page, of.gateway.credentials.live);
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    await page.getByRole('alert').getByText('is a live credential').waitFor();
    await page.getByRole('button', { name: 'Use another key' }).click();
    await useKey(page, { ...of.gateway.credentials.test, secret: 'not-the-secret' });
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    await page.getByText('The API answered 401').waitFor();
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.getByRole('button', { name: 'Make a test key' }).click();
    await page.getByLabel('What is to happen').selectOption({ label: 'It is refused at once' });
    await page.getByRole('button', { name: 'Buy', exact: true }).click();
    const answer = page.getByRole('region', { name: 'The answer' });
    await answer.getByText('"response_code": "01"').waitFor();
    const request = await page.getByRole('region', { name: 'The request' }).textContent();
    assert.match(request ?? '', /POST \/v1\/transactions\/airtime\/sync[\s\S]*"msisdn": "08000000101"/);
    await page.setViewportSize(sizes.small);
    assert.deepEqual(await judge(page), []);
    assert.equal(await overflow(page), 0);
    await answer.getByRole('link', { name: 'See the purchase' }).click();
    await page.getByText('Your money is back.').waitFor();
    // The secret is nowhere that outlives the page.
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    assert.deepEqual(take(), []);
  });

  it('makes a funding account and uploads a document, and says at its field what is missing', async () => {
    await using context = await of.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/balance');
    const row = page
      .getByRole('region', { name: 'Funding accounts' })
      .getByRole('row')
      .filter({ hasText: 'Test' });
    await row.getByRole('button', { name: 'Make one' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^First name/).fill('Ada');
    await dialog.getByRole('button', { name: 'Make one' }).click();
    await dialog.getByText(/bvn must be given/i).waitFor();
    assert.deepEqual(await judge(page), []);
    await dialog.getByLabel(/^Last name/).fill('Obi');
    await dialog.getByLabel(/^E-mail address/).fill('ada@demo.example');
    await dialog.getByLabel(/^Phone number/).fill('08031234567');
    await dialog.getByLabel(/^BVN/).fill('22222222222');
    await dialog.getByRole('button', { name: 'Make one' }).click();
    await row.getByText('Active').waitFor();
    assert.match((await row.textContent()) ?? '', /\d{10}/);

    await row.getByRole('button', { name: 'Upload one' }).click();
    const file = dialog.getByLabel(/^Document of identity/);
    const upload = dialog.getByRole('button', { name: 'Upload one' });
    const fault = 'It must be a JPEG, PNG, WebP or PDF file of at most 5 MB.';
    await upload.click();
    await dialog.getByText('This is needed.').waitFor();
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
    // Whatever it is called: the gateway judges its bytes.
    await file.setInputFiles({ ...image, buffer: Buffer.from('no picture') });
    await upload.click();
    await dialog.getByText('The document must be a JPEG, PNG, WebP or PDF file').waitFor();
    assert.deepEqual(await judge(page), []);
    await file.setInputFiles({ ...image, buffer: picture(1_000_000) });
    await upload.click();
    await row.getByText('Stored').waitFor();
    assert.equal(await row.getByRole('button').count(), 0);
  });

  it('uploads what an admin then sees at the console: a picture, or a file to save', async () => {
    await using context = await of.window();
    const { page, take } = await openPage(context);
    await page.goto('/merchants/DEMO?tab=funding');
    const row = page
      .getByRole('table', { name: 'Funding accounts' })
      .getByRole('row')
      .filter({ hasText: 'Test' });
    await row.getByRole('button', { name: 'Show it' }).click();
    const dialog = page.getByRole('dialog', { name: 'The document of identity' });
    await dialog.getByRole('button', { name: 'Show it' }).click();
    const shown = dialog.getByRole('img', { name: 'The document' });
    await shown.waitFor();
    assert.equal(await shown.evaluate((image: { naturalWidth: number }) => image.naturalWidth), 1);
    assert.match((await dialog.textContent()) ?? '', /image\/png/);
    const saving = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Save it as a file' }).click();
    assert.equal((await saving).suggestedFilename(), 'document.png');
    assert.deepEqual(await judge(page), []);
    assert.deepEqual(take(), []);
  });

  it('tells below what balance, replays an event and rotates a key, each by its button', async () => {
    const endpoint = await addEndpoint(of, receiver);
    await using context = await of.ownerWindow();
    const { page, take } = await openPage(context);
    await page.goto('/balance');
    const live = page.getByRole('region', { name: 'Wallets' }).getByRole('row').filter({ hasText: 'Live' });
    await live.getByRole('button', { name: 'Set threshold' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Tell us below/)
      .fill('5000');
    await page.getByRole('dialog').getByRole('button', { name: 'Set threshold' }).click();
    await live.getByText('₦5,000.00').waitFor();

    await page.goto(`/webhooks/${endpoint}`);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test event' }).click();
    const log = page.getByRole('region', { name: 'What became of its events' });
    const tested = log.getByRole('row').filter({ hasText: 'endpoint.test' });
    await until('the test event comes', () =>
      receiver.received.find(({ event }) => event.type === 'endpoint.test'),
    );
    await until('the log says so', async () => {
      await page.reload();
      await settle(page);
      return (await tested.getByText('Delivered').count()) > 0;
    });
    await tested.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await until('it comes once more', () => {
      const [first, again] = receiver.received.filter(({ event }) => event.type === 'endpoint.test');
      return again !== undefined && first?.event.id === again.event.id;
    });

    await page.goto('/keys');
    await page
      .getByRole('row')
      .filter({ hasText: of.gateway.credentials.live.key })
      .getByRole('button', { name: 'Rotate' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('It is shown this once').waitFor();
    await dialog.getByText('Secret', { exact: true }).waitFor();
    assert.deepEqual(await judge(page), []);
    assert.deepEqual(take(), []);
  });

  it('gives a statement as CSV and for print, with figures to the right', async () => {
    await using context = await of.ownerWindow();
    const { page } = await openPage(context);
    await page.goto('/statement?environment=test');
    await settle(page);
    const csv = await context.request.get(
      (await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '',
    );
    assert.match(await csv.text(), /amount/);
    const align = await page.evaluate("getComputedStyle(document.querySelector('td.figures')).textAlign");
    assert.equal(align, 'right');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // Paper is white, also for who works in the dark.
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('h2')).color"), 'rgb(0, 0, 0)');
    assert.equal(await page.getByRole('button').count(), 0);
    assert.equal(await page.getByRole('navigation', { name: 'Screens' }).isVisible(), false);
    assert.equal(await page.getByRole('form', { name: 'Filters' }).isVisible(), false);
    await page.getByRole('heading', { name: /^Statement of/ }).waitFor();
  });

  it('shows a viewer no button that it may not use', async () => {
    await using context = await of.browser.newContext({
      baseURL: of.portalUrl,
      storageState: viewer,
      viewport: sizes.large,
    });
    const { page, take } = await openPage(context);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Balance' }).waitFor();
    const screens = await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link')
      .allTextContents();
    assert.ok(!screens.includes('Try it'), screens.join());
    const forbidden =
      /^(Make|Set threshold|Rotate|Caps|End|Add|Send|Replay|Change|Another|Disable|Delete|Invite|Roles|Reset|Suspend|Show it|Buy)/;
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
      await page.goto(path);
      await settle(page);
      const buttons = await page.getByRole('main').getByRole('button').allTextContents();
      assert.deepEqual(
        buttons.filter((name) => forbidden.test(name)),
        [],
        path,
      );
      assert.deepEqual(take(), [], path);
    }
    // What it asks for all the same is refused.
    const status = await inPage(page, 'credential.issue', { environment: 'test' });
    assert.deepEqual([status.status, status.body.error.code], [403, 'role_lacking']);
    await page.goto('/try');
    await settle(page);
    assert.equal(await page.getByRole('button', { name: 'Make a test key' }).count(), 0);
  });

  onboardingStory(
    () => of,
    () => receiver,
  );
});

/** Somebody of the demo's merchant who may only look. */
async function viewerOf(of: Console) {
  await using owner = await of.ownerWindow();
  const page = await owner.newPage();
  await page.goto('/team');
  await settle(page);
  const invited = await inPage(page, 'team.invite', {
    email: 'viewer@demo.example',
    roles: ['viewer'],
    link: true,
  });
  assert.equal(invited.status, 200, JSON.stringify(invited.body));
  await using context = await of.browser.newContext({ baseURL: of.portalUrl });
  const own = await context.newPage();
  await own.goto(pathOf(invited.body.data.link));
  await own.getByLabel('Your name').fill('Vera');
  await own.getByLabel('A password', { exact: true }).fill(password);
  await own.getByRole('button', { name: 'Go on' }).click();
  await own.getByRole('heading', { name: 'Balance' }).waitFor();
  return await context.storageState();
}

/** Asked by the page itself, as its scripts do. */
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

/** As large as is said, and a PNG by its first bytes. */
/** What comes after its end nobody reads. */
function picture(bytes: number): Buffer {
  return Buffer.concat([Buffer.from(ONE_PIXEL, 'base64'), Buffer.alloc(bytes)]);
}

async function useKey(page: Page, { key, secret }: KeyPair): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByLabel('Secret', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Use this key' }).click();
}
