/** Which cell a request and a background job of several cells goes to. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CellContact } from '../../src/app/cell-contact.ts';
import { purchasesOfCells } from '../../src/app/purchases-of-cells.ts';
import { createLog } from '../../src/core/log.ts';
import type { Principal } from '../../src/merchants/merchant.ts';
import type { Purchases } from '../../src/purchases/purchases.ts';
import { refusedFor } from '../support/refusals.ts';

/** Two cells and the whole tables. Each notes the name of what is called, and `fails` rejects. */
function openCells(fails: readonly string[] = [], arePlaced = false) {
  const calls: string[] = [];
  const note = (name: string): Purchases => {
    const call = (what: string) => async (): Promise<number> => {
      if (fails.includes(`${name} ${what}`)) throw new Error(`${name} is away`);
      calls.push(`${name} ${what}`);
      return 1;
    };
    const background = new Proxy({} as Purchases['background'], {
      get: (_, what) => call(String(what)),
    });
    return new Proxy({ background } as Purchases, {
      // A promise resolves with it, so it has no `then`.
      get: (_, what) =>
        what === 'then' ? undefined : what === 'background' ? background : call(String(what)),
    });
  };
  const cells = [note('first'), note('second')];
  const beats = cells.map(({ background }) => background.beat);
  const contact = arePlaced ? new CellContact(beats, createLog('silent')) : undefined;
  const purchases = purchasesOfCells(note('whole'), cells, async (merchantId) => merchantId % 2, contact);
  return { purchases, calls, contact };
}

const principalOf = (id: number): Principal => ({ merchant: { id } }) as Principal;

describe('purchases of several cells', () => {
  it('finds a purchase in the cell of its merchant, and in no other', async () => {
    const { purchases, calls } = openCells();
    await purchases.findPurchase(principalOf(2), 'a');
    await purchases.findPurchase(principalOf(3), 'a');
    assert.deepEqual(calls, ['first findPurchase', 'second findPurchase']);
  });

  it('refuses a merchant of no cell', async () => {
    const { purchases, calls } = openCells();
    await assert.rejects(purchases.findPurchase(principalOf(2.5), 'a'));
    assert.deepEqual(calls, []);
  });

  it('runs a job of each cell, also if one fails, and tells the failure', async () => {
    const { purchases, calls } = openCells(['first takeOver']);
    await assert.rejects(purchases.background.takeOver(), { message: 'first is away' });
    assert.deepEqual(calls, ['second takeOver']);
  });

  it('adds up what the cells did', async () => {
    const { purchases } = openCells();
    assert.equal(await purchases.background.askPendingFulfilment(), 2);
  });

  it('runs a job with one record for all merchants once, on whole tables', async () => {
    const { purchases, calls } = openCells();
    await purchases.background.indexSearch();
    await purchases.background.recheckSuccesses();
    assert.deepEqual(calls, ['whole indexSearch', 'whole recheckSuccesses']);
  });

  it('keeps these records in each cell if the cells are on other servers, and beats there too', async () => {
    const { purchases, calls } = openCells([], true);
    await purchases.background.indexSearch();
    assert.equal(await purchases.background.recheckSuccesses(), 2);
    await purchases.background.beat();
    assert.deepEqual(calls, [
      ...['first indexSearch', 'second indexSearch', 'first recheckSuccesses', 'second recheckSuccesses'],
      ...['first beat', 'second beat', 'whole beat'],
    ]);
  });

  it('refuses merchants of a cell on another server until it has recorded there that it lives', async () => {
    const fails = ['second beat'];
    const { purchases, calls, contact } = openCells(fails, true);
    await purchases.background.beat();
    await purchases.findPurchase(principalOf(2), 'a');
    await assert.rejects(purchases.findPurchase(principalOf(3), 'a'), refusedFor('database_away'));
    assert.deepEqual(
      contact?.states().map(({ isReachable }) => isReachable),
      [true, false],
    );
    fails.pop();
    await purchases.background.beat();
    await purchases.findPurchase(principalOf(3), 'a');
    assert.equal(calls.at(-1), 'second findPurchase');
  });

  it('asks every cell about a reference of a provider', async () => {
    const { purchases, calls } = openCells();
    await purchases.queryNow('vtpass', 'r');
    assert.deepEqual(calls, ['first queryNow', 'second queryNow']);
  });
});
