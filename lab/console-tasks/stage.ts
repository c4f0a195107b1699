/** The gateway, the browser and the people of the tasks, of this version or of another checkout. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { Console } from '../../test/browser/fixture.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { type Labels, labels, labelsOf02 } from './labels.ts';

/** A step of a screen must not take longer. Other work on the machine makes it slow. */
const STEP_MS = 60_000;

export type Version = 'this' | '0.2';

export type Stage = AsyncDisposable & {
  readonly version: Version;
  readonly labels: Labels;
  readonly console: Console;
  readonly hook: WebhookReceiver;
  /** The admin and two people of finance at the console, and the owner at the portal. */
  readonly pages: Readonly<Record<'admin' | 'maker' | 'checker' | 'owner', Page>>;
  /** Files that people choose. */
  readonly folder: string;
  /** Runs an operation as the admin and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
  run(operation: string, input: object): Promise<any>;
  /** Buys airtime over the API with the live key, for this number. */
  buy(msisdn: string): Promise<void>;
  /** The e-mails that were written to this address. */
  mails(address: string): Promise<number>;
};

export async function openStage(version: Version, checkout: string, folder: string): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const fixture = pathToFileURL(join(checkout, 'test/browser/fixture.ts')).href;
  const { openConsole } = (await import(fixture)) as typeof import('../../test/browser/fixture.ts');
  const it = stack.use(await openConsole());
  const hook = stack.use(await startWebhookReceiver());
  const open = async (context: { newPage(): Promise<Page> }) => {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    return page;
  };
  const maker = stack.use(await it.person('maker@oja.example', 'finance'));
  const checker = stack.use(await it.person('checker@oja.example', 'finance'));
  const pages = {
    admin: await open(stack.use(await it.window())),
    maker: await open(maker.context),
    checker: await open(checker.context),
    owner: await open(stack.use(await it.ownerWindow())),
  };
  let sales = 0;
  const owned = stack.move();
  return {
    version,
    labels: version === '0.2' ? labelsOf02 : labels,
    console: it,
    hook,
    pages,
    folder,
    run: async (operation, input) => {
      const { body } = await it.run(operation, input);
      return body.data;
    },
    buy: async (msisdn) => {
      sales += 1;
      const { merchant } = it.gateway.credentials;
      const body = { merchant, msisdn, network: 'mtn', amount: '200', request_ref: `task-${sales}` };
      const answer = await it.gateway.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body });
      if (answer.body.response_code !== '00') throw new Error(answer.text);
    },
    mails: async (address) => {
      const outbox = join(it.gateway.dataDir, 'outbox');
      const files = await readdir(outbox).catch(() => []);
      const texts = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')));
      return texts.filter((text) => text.includes(address)).length;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
