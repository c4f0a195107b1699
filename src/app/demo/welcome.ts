/**
 * The output of `npm start` for a new user: addresses, the credentials, and a first purchase to
 * paste.
 */
import { join } from 'node:path';
import type { DemoCredentials } from './seed-demo.ts';

export function welcome(
  url: string,
  settings: {
    readonly dataDir: string;
    readonly metricsHost: string;
    readonly metricsPort: number;
    readonly areGuidesBuilt: boolean;
  },
  demo: { readonly credentials: DemoCredentials; readonly simulatorUrl: string },
  audienceLines: string,
): string {
  const { merchant, test, live } = demo.credentials;
  return reachable(`
${audienceLines}  Documentation   ${url}/docs
  Guides          ${guides(url, settings.areGuidesBuilt)}
  OpenAPI         ${url}/openapi.json
  Health          ${url}/v1/healthz
  For agents      ${url}/mcp   (the Model Context Protocol; docs/merchants/mcp.md)
  Metrics         http://${settings.metricsHost}:${settings.metricsPort}/metrics
  Deliveries      ${demo.simulatorUrl}/books   (what the simulated provider delivered to live purchases)

  Merchant        ${merchant}
  Test key        ${test.key}
  Test secret     ${test.secret}
  Live key        ${live.key}
  Live secret     ${live.secret}
  on file in      ${join(settings.dataDir, 'credentials.json')}

  A first purchase:

  curl -s ${url}/v1/transactions/airtime/sync -H 'X-Merchant-Key: ${test.key}' -H 'X-Merchant-Secret: ${test.secret}' -H 'Content-Type: application/json' -d '{"merchant":"${merchant}","msisdn":"08031234567","network":"mtn","amount":"100","request_ref":"first-'$(date +%s)'"}'

`);
}

function guides(url: string, areBuilt: boolean): string {
  return areBuilt
    ? `${url}/guides/   (docs/, as a site)`
    : 'the folder docs/; as a site: npm ci --prefix site && npm run build --prefix site';
}

/**
 * Replaces the address with this machine's name if a server listens on every address, as in a
 * container.
 */
function reachable(text: string): string {
  return text.replaceAll('//0.0.0.0:', '//127.0.0.1:').replaceAll('//[::]:', '//[::1]:');
}
