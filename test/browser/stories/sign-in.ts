/** Somebody is invited, sets up a second factor, loses the phone, and uses a passkey. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openPage, settle } from '../browser.ts';
import { type Console, codeOf, password } from '../fixture.ts';

export function signInStories(open: () => Console): void {
  it('lets in who was invited: a password, an authenticator, and codes for the day without it', async () => {
    await using admin = await open().window();
    const link = await invite(admin, 'ngozi@shop.example');
    await using context = await open().browser.newContext({ baseURL: open().url });
    const { page, take } = await openPage(context);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    assert.ok(!page.url().includes('token'), 'the address of the tab keeps no link');
    await page.getByRole('textbox', { name: 'A password' }).fill('too short');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('must have 15 characters or more').first().waitFor();
    await page.getByRole('textbox', { name: 'A password' }).fill(password);
    await page.getByRole('button', { name: 'Go on' }).click();

    await page.getByRole('heading', { name: 'A second factor' }).waitFor();
    const secret = (await page.locator('code').first().textContent()) ?? '';
    await giveCode(page, 'The six digits that it shows', wrongCode(secret), 'Confirm');
    await page.getByRole('alert').getByText('That is not right').waitFor();
    const first = codeOf(secret);
    await giveCode(page, 'The six digits that it shows', first, 'Confirm');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    const codes = await page.getByRole('listitem').allInnerTexts();
    assert.equal(new Set(codes).size, 10);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    // The phone is lost: one of the ten codes, and never again the same.
    const [recovery = ''] = codes;
    await signOut(page);
    await givePassword(page, 'ngozi@shop.example');
    await giveCode(page, 'Code', first, 'Go on');
    await page.getByRole('alert').getByText('That is not right').waitFor();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await giveCode(page, 'Recovery code', recovery, 'Go on');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await signOut(page);
    await givePassword(page, 'ngozi@shop.example');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await giveCode(page, 'Recovery code', recovery, 'Go on');
    await page.getByRole('alert').getByText('That is not right').waitFor();
    await page.getByRole('button', { name: 'Use the authenticator' }).click();
    await giveCode(page, 'Code', codeOf(secret, 1), 'Go on');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    // The link of the invitation is used up.
    const again = await openPage(context);
    await again.page.goto(link);
    await again.page.getByRole('heading', { name: 'The link is over' }).waitFor();
    assert.deepEqual([...take(), ...again.take()], []);
  });

  it('takes a passkey in the place of both factors, leads to no other site, and gives it up', async () => {
    await using person = await open().person('passkey@shop.example', 'finance');
    // Passkeys are bound to a name, and an address is none.
    const here = open().url.replace('127.0.0.1', 'localhost');
    await using context = await open().browser.newContext({ baseURL: here });
    const { page, take } = await openPage(context);
    await addAuthenticator(context, page);
    await page.goto('/sign-in');
    await givePassword(page, person.email);
    await giveCode(page, 'Code', person.code(), 'Go on');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('status').getByText('The passkey is added.').waitFor();
    await page.getByRole('table', { name: 'Passkeys' }).waitFor();
    const elsewhere = [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
      '/sign-in?back=//evil.example',
    ];
    for (const back of elsewhere) {
      await signOut(page);
      await page.goto(`/sign-in?back=${encodeURIComponent(back)}`);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      assert.equal(new URL(page.url()).origin, here, back);
    }
    await signOut(page);
    await page.goto(`/sign-in?back=${encodeURIComponent('/account?x=1')}`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/account?x=1');
    // It stands for the password too, where that is asked for again.
    await open().gateway.database.query(
      `update user_sessions set stepped_up_until = now()
       where user_id = (select id from users where email = $1)`,
      [person.email],
    );
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const asked = page.getByRole('dialog', { name: 'Your password again' });
    await asked.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('status').getByText('It is removed.').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').getByText('That is not right').waitFor();
    assert.deepEqual(take(), []);
  });

  it('takes an authenticator under the account of who signed in by the password alone', async () => {
    const it_ = open();
    const link = await teamLink(it_, 'factor@demo.example');
    await using context = await it_.browser.newContext({ baseURL: it_.portalUrl });
    const { page, take } = await openPage(context);
    await page.goto(link);
    await page.getByLabel('Your name').fill('Femi');
    await page.getByLabel('A password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'Balance' }).waitFor();
    await page.goto('/account');
    const factors = page.getByRole('region', { name: 'Second factors' });
    await factors.getByText('Not in use').waitFor();
    await factors.getByRole('link', { name: 'Set up an authenticator' }).click();
    await page.getByRole('heading', { name: 'A second factor' }).waitFor();
    const secret = (await page.locator('code').first().textContent()) ?? '';
    await giveCode(page, 'The six digits that it shows', wrongCode(secret), 'Confirm');
    await page.getByRole('alert').getByText('That is not right').waitFor();
    await giveCode(page, 'The six digits that it shows', codeOf(secret), 'Confirm');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await factors.getByText('In use', { exact: true }).waitFor();
    // From now on the password alone does not do.
    await signOut(page);
    await givePassword(page, 'factor@demo.example');
    await giveCode(page, 'Code', codeOf(secret, 1), 'Go on');
    await page.getByRole('heading', { name: 'Balance' }).waitFor();
    assert.deepEqual(take(), []);
  });

  it('shows the sign-in page by itself where an admin has ended the session', async () => {
    const it_ = open();
    await using person = await it_.person('ended@shop.example', 'support');
    const { page } = await openPage(person.context);
    await page.goto('/work');
    await settle(page);
    await page.getByText('Pending').first().waitFor();
    await it_.run('session.end', { email: person.email });
    // Nobody clicks: the stream says so.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('back'), '/work');
  });
}

/** The path of the link: the port is another than that of the gateway's settings. */
async function invite(admin: BrowserContext, email: string): Promise<string> {
  const { page } = await openPage(admin);
  await page.goto('/people');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('no address');
  await dialog.getByLabel('Finance').check();
  await dialog.getByLabel('Show the link here too').check();
  const submit = dialog.getByRole('button', { name: 'Invite somebody' });
  await submit.click();
  await dialog
    .getByText(/address/i)
    .nth(1)
    .waitFor();
  await dialog.getByLabel('E-mail address').fill(email);
  await submit.click();
  const shown = (await dialog.getByText(/#token=/).textContent()) ?? '';
  const [link = ''] = /\/welcome#token=[\w-]+/.exec(shown) ?? [];
  await page.close();
  return link;
}

/** To the portal, for somebody of the demo's merchant. */
async function teamLink({ run }: Console, email: string): Promise<string> {
  const invited = { merchant: 'DEMO', email, roles: ['developer'], link: true };
  const { body } = await run('team.invite', invited);
  const [link = ''] = /\/welcome#token=[\w-]+/.exec(body.data.link) ?? [];
  return link;
}

async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Your second factor' }).waitFor();
}

async function giveCode(page: Page, label: string, code: string, verb: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: verb, exact: true }).click();
}

/** None of the steps around this one. */
function wrongCode(secret: string): string {
  const near = [-1, 0, 1, 2].map((step) => codeOf(secret, step));
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? '';
}

async function signOut(page: Page): Promise<void> {
  await page.locator('header').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
