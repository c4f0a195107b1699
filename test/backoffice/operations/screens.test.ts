/** Every operation can be reached without a terminal. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { portalAccountDocument, portalScreens } from '../../../console/src/portal-screens.ts';
import type { Screen } from '../../../console/src/screen.ts';
import { accountDocument, screens } from '../../../console/src/screens.ts';
import { anchorsOf } from '../../../site/generate/links.ts';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { alarmKinds } from '../../../src/notifications/alarms/alarm-actions.ts';

const atPortal: readonly Screen[] = Object.values(portalScreens);
const all: readonly Screen[] = [...Object.values(screens), ...atPortal];
const application = join(import.meta.dirname, '..', '..', '..', 'console', 'src');

test('every operation has a screen, and every screen only existing operations', () => {
  const reached = new Set(all.flatMap(({ woven }) => woven));
  assert.deepEqual(
    operations.map(({ name }) => name).filter((name) => !reached.has(name as never)),
    [],
  );
  const known = new Set(operations.map(({ name }) => name as string));
  assert.deepEqual(
    [...reached].filter((name) => !known.has(name)),
    [],
  );
});

test('every operation for merchants’ users has a screen at the portal, and no other has', () => {
  const reached = atPortal.flatMap(({ woven }) => woven);
  assert.deepEqual(
    [...new Set(reached)].sort(),
    operations
      .filter(({ portal }) => portal !== undefined)
      .map(({ name }) => name as string)
      .sort(),
  );
});

test('every screen uses the operations that it declares', () => {
  const text = ['screens', 'widgets']
    .flatMap((folder) => readdirSync(join(application, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  const missing = all
    .flatMap(({ woven }) => woven)
    .filter((name) => !text.includes(`'${name}'`) && !text.includes(`"${name}"`));
  assert.deepEqual(missing, []);
});

test('every screen, and every kind of alarm, has a page and a heading that explain it', () => {
  const documents = join(application, '..', '..', 'docs');
  const links = [
    ...all.map(({ document }) => document),
    accountDocument,
    portalAccountDocument,
    ...alarmKinds.map((kind) => `operators/alerts.md#${kind}`),
  ];
  const broken = links.filter((link) => {
    const [file = '', heading] = link.split('#');
    const path = join(documents, file);
    if (!existsSync(path)) return true;
    return heading !== undefined && !anchorsOf(readFileSync(path, 'utf8')).has(heading);
  });
  assert.deepEqual(broken, []);
});
