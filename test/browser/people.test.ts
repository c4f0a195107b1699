/** Users of the console in a real browser: signing in, and the screens of each role. */
import { after, before, describe } from 'node:test';
import { missing } from './browser.ts';
import { type Console, openConsole } from './fixture.ts';
import { roleStories } from './stories/roles.ts';
import { signInStories } from './stories/sign-in.ts';

describe('the people of the console, in a browser', { skip: missing() }, () => {
  let it_: Console;

  before(async () => {
    it_ = await openConsole();
  });
  after(async () => {
    await it_?.[Symbol.asyncDispose]();
  });

  signInStories(() => it_);
  roleStories(() => it_);
});
