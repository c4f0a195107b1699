/**
 * The OpenAPI document under the recommended rules of the two common linters, without one error or
 * warning. `test/e2e/documents.test.ts` holds the document of a running gateway equal to this one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { readDocument } from '../support/api-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: it is spoilt below, by path
const document: any = await readDocument();

/** The same with a fault in each of some places: what no linter finds, no linter looks for. */
function spoilt(): typeof document {
  const copy = structuredClone(document);
  const { get } = copy.paths['/v1/wallet/balance'];
  delete get.operationId;
  get.responses['200'].content['application/json'].examples.prepaid.value.state = 'fine';
  return copy;
}

async function redocly(source: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const problems = await lintFromString({
    source: JSON.stringify(source),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`);
}

async function spectral(source: object): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']], rules: {} });
  const problems = await linter.run(JSON.stringify(source));
  return problems.map(({ code, message, path: place }) => `${code} ${message} ${place.join('/')}`);
}

for (const [name, lint] of Object.entries({ redocly, spectral })) {
  describe(`the recommended rules of ${name}`, () => {
    it('find nothing', async () => {
      assert.deepEqual(await lint(document), []);
    });

    it('would find a missing id and an untrue example', async () => {
      const found = (await lint(spoilt())).join('\n');
      assert.match(found, /operation-operationId /);
      assert.match(found, /media(?:-type)?-example.*examples\/prepaid/);
    });
  });
}
