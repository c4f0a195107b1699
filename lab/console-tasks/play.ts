/** The shared parts of tasks: the type of a task, and the steps that several tasks have. */
import type { Locator } from 'playwright-core';
import type { Hand } from './hand.ts';
import type { Stage } from './stage.ts';

/** Performs a task, and returns the hands of the other people who took part. */
type Play = (stage: Stage, hand: Hand) => Promise<readonly Hand[] | undefined> | Promise<void>;

export type Task = {
  readonly name: string;
  readonly who: 'operator' | 'merchant';
  /** Runs before the providers answer. */
  readonly isUnanswered?: boolean;
  /** Prepares the data that the task needs. */
  readonly prepare?: (stage: Stage) => Promise<unknown>;
  readonly play: Play;
  /** The steps in version 0.2 if they differ, or `none` if 0.2 has no screen for the task. */
  readonly before?: Play | 'none';
  /** Checks at the gateway that it happened. Rejects if it did not. */
  readonly happened: (stage: Stage, hand: Hand) => Promise<unknown>;
};

export function dialogOf({ page }: Hand): Locator {
  return page.getByRole('dialog');
}

export function region({ page }: Hand, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

export function row({ page }: Hand, text: string | RegExp): Locator {
  return page.getByRole('main').getByRole('row').filter({ hasText: text }).first();
}

/** The link of a row, which is in its first column. */
export function linkOf(hand: Hand, text: string | RegExp): Locator {
  return row(hand, text).getByRole('link').first();
}

/** Follows a link of the navigation, which may end with a count. */
export async function goTo(hand: Hand, place: string): Promise<void> {
  const navigation = hand.page.getByRole('navigation', { name: 'Screens' });
  await hand.follow(new RegExp(`^${place}( \\d.*)?$`), navigation);
}

export async function goToMerchant(stage: Stage, hand: Hand, code: string): Promise<void> {
  await goTo(hand, stage.labels.places.merchants);
  await hand.openRow(linkOf(hand, code));
  await hand.page.getByRole('navigation', { name: 'Merchant' }).waitFor();
}

export async function findPurchase(hand: Hand, number: string): Promise<void> {
  await hand.search(number);
  await hand.openRow(linkOf(hand, number));
  await hand.page.waitForURL(/\/purchases\/[0-9a-f-]{36}/);
}

/** Submits the form of a dialog, and its review if it has one, and waits until it is closed. */
export async function confirm(stage: Stage, hand: Hand, verb: string | RegExp): Promise<void> {
  await submit(stage, hand, verb);
  await dialogOf(hand).waitFor({ state: 'detached' });
}

/** The same for a dialog that shows a result. */
export async function submit(stage: Stage, hand: Hand, verb: string | RegExp): Promise<void> {
  const dialog = dialogOf(hand);
  await dialog.locator('form button[type=submit]').waitFor();
  const { review } = stage.labels.buttons;
  if ((await dialog.getByRole('button', { name: review, exact: true }).count()) > 0) {
    await hand.submit(review, dialog);
  }
  await hand.submit(verb, dialog);
}

/** Closes a dialog that shows a result, once it is there. */
export async function close(hand: Hand): Promise<void> {
  await dialogOf(hand).locator('form').waitFor({ state: 'detached' });
  await hand.press(/^Close/, dialogOf(hand));
  await dialogOf(hand).waitFor({ state: 'detached' });
}

export async function invite(stage: Stage, hand: Hand, email: string, role: string): Promise<void> {
  const { buttons, fields } = stage.labels;
  await hand.press(buttons.invite);
  await hand.type(fields.email, email, dialogOf(hand));
  await hand.tick(role, dialogOf(hand));
  await submit(stage, hand, buttons.invite);
  await close(hand);
}
