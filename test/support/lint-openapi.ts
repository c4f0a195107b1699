/** The recommended rules of the two common linters of OpenAPI documents. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

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

/** Each gives what it found, a line a finding. */
export const linters: Readonly<Record<string, (source: object) => Promise<string[]>>> = { redocly, spectral };
