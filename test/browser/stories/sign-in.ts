/** A user is invited, sets up a second factor, loses the phone, and uses a passkey. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { isGate, itInProof } from '../../support/budget.ts';
import { openPage, refusal, settle, visit } from '../browser.ts';
import { type Console, codeOf, password, type Window } from '../fixture.ts';
import { names } from '../names.ts';

export function signInStories(open: () => Console): void {
  it('lets an invited user in: with a password, an authenticator, and recovery codes', async () => {
    await using admin = await open().window();
    const link = await invite(admin, 'ngozi@shop.example');
    await using context = await open().browser.newContext({ baseURL: open().url });
    const { page, take } = await openPage(context);
    await page.goto(link);
    await page.getByRole('heading', { name: names.headings.welcome }).waitFor();
    assert.ok(!page.url().includes('token'), 'the address of the tab keeps no link');
    await page.getByRole('textbox', { name: names.fields.aPassword }).fill('too short');
    const goOn = page.getByRole('button', { name: names.buttons.goOn });
    assert.deepEqual(await refusal(page, () => goOn.click()), ['password_unfit']);
    await page.getByRole('textbox', { name: names.fields.aPassword }).fill(password);
    await page.getByRole('button', { name: names.buttons.goOn }).click();

    await page.getByRole('heading', { name: names.headings.aSecondFactor }).waitFor();
    const secret = (await page.locator('code').first().textContent()) ?? '';
    assert.deepEqual(
      await refusal(page, () =>
        giveCode(page, names.fields.sixDigits, wrongCode(secret), names.buttons.confirm),
      ),
      ['sign_in_refused'],
    );
    const first = codeOf(secret);
    await giveCode(page, names.fields.sixDigits, first, names.buttons.confirm);
    await page.getByRole('heading', { name: names.headings.recoveryCodes }).waitFor();
    const codes = await page.getByRole('listitem').allInnerTexts();
    assert.equal(new Set(codes).size, 10);
    await page.getByRole('button', { name: names.buttons.iHaveKeptThem }).click();
    await page.getByRole('heading', { name: names.headings.overview }).waitFor();

    // The phone is lost: one of the ten codes works, and never a second time.
    const [recovery = ''] = codes;
    await signOut(page);
    await givePassword(page, 'ngozi@shop.example');
    assert.deepEqual(
      await refusal(page, () => giveCode(page, names.fields.code, first, names.buttons.goOn)),
      ['sign_in_refused'],
    );
    await page.getByRole('button', { name: names.buttons.useARecoveryCode }).click();
    await giveCode(page, names.fields.recoveryCode, recovery, names.buttons.goOn);
    await page.getByRole('heading', { name: names.headings.overview }).waitFor();
    await signOut(page);
    await givePassword(page, 'ngozi@shop.example');
    await page.getByRole('button', { name: names.buttons.useARecoveryCode }).click();
    assert.deepEqual(
      await refusal(page, () => giveCode(page, names.fields.recoveryCode, recovery, names.buttons.goOn)),
      ['sign_in_refused'],
    );
    await page.getByRole('button', { name: names.buttons.useTheAuthenticator }).click();
    await giveCode(page, names.fields.code, codeOf(secret, 1), names.buttons.goOn);
    await page.getByRole('heading', { name: names.headings.overview }).waitFor();

    // The link of the invitation is used up.
    const again = await openPage(context);
    await again.page.goto(link);
    await again.page.getByRole('heading', { name: names.headings.theLinkIsOver }).waitFor();
    assert.deepEqual([...take(), ...again.take()], []);
  });

  itInProof('accepts a passkey instead of both factors, leads to no other site, and removes it', async () => {
    await using person = await open().person('passkey@shop.example', 'finance');
    // Passkeys are bound to a host name and do not work with an IP address.
    const here = open().url.replace('127.0.0.1', 'localhost');
    await using context = await open().browser.newContext({ baseURL: here });
    const { page, take } = await openPage(context);
    await addAuthenticator(context, page);
    await page.goto('/sign-in');
    await givePassword(page, person.email);
    await giveCode(page, names.fields.code, person.code(), names.buttons.goOn);
    await page.getByRole('heading', { name: names.headings.overview }).waitFor();
    await visit(page, '/account');
    await page.getByRole('button', { name: names.buttons.addAPasskey }).click();
    await page.getByRole('status').getByText(names.said.thePasskeyIsAdded).waitFor();
    await page.getByRole('table', { name: names.parts.passkeys }).waitFor();
    const elsewhere = [
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      'https://evil.example/',
      '/sign-in?back=//evil.example',
    ];
    // The gate tries the first three.
    for (const back of isGate ? elsewhere.slice(0, 3) : elsewhere) {
      await signOut(page);
      await page.goto(`/sign-in?back=${encodeURIComponent(back)}`);
      await page.getByRole('button', { name: names.buttons.useAPasskey }).click();
      await page.getByRole('heading', { name: names.headings.overview }).waitFor();
      assert.equal(new URL(page.url()).origin, here, back);
    }
    await signOut(page);
    await page.goto(`/sign-in?back=${encodeURIComponent('/account?x=1')}`);
    await page.getByRole('button', { name: names.buttons.useAPasskey }).click();
    await page.waitForURL('**/account?x=1');
    // It also replaces the password where that is requested again.
    await open().gateway.database.query(
      `update user_sessions set stepped_up_until = now()
       where user_id = (select id from users where email = $1)`,
      [person.email],
    );
    await page.getByRole('button', { name: names.buttons.remove, exact: true }).click();
    const asked = page.getByRole('dialog', { name: names.parts.yourPasswordAgain });
    await asked.getByRole('button', { name: names.buttons.useAPasskey }).click();
    await page.getByRole('status').getByText(names.said.itIsRemoved).waitFor();
    await signOut(page);
    const usePasskey = page.getByRole('button', { name: names.buttons.useAPasskey });
    assert.deepEqual(await refusal(page, () => usePasskey.click()), ['sign_in_refused']);
    assert.deepEqual(take(), []);
  });

  itInProof('takes an authenticator under the account of who signed in by the password alone', async () => {
    const it_ = open();
    const link = await teamLink(it_, 'factor@demo.example');
    await using context = await it_.browser.newContext({ baseURL: it_.portalUrl });
    const { page, take } = await openPage(context);
    await page.goto(link);
    await page.getByLabel(names.fields.yourName).fill('Femi');
    await page.getByLabel(names.fields.aPassword, { exact: true }).fill(password);
    await page.getByRole('button', { name: names.buttons.goOn }).click();
    await page.getByRole('heading', { name: names.headings.balance }).waitFor();
    await page.goto('/account');
    const factors = page.getByRole('region', { name: names.parts.secondFactors });
    await factors.getByText(names.said.notInUse).waitFor();
    await factors.getByRole('link', { name: names.links.setUpAnAuthenticator }).click();
    await page.getByRole('heading', { name: names.headings.aSecondFactor }).waitFor();
    const secret = (await page.locator('code').first().textContent()) ?? '';
    assert.deepEqual(
      await refusal(page, () =>
        giveCode(page, names.fields.sixDigits, wrongCode(secret), names.buttons.confirm),
      ),
      ['sign_in_refused'],
    );
    await giveCode(page, names.fields.sixDigits, codeOf(secret), names.buttons.confirm);
    await page.getByRole('heading', { name: names.headings.recoveryCodes }).waitFor();
    await page.getByRole('button', { name: names.buttons.iHaveKeptThem }).click();
    await factors.getByText(names.said.inUse, { exact: true }).waitFor();
    // From now on the password is not enough.
    await signOut(page);
    await givePassword(page, 'factor@demo.example');
    await giveCode(page, names.fields.code, codeOf(secret, 1), names.buttons.goOn);
    await page.getByRole('heading', { name: names.headings.balance }).waitFor();
    assert.deepEqual(take(), []);
  });

  it('shows the sign-in page by itself when an admin has ended the session', async () => {
    const it_ = open();
    await using person = await it_.person('ended@shop.example', 'support');
    const { page } = await openPage(person.context);
    await page.goto('/work');
    await settle(page);
    await page.getByText(names.said.pending).first().waitFor();
    await it_.run('session.end', { email: person.email });
    // The stream updates the page without a click.
    await page.getByRole('heading', { name: names.headings.signIn }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('back'), '/work');
  });
}

