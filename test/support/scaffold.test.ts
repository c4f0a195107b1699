/** `npm run new`: the files it writes, in a copy of those that it changes. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../runner/layers.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import { writeBank } from './scaffold/write-bank.ts';
import { writeOperation } from './scaffold/write-operation.ts';
import { writeProvider } from './scaffold/write-provider.ts';
import { writeRoute } from './scaffold/write-route.ts';

function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oja-scaffold-'));
  cleanUpAfter(folder);
  for (const path of [
    'src/api/routes/register-routes.ts',
    'src/backoffice/operations/registry.ts',
    'src/merchants/README.md',
    'src/funding/banks/registry.ts',
    'src/providers/registry.ts',
    'console/src/screens.ts',
    'console/src/screens/merchant/own-view.tsx',
    'test/app/own/acme',
    'test/app/own/depot',
  ]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  return folder;
}

/** Returns the files that were written. Each must be TypeScript and import files that exist. */
function written(folder: string, lines: readonly string[]): Map<string, string> {
  const paths = lines.flatMap((line) => (line.startsWith('wrote ') ? [line.slice(6)] : []));
  const texts = new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  for (const [path, text] of texts) {
    if (path.endsWith('.ts')) stripTypeScriptTypes(text);
    for (const [, target = ''] of text.matchAll(/from '(\.[^']+)'/g)) {
      const file = join(path, '..', target);
      assert.ok(
        [folder, root].some((place) => existsSync(join(place, file))),
        `${path}: ${target}`,
      );
    }
  }
  return texts;
}

it('writes a provider with its line of the registry, its test and its page', () => {
  const folder = copy();
  const files = written(folder, writeProvider(folder, 'quick-pay'));
  for (const [path, text] of files) assert.doesNotMatch(text, /acme/i, path);
  assert.match(files.get('src/providers/quick-pay/index.ts') ?? '', /const quickPay = [\s\S]*'quick-pay'/);
  assert.match(files.get('src/providers/quick-pay/settings.ts') ?? '', /OJA_QUICK_PAY_KEY/);
  assert.match(files.get('src/providers/registry.ts') ?? '', /quickPay\b[\s\S]*, quickPay\]/);
  const next = written(folder, writeProvider(folder, 'slow-pay'));
  assert.match(next.get('src/providers/registry.ts') ?? '', /slowPay\b[\s\S]*, quickPay, slowPay\]/);
});

it('writes a bank with its line of the registry, its test and its page', () => {
  const folder = copy();
  const files = written(folder, writeBank(folder, 'north-bank'));
  for (const [path, text] of files) assert.doesNotMatch(text, /depot/i, path);
  assert.match(
    files.get('src/funding/banks/north-bank/index.ts') ?? '',
    /const northBank = [\s\S]*'north-bank'/,
  );
  assert.match(files.get('src/funding/banks/north-bank/settings.ts') ?? '', /OJA_NORTH_BANK_KEY/);
  assert.match(files.get('src/funding/banks/registry.ts') ?? '', /payvessel, northBank\]/);
  assert.ok(files.has('test/funding/banks/north-bank/mapping.test.ts'));
  assert.ok(files.has('docs/operators/providers/north-bank.md'));
});

it('writes an operation with its lines of the registry and the console', () => {
  const folder = copy();
  const files = written(folder, writeOperation(folder, 'merchant.rename', 'merchants'));
  assert.match(files.get('src/merchants/operations/rename-merchant.ts') ?? '', /name: 'merchant.rename'/);
  assert.ok(files.has('test/merchants/rename-merchant.test.ts'));
  assert.match(files.get('src/backoffice/operations/registry.ts') ?? '', /^ {2}renameMerchantOperation,/m);
  assert.match(files.get('console/src/screens.ts') ?? '', /'merchant\.rename',/);
});

it('writes a route with its line of the list and its test', () => {
  const folder = copy();
  const files = written(folder, writeRoute(folder, 'wallet/daily-limits'));
  assert.match(
    files.get('src/api/routes/wallet/daily-limits/route.ts') ?? '',
    /api\.get\('\/v1\/wallet\/daily-limits'/,
  );
  assert.match(files.get('src/api/routes/register-routes.ts') ?? '', /^ {2}registerWalletDailyLimitsRoute,/m);
  assert.ok(files.has('test/api/wallet-daily-limits.test.ts'));
});

it('writes a provider whose name begins like the name of the model', () => {
  const folder = copy();
  const files = written(folder, writeProvider(folder, 'acme-pay'));
  for (const [path, text] of files) assert.doesNotMatch(text, /pay-?pay/i, path);
  assert.match(files.get('src/providers/acme-pay/index.ts') ?? '', /AcmePay: /);
});

it('replaces no file, and refuses other names', () => {
  const folder = copy();
  const files = written(folder, writeProvider(folder, 'quick-pay'));
  assert.throws(() => writeProvider(folder, 'quick-pay'));
  for (const [path, text] of files) assert.equal(readFileSync(join(folder, path), 'utf8'), text, path);
  assert.throws(() => writeProvider(folder, 'Quick Pay'));
  writeBank(folder, 'north-bank');
  assert.throws(() => writeBank(folder, 'north-bank'));
  assert.throws(() => writeBank(folder, '../north'));
  assert.throws(() => writeOperation(folder, 'rename', 'merchants'));
  assert.throws(() => writeRoute(folder, 'limits'));
  assert.throws(() => writeRoute(folder, 'wallet/../limits'));
  assert.throws(() => writeOperation(folder, 'merchant.rename', 'nowhere'));
});
