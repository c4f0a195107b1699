/** `npm run set-version -- 1.2.3`: states the version in every place, and dates the changelog. */
import { setVersion, statedVersions } from './versions.ts';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  console.error('usage: npm run set-version -- 1.2.3');
  process.exit(2);
}
setVersion(version, new Date().toISOString().slice(0, 10));
for (const { file } of statedVersions()) console.log(file);
