/** The whole document: OpenAPI 3.1 from the routes there are. Pure. */

import { storyFamilies, testStories } from '../../../products/test-stories.ts';
import { headerComponents } from './describe-answers.ts';
import { describeOperation } from './describe-operation.ts';
import { describeWebhooks } from './describe-webhooks.ts';
import type { DocumentedRoute } from './documented-route.ts';
import { type Json, memberOf } from './json.ts';
import { nameResponses } from './name-responses.ts';
import { nameSchemas } from './name-schemas.ts';

const description =
  'Airtime, data, bills, gift cards and eSIMs over one API. Amounts are naira in strings.\n\n' +
  'A purchase is `success` (00), `failed` (01) or `pending` (02); a failed purchase is HTTP 200. After a 500 query ' +
  'the status of the purchase, do not send it again. After a 503 nothing was stored: send it again.\n\n' +
  'Requests are described in one canonical form. Other names of fields, named in their descriptions, and any letter ' +
  'case of words are accepted too. A member that is null, and an optional value that is empty, are as good as ' +
  'absent.\n\n' +
  'Every path can also answer 405 to another method, and before the path is known 408, 417 or 431; each has the ' +
  'body `Error`.';

const tags = [
  { name: 'Transactions', description: 'Purchases: create, look up, list; and who a bill is for.' },
  { name: 'Plans', description: 'What is on sale.' },
  { name: 'Gift cards', description: 'Digital gift cards: what is on sale, at what price, and orders.' },
  { name: 'eSIM', description: 'Travel eSIMs: what is on sale, at what price, and orders.' },
  { name: 'Wallet', description: 'What purchases are paid from.' },
  { name: 'Events', description: 'What has happened: a feed to ask, and endpoints that are called.' },
  {
    name: 'Test',
    description: `For test credentials: the clock of test purchases, and deposits.${stories()}`,
  },
  { name: 'Health', description: 'For load balancers.' },
];

/** What a merchant can have happen, by the end of what it buys for. */
function stories(): string {
  const lines = [
    ...testStories.map(({ id, text }) => `- \`${id}\`: ${text}`),
    ...storyFamilies.map(({ digit, text }) => `- \`${digit}nn\`: ${text}`),
  ];
  return (
    '\n\nThree digits say what happens to a test purchase: `08000000nnn`, `10000000nnn`, `TESTBETnnn`, and ' +
    `\`oja-nnn-\` at the beginning of the \`request_id\` of an order.\n\n${lines.join('\n')}`
  );
}

const securitySchemes = {
  merchantKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Merchant-Key',
    description: 'The key of a credential: oja_test_… or oja_live_….',
  },
  merchantSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Merchant-Secret',
    description: 'Its secret, shown once when it was issued.',
  },
};

/** `docsUrl` is where the guides are, if they are anywhere. */
export function makeDocument(
  routes: readonly DocumentedRoute[],
  version: string,
  docsUrl: string | undefined,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  const { value, schemas } = nameSchemas({ paths, webhooks: describeWebhooks() });
  const named = nameResponses(memberOf(value, 'paths'));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oja',
      version,
      summary: 'A prepaid vending gateway',
      description,
      contact: { name: 'Your account manager at the operator of this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    ...(docsUrl !== undefined && {
      externalDocs: { url: docsUrl, description: 'Guides: first purchase, going live, webhooks, errors' },
    }),
    servers: [{ url: '/', description: 'This gateway' }],
    // Both at once.
    security: [{ merchantKey: [], merchantSecret: [] }],
    tags,
    paths: named.paths,
    webhooks: value.webhooks,
    components: { schemas, responses: named.responses, headers: headerComponents, securitySchemes },
  };
}
