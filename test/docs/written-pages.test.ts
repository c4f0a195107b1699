/** The operator's pages that scripts generate from the code are current. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { replaceWritten } from '../support/replace-written.ts';
import { readMetricsPage, withMetrics } from '../support/write-metrics.ts';
import {
  explainedSettings,
  readSettingsPage,
  settingNames,
  withSettings,
} from '../support/write-settings.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'providers');
const providerPages = readdirSync(folder)
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

describe('the pages that are written from the code', () => {
  it('the pages have every metric and job, as npm run metrics writes them', () => {
    const text = readMetricsPage();
    assert.equal(text, withMetrics(text));
  });

  it('the pages have every setting, as npm run settings writes them', () => {
    const text = readSettingsPage();
    assert.equal(text, withSettings(text));
  });

  it('the pages explain each setting of the gateway, here or on the page of its provider', () => {
    const explained = explainedSettings();
    assert.equal(new Set(explained).size, explained.length);
    const names = settingNames();
    assert.deepEqual(
      explained.filter((name) => !names.has(name)),
      [],
    );
    const missing = [...names].filter((name) => !explained.includes(name));
    assert.deepEqual(
      missing.filter((name) => !providerPages.includes(`\`${name}\``)),
      [],
    );
  });

  it('detects an outdated table', () => {
    const page = (content: string): string =>
      `# A\n\n<!-- Written from the code: x. -->\n\n${content}\n\n<!-- The end of x. -->\n`;
    assert.equal(replaceWritten(page('old'), 'x', 'new'), page('new'));
    assert.throws(() => replaceWritten('# A\n', 'x', 'new'));
  });
});
