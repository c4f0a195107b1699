/** The catalog and the routes, in a real browser: changed in place, reviewed, and refused. */
import { after, before, describe } from 'node:test';
import { missing } from './browser.ts';
import { type Console, openConsole } from './fixture.ts';
import { catalogStories, routeStories } from './stories/catalog.ts';

describe('the catalog and the routes, in a browser', { skip: missing() }, () => {
  let it_: Console;

  before(async () => {
    it_ = await openConsole();
  });
  after(async () => {
    await it_?.[Symbol.asyncDispose]();
  });

  catalogStories(() => it_);
  routeStories(() => it_);
});
