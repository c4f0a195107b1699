/**
 * `npm run release`: makes everything that a publisher needs, in `dist/`. The same commit gives the
 * same bytes, except the image. `--no-image` leaves the image out.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage } from './image.ts';
import { licensePage, shippedLicenses } from './licenses.ts';
import { packageFolders, readManifest } from './manifest.ts';
import { phpPackage } from './php-package.ts';
import { releaseNotes } from './release-notes.ts';
import { root, run } from './run.ts';
import { billOfMaterials } from './sbom.ts';
import { packPackage } from './stage-package.ts';
import { zip } from './zip.ts';

const target = join(root, 'dist');
const { name, version } = readManifest('.');
const madeAt = Number(process.env.SOURCE_DATE_EPOCH ?? run('git', ['log', '-1', '--format=%ct']));

if (run('git', ['status', '--porcelain']) !== '')
  console.log('Files are changed that no commit has: nobody else can make the same release.');
// Archives bear the modes of files.
process.umask(0o022);
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
run('npm', ['run', 'build', '-w', 'sdk']);
run('npm', ['run', 'console']);

const licenses = licensePage(shippedLicenses());
for (const folder of packageFolders()) {
  const extra = new Map(folder === '.' ? [['THIRD_PARTY_LICENSES.md', licenses]] : []);
  packPackage(folder, target, extra);
}
write(`oja-client-php-${version}.zip`, phpPackage(version));
write(`oja-collections-${version}.zip`, collections());
write('THIRD_PARTY_LICENSES.md', licenses);
write(`${name}-${version}.cdx.json`, billOfMaterials(madeAt));
write('RELEASE_NOTES.md', releaseNotes(version));
const files = readdirSync(target).sort();
write('SHA256SUMS', files.map((file) => `${digest(file)}  ${file}\n`).join(''));
for (const file of readdirSync(target).sort()) console.log(`${digest(file).slice(0, 12)}  ${file}`);

if (!process.argv.includes('--no-image')) {
  const archive = `${name}-${version}-image.tar`;
  const { built, said } = buildImage(`${name}:${version}`, join(target, archive), madeAt);
  if (built)
    write('SHA256SUMS', `${readFileSync(join(target, 'SHA256SUMS'))}${digest(archive)}  ${archive}\n`);
  console.log(built ? `${archive}: ${said}` : `The image is not built: ${said}`);
}

/** The files for Postman and the folder for Bruno. */
function collections(): Buffer {
  run('npm', ['run', 'collection']);
  const filesIn = (folder: string, pattern: string, name: string): [string, Buffer][] =>
    globSync(pattern, { cwd: join(root, folder) }).map((path) => {
      return [`${name}/${path}`, readFileSync(join(root, folder, path))];
    });
  return zip(
    new Map([
      ...filesIn('console/public', '*.json', 'postman'),
      ...filesIn('sdk/bruno', '**/*.{bru,json}', 'bruno'),
    ]),
  );
}

function write(file: string, content: string | Buffer): void {
  writeFileSync(join(target, file), content);
}

function digest(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(target, file)))
    .digest('hex');
}
