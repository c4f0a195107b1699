/** Which drills a change runs, by the files that it changes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf } from './layers.ts';
import { touched } from './touched.ts';

describe('the drills that a change touches', () => {
  const drills = filesOf('drills');
  const pathsOf = (...changed: string[]): string[] => touched(drills, changed).map(({ path }) => path);

  it('touches no drill by a file that no drill loads', () => {
    assert.deepEqual(pathsOf(), []);
    assert.deepEqual(pathsOf('docs/proof.md', 'README.md', 'test/api/read.test.ts'), []);
  });

  for (const path of [
    'src/purchases/purchases.ts',
    'src/wallet/absent.ts',
    'src/db/README.md',
    'migrations/0001-init.sql',
    // Every gateway loads it.
    'src/api/routes/register.ts',
    'src/core/clock.ts',
    'simulator/server.ts',
    'test/support/test-cluster.ts',
    // Imports do not show who uses them.
    'package-lock.json',
    'src/core/deleted.ts',
    'examples/shop/shop.ts',
    'packages/embedded-postgres/README.md',
    'sdk/methods.json',
    'test/crash/started-by-path.ts',
  ]) {
    it(`all of ${path}`, () => {
      assert.deepEqual(
        pathsOf(path),
        drills.map((drill) => drill.path),
      );
    });
  }

  it('those of the browser, of the console', () => {
    const run = pathsOf('console/src/screens.ts', 'console/index.html');
    assert.deepEqual(
      run.toSorted(),
      drills.flatMap(({ path }) => (path.startsWith('test/browser/') ? [path] : [])).toSorted(),
    );
  });

  it('touches a changed drill, and drills that import a changed file', () => {
    assert.deepEqual(pathsOf('test/drills/hooks.test.ts'), ['test/drills/hooks.test.ts']);
    const run = pathsOf('test/browser/names.ts');
    assert.ok(run.includes('test/browser/portal.test.ts'));
    assert.ok(!run.includes('test/drills/hooks.test.ts'));
  });
});
