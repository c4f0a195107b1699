/**
 * Makes the bill of materials of a release in the CycloneDX format: the packages that npm installs
 * for the gateway, and those in the built console. The same lockfile gives the same text.
 */
import { createHash } from 'node:crypto';
import { shippedLicenses } from './licenses.ts';
import { packageFolders, readManifest } from './manifest.ts';
import { run } from './run.ts';

type Component = {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
};

type Bom = {
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [field: string]: unknown;
};

/** `madeAt` is the time of the release in seconds since 1970. */
export function billOfMaterials(madeAt: number): string {
  const { name, version } = readManifest('.');
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const all = JSON.parse(run('npm', ['sbom', ...options])) as Bom;
  // `--omit dev` would leave out packages that both production and development need.
  const shipped = new Set(shippedLicenses().map((one) => `${one.name}@${one.version}`));
  const own = packageFolders().map(readManifest);
  for (const one of [...own, { name: '@oja/console', version }]) shipped.add(`${one.name}@${one.version}`);
  const { serialNumber: _, ...bom } = {
    ...all,
    metadata: {
      ...all.metadata,
      timestamp: new Date(madeAt * 1_000).toISOString(),
      // npm calls it by the folder that it is in.
      component: { ...all.metadata.component, name },
    },
    components: all.components
      .filter((component) => shipped.has(component['bom-ref']))
      .map((component) => ({ ...component, properties: [] })),
    dependencies: all.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) })),
  };
  const digest = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${asUuid(digest)}` }, null, 2)}\n`;
}

/** A UUID of version 8: its bits are those of a digest. */
function asUuid(digest: string): string {
  const variant = (8 + (Number.parseInt(digest.slice(16, 17), 16) % 4)).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}
