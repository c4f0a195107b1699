/** Writes a route of the merchants' API that reads, with its line in the list and a test. */
import { addFile, camelCase, capitalized, changeFile, firstImportOf } from './files.ts';

const routes = 'src/api/routes/register-routes.ts';

export function writeRoute(root: string, name: string): readonly string[] {
  const [, area = '', word = ''] = /^([a-z]+)\/([a-z]+(?:-[a-z]+)*)$/.exec(name) ?? [];
  if (word === '') throw new Error('AREA/NAME is small letters and hyphens, such as wallet/limits');
  const id = capitalized(camelCase(`${area}-${word}`));
  const register = `register${id}Route`;
  const first = firstImportOf(root, routes);
  const list = 'export const merchantRoutes: readonly Register[] = [\n';
  const wrote = [
    addFile(root, `src/api/routes/${area}/${word}/route.ts`, routeOf(area, word, id)),
    addFile(root, `test/api/${area}-${word}.test.ts`, testOf(area, word)),
    changeFile(root, routes, first, `import { ${register} } from './${area}/${word}/route.ts';\n${first}`),
    changeFile(root, routes, list, `${list}  ${register},\n`),
  ];
  return [
    ...[...new Set(wrote)].map((path) => `wrote ${path}`),
    'To do: its answer and refusals; the method of both clients; its page in docs/merchants/; then',
    '`npm run access`, `npm run sdk-types`, `npm run collection`, `npm run record-oracle`.',
    'See docs/maintainers/adding-a-route.md.',
  ];
}

function routeOf(area: string, word: string, id: string): string {
  return `/** GET /v1/${area}/${word}: TODO. */
import { type Static, Type } from 'typebox';
import { answer } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';

const ${camelCase(`${area}-${word}`)}Answer = answer(
  '${id}Answer',
  'TODO.',
  { state: Type.Literal('ok'), result: Type.Object({ merchant: Type.String() }) },
  { found: { state: 'ok', result: { merchant: 'DEMO' } } },
);

type ${id}Answer = Static<typeof ${camelCase(`${area}-${word}`)}Answer>;

export function register${id}Route(api: Api): void {
  const schema = {
    operationId: 'get${id}',
    summary: 'TODO',
    description: 'TODO.',
    tags: ['${capitalized(area)}'],
    response: { 200: ${camelCase(`${area}-${word}`)}Answer },
  };
  api.get('/v1/${area}/${word}', { schema }, (request): ${id}Answer => {
    const { merchant } = principalOf(request);
    return { state: 'ok', result: { merchant: merchant.code } };
  });
}
`;
}

function testOf(area: string, word: string): string {
  return `/** TODO: what it answers, and what it refuses. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { buildEdge } from './harness.ts';

const edge = await buildEdge();
after(() => edge.app.close());

it('returns the merchant of the credential', async () => {
  const { statusCode, body } = await edge.send('GET', '/v1/${area}/${word}');
  assert.equal(statusCode, 200);
  assert.deepEqual(JSON.parse(body), { state: 'ok', result: { merchant: 'DEMO' } });
});

it('refuses a request without a credential', async () => {
  const { statusCode } = await edge.app.inject({ method: 'GET', url: '/v1/${area}/${word}' });
  assert.equal(statusCode, 401);
});
`;
}
