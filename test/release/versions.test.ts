/** The version and the notes of a release. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { packageFolders } from '../../release/manifest.ts';
import { newestSection, releaseNotes } from '../../release/release-notes.ts';
import { statedVersions } from '../../release/versions.ts';

describe('the version', () => {
  it('the version is the same in every place that states it', () => {
    const stated = statedVersions();
    const [first] = stated;
    assert.ok(first);
    assert.deepEqual(
      stated.filter(({ version }) => version !== first.version),
      [],
    );
    const places = new Set(stated.map(({ file }) => file));
    for (const file of ['package.json', 'package-lock.json', 'sdk/package.json', 'sdk/src/version.ts'])
      assert.ok(places.has(file), file);
    for (const folder of packageFolders()) assert.ok(places.has(join(folder, 'package.json')), folder);
  });

  it('the version is that of the newest section of the changelog, once that is released', () => {
    const { heading, text } = newestSection();
    const [{ version } = { version: '' }] = statedVersions();
    assert.match(heading, /^(?:Unreleased: \d+\.\d+\.\d+|\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\))$/);
    if (!heading.startsWith('Unreleased')) assert.equal(heading.split(' ')[0], version);
    assert.ok(text.length > 100);
  });

  it('notes have no broken links outside the project', () => {
    for (const [, target = ''] of releaseNotes('1.0.0').matchAll(/\]\(([^)]+)\)/g))
      assert.match(target, /^https:\/\/.+\/v1\.0\.0\//);
  });
});