/** Only the path of the link, because its port is that of the gateway's settings. */
async function invite(admin: Window, email: string): Promise<string> {
  const { page } = await openPage(admin);
  await page.goto('/team');
  await page.getByRole('button', { name: names.buttons.inviteSomebody }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(names.fields.email).fill('no address');
  await dialog.getByLabel(names.fields.finance).check();
  await dialog.getByLabel(names.fields.showTheLinkHereToo).check();
  const submit = dialog.getByRole('button', { name: names.buttons.inviteSomebody });
  assert.deepEqual(await refusal(page, () => submit.click()), ['email_malformed']);
  await dialog.getByLabel(names.fields.email).fill(email);
  await submit.click();
  const shown = (await dialog.getByText(/#token=/).textContent()) ?? '';
  const [link = ''] = /\/welcome#token=[\w-]+/.exec(shown) ?? [];
  await page.close();
  return link;
}

/** Signs in to the portal as a user of the demo's merchant. */
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
  await page.getByLabel(names.fields.email).fill(email);
  await page.getByLabel(names.fields.password).fill(password);
  await page.getByRole('button', { name: names.buttons.signIn, exact: true }).click();
  await page.getByRole('heading', { name: names.headings.yourSecondFactor }).waitFor();
}

async function giveCode(page: Page, label: string, code: string, verb: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: verb, exact: true }).click();
}

/** The URL matches no step around this one. */
function wrongCode(secret: string): string {
  const near = [-1, 0, 1, 2].map((step) => codeOf(secret, step));
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? '';
}

async function signOut(page: Page): Promise<void> {
  await page.locator('header').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: names.buttons.signOut }).click();
  await page.getByRole('heading', { name: names.headings.signIn }).waitFor();
}
