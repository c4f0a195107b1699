/**
 * Lists the software that a release ships or installs, each with its license: the packages that the
 * gateway depends on, and those whose code is in the built console.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

export type Licensed = {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier; empty when the package states none. */
  readonly license: string;
  /** Where it runs. */
  readonly place: 'gateway' | 'console';
  /** The license text of a package in the built console. */
  readonly text?: string;
};

/**
 * The licenses that allow use and distribution together with the Apache License 2.0, and require
 * only their notice.
 */
export const compatible: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ICU',
  'ISC',
  'LicenseRef-public-domain',
  'MIT',
  'MIT-0',
  'OpenSSL',
  'PostgreSQL',
  'Unlicense',
  'Zlib',
]);

/**
 * The programs in the packages of PostgreSQL, which do not list them: a name, its license, and the
 * names of its libraries.
 */
export const inPostgres: readonly (readonly [name: string, license: string, libraries: RegExp])[] = [
  ['PostgreSQL', 'PostgreSQL', /^lib(?:pq|ecpg|pgtypes|pqwalreceiver)/],
  ['ICU', 'ICU', /^libicu/],
  ['OpenSSL', 'OpenSSL', /^lib(?:crypto|ssl)\./],
  ['OSSP uuid', 'ISC', /^libossp-uuid\./],
  ['liblzma', 'LicenseRef-public-domain', /^liblzma\./],
  ['libxml2', 'MIT', /^libxml2\./],
  ['libxslt', 'MIT', /^libxslt\./],
  ['zlib', 'Zlib', /^libz\./],
];

/**
 * Packages whose license is not compatible, or not stated. In a choice, one compatible license is
 * enough.
 */
export function incompatible(licenses: readonly Licensed[]): readonly Licensed[] {
  return licenses.filter(({ license }) => {
    const parts = license.replaceAll(/[()]/g, '').split(' AND ');
    return !parts.every((part) => part.split(' OR ').some((one) => compatible.has(one)));
  });
}

type Locked = {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
};

/** The packages that production installs, of every platform, from the lockfile. */
export function gatewayLicenses(): readonly Licensed[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version, license = '' }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license, place: 'gateway' as const };
    });
}

type Bundled = {
  readonly name: string;
  readonly version: string;
  readonly identifier?: string | null;
  readonly text?: string;
};

/** The packages in the built console, from the list that its build writes. */
export function consoleLicenses(): readonly Licensed[] {
  const list = join(root, 'console', 'dist', 'licenses.json');
  if (!existsSync(list)) throw new Error('the console is not built: npm run console');
  const bundled = JSON.parse(readFileSync(list, 'utf8')) as readonly Bundled[];
  return bundled.map(({ name, version, identifier, text = '' }) => {
    return { name, version, license: identifier ?? '', place: 'console' as const, text };
  });
}

/** Everything that is shipped, by name, each version once. */
export function shippedLicenses(): readonly Licensed[] {
  const all = [...consoleLicenses(), ...gatewayLicenses()];
  const byName = new Map(all.map((one) => [`${one.name}@${one.version} ${one.place}`, one]));
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The page `THIRD_PARTY_LICENSES.md` of a release. */
export function licensePage(licenses: readonly Licensed[]): string {
  const rows = licenses.map(
    ({ name, version, license, place }) => `| ${name} | ${version} | ${license} | ${place} |`,
  );
  const texts = licenses
    .filter(({ text }) => text !== undefined && text !== '')
    .map(({ name, version, text = '' }) => `### ${name} ${version}\n\n${text.trim()}\n`);
  return `# Licenses of third parties

Oja is licensed under the Apache License 2.0. It uses the packages below under their own licenses.
Packages of the gateway are installed beside it, each with its license. Node.js, where Oja brings it,
is such a package, and lists there what it contains. The code of the console's packages is in
\`console/dist\`; their licenses follow the tables.

The image is built on another one, which brings Debian and Node.js: each of Debian's packages has
its license in \`/usr/share/doc/*/copyright\`, and Node.js is under the MIT License.

| Package | Version | License | Used by |
|---|---|---|---|
${rows.join('\n')}

## Programs in the packages of PostgreSQL

| Program | License |
|---|---|
${inPostgres.map(([name, license]) => `| ${name} | ${license} |`).join('\n')}

## Packages in the console

${texts.join('\n')}`;
}
