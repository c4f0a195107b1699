/** The tasks of a merchant's team in the portal, in order. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../test/support/until.ts';
import type { Hand } from './hand.ts';
import {
  close,
  confirm,
  dialogOf,
  findPurchase,
  goTo,
  invite,
  linkOf,
  region,
  row,
  submit,
  type Task,
} from './play.ts';
import type { Stage } from './stage.ts';

const numbers = { counter: '08035550003', saved: '08035550004', bulk: '0803555001' } as const;
const ROWS = 5;
const mail = 'ada@customer.example';

export const merchantTasks: readonly Task[] = [
  {
    name: 'Buy airtime at the counter, with the price before',
    who: 'merchant',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.buy);
      await hand.choose('Network', 'MTN');
      await hand.type('Amount in naira', '200');
      await hand.type('Mobile number', numbers.counter);
      await buyPriced(hand);
    },
    before: 'none',
    happened: async (stage) => await isBought(stage, numbers.counter),
  },
  {
    name: 'Send a receipt by e-mail',
    who: 'merchant',
    play: async (_, hand) => {
      await findPurchase(hand, numbers.counter);
      await hand.press('Send', region(hand, 'Receipt'));
      await hand.choose('By', 'E-mail', dialogOf(hand));
      await hand.type('E-mail address', mail, dialogOf(hand));
      await hand.submit('Send', dialogOf(hand));
      await dialogOf(hand).waitFor({ state: 'detached' });
    },
    before: 'none',
    happened: async ({ mails }) => await until('the receipt is sent', async () => (await mails(mail)) > 0),
  },
  {
    name: 'Answer a complaint',
    who: 'merchant',
    play: async (_, hand) => {
      await findPurchase(hand, numbers.counter);
      await hand.follow('Complaint');
    },
    before: 'none',
    happened: async (_, hand) => await region(hand, 'Where the money is').getByRole('table').waitFor(),
  },
  {
    name: 'Buy again for a saved recipient',
    who: 'merchant',
    prepare: async ({ run }) => {
      const recipient = { name: 'Ada', product: 'airtime', network: 'MTN', number: numbers.saved };
      await run('recipient.add', { merchant: 'DEMO', ...recipient });
    },
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.buy);
      await hand.choose('Saved recipient', 'Ada');
      await hand.page
        .getByLabel('Mobile number')
        .and(hand.page.locator(`[value="${numbers.saved}"]`))
        .waitFor();
      await hand.type('Amount in naira', '200');
      await buyPriced(hand);
    },
    before: 'none',
    happened: async (stage) => await isBought(stage, numbers.saved),
  },
  {
    name: 'Buy five items from a file',
    who: 'merchant',
    prepare: async ({ folder }) => {
      const rows = Array.from({ length: ROWS }, (_, index) => `${numbers.bulk}${index},MTN,100`);
      await writeFile(join(folder, 'bulk.csv'), ['Phone,Network,Amount', ...rows].join('\n'));
    },
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.bulk);
      await hand.pick('File', join(stage.folder, 'bulk.csv'));
      await hand.submit('Check rows');
      await hand.page.waitForURL(/\/bulk\/./);
      await hand.press('Start');
      await confirm(stage, hand, 'Start');
    },
    before: 'none',
    happened: async (stage) => {
      for (let index = 0; index < ROWS; index += 1) await isBought(stage, `${numbers.bulk}${index}`);
    },
  },
  {
    name: 'Resend a webhook event',
    who: 'merchant',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.webhooks);
      await hand.openRow(linkOf(hand, '/shop'));
      await hand.press(stage.labels.buttons.resend, row(hand, 'transaction.success'));
      await confirm(stage, hand, stage.labels.buttons.resend);
    },
    // The operator's task sent it twice.
    happened: async ({ hook }) =>
      await until('it comes again', () => {
        const ids = hook.of('/shop').map(({ event }) => event.id);
        return ids.length - new Set(ids).size >= 2;
      }),
  },
  {
    name: 'Set the low-balance alert',
    who: 'merchant',
    play: async (stage, hand) => {
      const { buttons, fields } = stage.labels;
      await hand.press(buttons.setAlert, row(hand, /Live.*NGN/));
      await hand.type(fields.alertBelow, '5000', dialogOf(hand));
      await confirm(stage, hand, buttons.saveAlert);
    },
    happened: async ({ run }) =>
      await until('the alert is set', async () => {
        const alerts = await run('wallet.alerts', { merchant: 'DEMO' });
        return JSON.stringify(alerts).includes('5000.00');
      }),
  },
  {
    name: 'Create an API key',
    who: 'merchant',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.keys);
      await hand.press(stage.labels.buttons.createKey);
      await submit(stage, hand, stage.labels.buttons.createKey);
      await close(hand);
    },
    happened: async ({ run }) => await until('the key is there', async () => (await keys(run)).length === 3),
  },
  {
    name: 'Rotate an API key',
    who: 'merchant',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.keys);
      await hand.press(stage.labels.buttons.rotate);
      await submit(stage, hand, stage.labels.buttons.rotate);
      await close(hand);
    },
    happened: async ({ run }) =>
      await until('the new key is there', async () => (await keys(run)).length === 4),
  },
  {
    name: 'Invite a colleague to the portal',
    who: 'merchant',
    play: async (stage, hand) => {
      await goTo(hand, stage.labels.places.portalTeam);
      await invite(stage, hand, 'till@demo.example', 'Finance');
    },
    happened: async ({ mails }) =>
      await until('the invitation is sent', async () => (await mails('till@demo.example')) > 0),
  },
];

async function buyPriced(hand: Hand): Promise<void> {
  await hand.submit('Show price');
  await region(hand, 'Price').getByText('Remains').waitFor();
  await hand.press('Buy', region(hand, 'Price'));
  await hand.page.waitForURL(/\/purchases\/[0-9a-f-]{36}/);
}

async function isBought({ run }: Stage, phone: string): Promise<void> {
  await until(`${phone} is bought`, async () => {
    const found = (await run('purchase.list', { phone, environment: 'live' })) as { status: string }[];
    return found.length === 1 && found[0]?.status === 'success';
  });
}

async function keys(run: Stage['run']): Promise<readonly unknown[]> {
  return await run('credential.list', { merchant: 'DEMO' });
}
