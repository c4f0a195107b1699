/**
 * Plays a person at a screen, with the pointer or with the keyboard only, and counts what the
 * person does. A person who types stays at the keyboard: Tab leads to a field nearby, and Enter
 * submits. Everything else is clicked.
 */
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/**
 * The times in seconds of Card, Moran and Newell, "The keystroke-level model for user performance
 * time with interactive systems", Communications of the ACM 23 (1980): a key or a button pressed, a
 * target pointed at, a hand moved between keyboard and mouse, and the mental preparation of a step.
 * Waiting for the gateway is not included.
 */
const seconds = { key: 0.2, point: 1.1, move: 0.4, think: 1.35 } as const;

/** A field that Tab reaches sooner than the pointer. */
const NEAR = 3;
/** No screen has so many stops. */
const STOPS_MAX = 400;

export type Device = 'pointer' | 'keyboard';

export type Effort = {
  readonly clicks: number;
  /** Key presses. A chord such as Ctrl+A counts its keys. */
  readonly keys: number;
  readonly fields: number;
  /** By the keystroke-level model. */
  readonly seconds: number;
};

export type Hand = {
  readonly page: Page;
  readonly device: Device;
  effort(): Effort;
  press(name: string | RegExp, within?: Locator): Promise<void>;
  follow(name: string | RegExp, within?: Locator): Promise<void>;
  /** Opens the row of a list by its link. */
  openRow(link: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(label: string, text: string, within?: Locator): Promise<void>;
  paste(label: string, text: string, within?: Locator): Promise<void>;
  /** Chooses the first option that starts with the text, in any letter case. */
  choose(label: string, option: string, within?: Locator): Promise<void>;
  tick(label: string, within?: Locator): Promise<void>;
  /** Chooses a file, and in the dialog of the system its name and "Open". */
  pick(label: string, path: string, within?: Locator): Promise<void>;
  /** Submits the form that the button belongs to. */
  submit(name: string | RegExp, within?: Locator): Promise<void>;
  search(text: string): Promise<void>;
  /** Counts actions in another program. */
  elsewhere(done: { readonly clicks?: number; readonly keys?: number }): void;
};

/** The parts of the DOM that are used here. */
type Element = {
  readonly ownerDocument: { readonly activeElement: unknown };
  readonly selectedIndex: number;
  compareDocumentPosition(other: unknown): number;
};
const FOLLOWING = 4;

export function makeHand(page: Page, device: Device): Hand {
  const effort = { clicks: 0, keys: 0, fields: 0, seconds: 0 };
  let isAtKeys = device === 'keyboard';
  const take = (keys: boolean) => {
    if (isAtKeys !== keys) effort.seconds += seconds.move;
    isAtKeys = keys;
  };
  const think = () => {
    effort.seconds += seconds.think;
  };
  const countKeys = (count: number) => {
    take(true);
    effort.keys += count;
    effort.seconds += count * seconds.key;
  };
  const countClicks = (count: number) => {
    take(false);
    effort.clicks += count;
    effort.seconds += count * (seconds.point + seconds.key);
  };
  const key = async (name: string) => {
    countKeys(name.split('+').length);
    await page.keyboard.press(name);
  };
  const click = async (target: Locator) => {
    countClicks(1);
    await target.click();
  };
  const hasFocus = async (target: Locator) =>
    await target.evaluate((element: Element) => element.ownerDocument.activeElement === element);

  /** Moves by Tab, or backwards by Shift+Tab. */
  const tabTo = async (target: Locator): Promise<void> => {
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      const { isHere, isBefore } = await target.evaluate((element: Element, following) => {
        const here = element.ownerDocument.activeElement;
        const place = here === null ? 0 : element.compareDocumentPosition(here);
        return { isHere: here === element, isBefore: (place & following) !== 0 };
      }, FOLLOWING);
      if (isHere) return;
      await key(isBefore ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`the keyboard does not reach ${target}`);
  };

  const isNear = async (field: Locator): Promise<boolean> => {
    for (let stop = 1; stop <= NEAR; stop += 1) {
      await page.keyboard.press('Tab');
      if (!(await hasFocus(field))) continue;
      countKeys(stop);
      return true;
    }
    return false;
  };

  /** Goes to the first field of a row, if the field is in a row. */
  const enterRow = async (field: Locator): Promise<void> => {
    const row = field.locator('xpath=ancestor::tr[@data-row]');
    if ((await row.count()) === 0) return;
    if (await page.locator('input:focus, select:focus').count()) await key('Escape');
    for (let place = 0; place < STOPS_MAX && !(await hasFocus(row)); place += 1) await key('j');
    await key('Enter');
  };

  const enter = async (field: Locator): Promise<void> => {
    await field.waitFor();
    if (await hasFocus(field)) return;
    if (device === 'keyboard') {
      await enterRow(field);
      return await tabTo(field);
    }
    if (isAtKeys && (await isNear(field))) return;
    await click(field);
  };

  const activate = async (target: Locator): Promise<void> => {
    think();
    await target.waitFor();
    if (device === 'pointer') return await click(target);
    await tabTo(target);
    await key('Enter');
  };

  const fieldOf = (label: string, within: Locator = page.locator('body')) =>
    within.getByLabel(startingWith(label)).and(page.locator('input, select, textarea')).first();

  const fill = async (label: string, within: Locator | undefined, write: () => Promise<void>) => {
    think();
    effort.fields += 1;
    const field = fieldOf(label, within);
    await enter(field);
    if ((await field.inputValue()) !== '') await key('Control+A');
    await write();
  };

  const button = (name: string | RegExp, within: Locator = page.locator('body')) =>
    within.getByRole('button', { name, exact: true });

  return {
    page,
    device,
    effort: () => ({ ...effort }),
    press: async (name, within) => await activate(button(name, within).first()),
    follow: async (name, within = page.locator('body')) =>
      await activate(within.getByRole('link', { name, exact: true }).first()),
    openRow: async (link) => {
      think();
      await link.waitFor();
      if (device === 'pointer') return await click(link);
      if (await hasFocus(page.getByRole('searchbox').first())) await key('Escape');
      for (let row = 0; row < STOPS_MAX && !(await hasFocus(link)); row += 1) await key('j');
      await key('Enter');
    },
    type: async (label, text, within) =>
      await fill(label, within, async () => {
        countKeys(text.length);
        await page.keyboard.type(text);
      }),
    paste: async (label, text, within) =>
      await fill(label, within, async () => {
        countKeys(2);
        await page.keyboard.insertText(text);
      }),
    choose: async (label, option, within) => {
      think();
      effort.fields += 1;
      const select = fieldOf(label, within);
      await select.waitFor();
      await select.locator('option').filter({ hasText: option }).first().waitFor({ state: 'attached' });
      const options = await select.locator('option').allTextContents();
      const wanted = options.findIndex((one) => one.toLowerCase().startsWith(option.toLowerCase()));
      if (wanted === -1) throw new Error(`${label} has no ${option}: ${options.join(', ')}`);
      if (device === 'pointer') {
        // One click opens the list, the other chooses.
        countClicks(2);
        await select.selectOption({ index: wanted });
        return;
      }
      await tabTo(select);
      const steps = wanted - (await select.evaluate((element: Element) => element.selectedIndex));
      for (let step = 0; step < Math.abs(steps); step += 1) await key(steps > 0 ? 'ArrowDown' : 'ArrowUp');
    },
    tick: async (label, within) => {
      think();
      effort.fields += 1;
      const box = fieldOf(label, within);
      await box.waitFor();
      if (device === 'pointer') return await click(box);
      await tabTo(box);
      await key('Space');
    },
    pick: async (label, path, within) => {
      think();
      effort.fields += 1;
      const field = fieldOf(label, within);
      await field.waitFor();
      const choosing = page.waitForEvent('filechooser');
      if (device === 'pointer') {
        await click(field);
        countClicks(2);
      } else {
        await tabTo(field);
        await key('Space');
        countKeys(basename(path).length + 1);
      }
      await (await choosing).setFiles(path);
    },
    submit: async (name, within) => {
      think();
      const target = button(name, within).last();
      await target.waitFor();
      const form = target.locator('xpath=ancestor::form[1]');
      const takesEnter = form.locator('input:not([type=file]):focus, textarea[enterkeyhint]:focus');
      if (isAtKeys && ((await hasFocus(target)) || (await takesEnter.count()) > 0)) return await key('Enter');
      if (device === 'pointer') return await click(target);
      await tabTo(target);
      await key('Enter');
    },
    search: async (text) => {
      think();
      effort.fields += 1;
      const box = page.getByRole('searchbox').first();
      if (!(await hasFocus(box))) {
        if (device === 'pointer') await click(box);
        else await key('/');
      }
      if ((await box.inputValue()) !== '') await key('Control+A');
      countKeys(text.length);
      await page.keyboard.type(text);
      await key('Enter');
    },
    elsewhere: ({ clicks = 0, keys = 0 }) => {
      countClicks(clicks);
      countKeys(keys);
    },
  };
}

/** A label may end with a hint, such as "(optional)". */
function startingWith(label: string): RegExp {
  return new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}

export function sum(efforts: readonly Effort[]): Effort {
  const of = (name: keyof Effort) => efforts.reduce((total, effort) => total + effort[name], 0);
  return { clicks: of('clicks'), keys: of('keys'), fields: of('fields'), seconds: of('seconds') };
}
