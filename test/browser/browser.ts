/**
 * Chromium with the built application. If a part is missing on this machine, the tests are skipped
 * with a message. With `CI=true` they fail.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import { isGate } from '../support/budget.ts';
import { names } from './names.ts';

const root = join(import.meta.dirname, '..', '..');
const program = process.env.OJA_CHROMIUM ?? '/usr/bin/chromium';
const built = join(root, 'console', 'dist', 'index.html');

/** Why the tests cannot run on this machine. False if they can. */
export function missing(): string | false {
  if (process.env.CI === 'true') return false;
  if (!existsSync(program)) return `no browser at ${program}: install chromium, or set OJA_CHROMIUM`;
  if (!existsSync(built)) return 'the console is not built: npm run console';
  return isStale() ? 'the console was changed since it was built: npm run console' : false;
}

function isStale(): boolean {
  const since = statSync(built).mtimeMs;
  const sources = join(root, 'console', 'src');
  return readdirSync(sources, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > since,
  );
}

export async function launch(): Promise<Browser> {
  return await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
  });
}

export const sizes = {
  small: { width: 360, height: 780 },
  middle: { width: 768, height: 1_024 },
  large: { width: 1_440, height: 900 },
} as const;

const SLOW_MS = 90_000;

export type Seen = {
  readonly page: Page;
  /** Errors of scripts and of the content policy since the last `take`. */
  take(): string[];
};

/** A page whose errors are recorded. */
export async function openPage(context: Pick<BrowserContext, 'newPage'>): Promise<Seen> {
  const page = await context.newPage();
  // Other work on the machine slows it down, which is not an error of the screens.
  page.setDefaultTimeout(SLOW_MS);
  let errors: string[] = [];
  page.on('console', (message) => {
    // A status that the page handles does not count as its error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text());
    }
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return {
    page,
    take: () => {
      const taken = errors;
      errors = [];
      return taken;
    },
  };
}

type FieldFault = { readonly field: string; readonly message: string };

/**
 * Performs an operation that the gateway refuses, and waits until the page shows the gateway's
 * message. Returns the reason of the refusal and the fields it names. A screen left by signing out
 * may still get `signed_out`, which does not count as a refusal.
 */
export async function refusal(
  page: Page,
  act: () => Promise<void>,
): Promise<readonly [code: string, ...fields: string[]]> {
  const errorOf = async (answer: Response) =>
    ((await answer.json()) as { error: { code: string; message: string; fields?: readonly FieldFault[] } })
      .error;
  const answering = page.waitForResponse(async (answer) => {
    if (!answer.url().includes('/api/') || answer.status() < 400) return false;
    // Requests of a screen that was left are not counted.
    const error = await errorOf(answer).catch(() => undefined);
    return error !== undefined && error.code !== 'signed_out';
  });
  await act();
  const error = await errorOf(await answering);
  // A field shows its error without its API name.
  const { fields = [] } = error;
  const [first] = fields;
  const named = first?.message.startsWith(`${first.field} `) ? first : undefined;
  const shown = named?.message.slice(named.field.length + 1) ?? first?.message ?? error.message;
  await page.getByText(shown).first().waitFor();
  return [error.code, ...fields.map(({ field }) => field)];
}

/** When a screen has its heading and no part of it is loading. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText(names.said.loading).first().waitFor({ state: 'detached' });
}

/**
 * Goes to another screen like a link of the application, without reloading the page, and waits
 * until it is there.
 */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    const router = __TSR_ROUTER__;
    await router.navigate({ href: ${JSON.stringify(path)} });
    for (;;) {
      const { status, location, resolvedLocation } = router.state;
      if (status === 'idle' && location.href === resolvedLocation?.href) return;
      await new Promise(requestAnimationFrame);
    }
  })()`);
  await settle(page);
}

/** Finds accessibility errors: WCAG 2.2 AA and more. */
export async function judge(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  // Selectors and satisfied rules are not read from the result.
  const shown = { resultTypes: ['violations'], selectors: false, ancestry: false };
  const options = JSON.stringify({ ...shown, ...(rules && { runOnly: rules }) });
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  );
}

/** The number of pixels by which the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return (await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )) as number;
}

/**
 * Fails unless a screen is accessible, fits its window and has no error. `take` returns the errors.
 * Checks every size, light and dark, and the dialogs that its buttons open.
 */
export async function walkScreen(page: Page, path: string, take: () => readonly string[]): Promise<void> {
  await page.setViewportSize(sizes.large);
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, path);
  if ((await page.getByText(names.said.nothingAtThisAddress).count()) === 0) {
    const help = page.getByRole('main').getByRole('link', { name: names.links.help, exact: true });
    assert.equal(await help.count(), 1, `${path} has one link to its page of the documents`);
  }
  for (const name of ['large', 'middle', 'small'] as const) {
    await page.setViewportSize(sizes[name]);
    assert.equal(await overflow(page), 0, `${path} is wider than a ${name} window`);
    assert.deepEqual(await judge(page), [], `${path}, ${name}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    // Only the colours differ.
    assert.deepEqual(await judge(page, ['color-contrast']), [], `${path}, ${name}, dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await walkDialogs(page, path);
  assert.deepEqual(take(), [], path);
}

/** Titles of the dialogs that were already checked, because many screens open the same ones. */
const seenDialogs = new Set<string>();

/**
 * Opens each dialog of a screen once. Checks its width in each size and its accessibility, light
 * and dark.
 */
async function walkDialogs(page: Page, path: string): Promise<void> {
  await page.setViewportSize(sizes.large);
  const openers = page.getByRole('main').locator('button[aria-haspopup=dialog]:visible');
  for (const name of new Set(await openers.allTextContents())) {
    const opener = openers.filter({ hasText: new RegExp(`^${RegExp.escape(name)}$`) });
    await opener.first().click();
    const dialog = page.getByRole('dialog');
    const title = (await dialog.getByRole('heading').first().textContent()) ?? '';
    await page.getByText(names.said.loading).first().waitFor({ state: 'detached' });
    if (!seenDialogs.has(title)) {
      const at = `${title} at ${path}`;
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        assert.equal(await overflow(page), 0, `${at}, ${size}: the page is wider than its window`);
        assert.equal(await dialog.evaluate(overflowOf), 0, `${at}, ${size}: wider than its place`);
      }
      assert.deepEqual(await judge(page), [], at);
      await page.emulateMedia({ colorScheme: 'dark' });
      assert.deepEqual(await judge(page, ['color-contrast']), [], `${at}, dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      seenDialogs.add(title);
    }
    await page.setViewportSize(sizes.large);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}

const overflowOf = (element: { readonly scrollWidth: number; readonly clientWidth: number }): number =>
  element.scrollWidth - element.clientWidth;

/**
 * Opens a screen of a walk through the console. The first one is loaded, and in the proof each of
 * them.
 */
export async function visit(page: Page, path: string): Promise<void> {
  if (isGate && (await page.evaluate("'__TSR_ROUTER__' in globalThis"))) return await follow(page, path);
  await page.goto(path);
  await settle(page);
}
