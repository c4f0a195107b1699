/** The recommended rules of Redocly's linter of OpenAPI documents. */
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Resolves with a line for each finding. */
export async function lintOpenapi(source: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const problems = await lintFromString({
    source: JSON.stringify(source),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`);
}
