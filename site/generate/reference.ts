/** The API reference: a page for each operation of the OpenAPI document. */
import type { Section } from './contents.ts';
import { isOpen, listRoutes, type OpenApi, type Response, type Route, resolve } from './document.ts';
import { answerTable, bodyTables, parameterDescription, table } from './fields.ts';
import { firstSentence, type Page } from './page.ts';
import { type Methods, type Sample, sampleOf } from './samples.ts';

export type ReferencePage = Page & { readonly route: Route; readonly sample: Sample };

export type Reference = {
  readonly pages: readonly ReferencePage[];
  readonly index: Page;
  readonly sections: readonly Section[];
};

const source = 'openapi.json';

/** The recorded answer to the request of each operation. */
export type Answers = Readonly<Record<string, unknown>>;

export function makeReference(document: OpenApi, methods: Methods, answers: Answers): Reference {
  const pages = listRoutes(document).map((route) => pageOf(document, route, methods, answers));
  const sections = document.tags.map(({ name }) => ({
    label: name,
    collapsed: false,
    items: pages
      .filter(({ route }) => route.operation.tags[0] === name)
      .map(({ title, slug }) => ({ label: title, slug })),
  }));
  return { pages, index: indexOf(document, pages), sections };
}

function pageOf(document: OpenApi, route: Route, methods: Methods, answers: Answers): ReferencePage {
  const { operation } = route;
  const sample = sampleOf(route, methods);
  const parts = [
    signature(route),
    operation.description,
    '## Request',
    samplesOf(sample),
    parametersOf(route),
    bodyOf(document, route),
    '## Answer',
    answerOf(document, route, answers[operation.operationId]),
    '## When it is refused',
    refusalsOf(document, route),
  ];
  return {
    slug: `reference/${kebab(operation.operationId)}`,
    source,
    title: operation.summary,
    description: firstSentence(operation.description),
    body: parts.filter((part) => part !== '').join('\n\n'),
    route,
    sample,
  };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function signature({ method, path }: Route): string {
  return `\`${method.toUpperCase()} ${path}\``;
}

/** The three languages, one after the other. The site shows them as tabs. */
function samplesOf({ curl, typescript, php }: Sample): string {
  const block = (title: string, language: string, code: string): string =>
    `**${title}**\n\n\`\`\`${language}\n${code}\n\`\`\``;
  return [block('curl', 'sh', curl), block('TypeScript', 'ts', typescript), block('PHP', 'php', php)].join(
    '\n\n',
  );
}

function parametersOf({ operation: { parameters = [] } }: Route): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, schema, description }) => [
    `\`${name}\``,
    `${place}, ${required ? 'required' : 'optional'}`,
    parameterDescription(schema, description),
  ]);
  return `## Parameters\n\n${table(['Name', '', 'Must be'], rows)}`;
}

function bodyOf(document: OpenApi, { operation: { requestBody } }: Route): string {
  const media = requestBody?.content['application/json'];
  if (media === undefined) return '';
  const other = Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json');
  const also = other.length === 0 ? '' : `\n\nIt may be sent as \`${other.join('`, `')}\` too.`;
  return `## Body\n\n${bodyTables(document, media.schema)}${also}`;
}

/** The recorded answer first; without one the first example. Other outcomes are folded. */
function answerOf(document: OpenApi, { operation }: Route, recorded: unknown): string {
  const { description, content = {} } = resolve(document, operation.responses['200'] as Response);
  const media = content['application/json'];
  if (media === undefined) return `${description} It is \`${Object.keys(content).join('`, `')}\`.`;
  const examples = Object.values(media.examples ?? {});
  const shown = recorded ?? examples[0]?.value;
  const others = examples.slice(recorded === undefined ? 1 : 0);
  const members = answerTable(document, media.schema);
  return [
    description,
    shown === undefined ? '' : json(shown),
    ...others.map(({ summary, value }) => folded(`Example: ${summary}`, json(value))),
    members === '' ? '' : folded('Every member of the answer', members),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function folded(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function refusalsOf(document: OpenApi, { operation }: Route): string {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => [status, resolve(document, response as Response).description]);
  return `${table(['Status', 'Means'], rows)}\n\nWhat to do about each: [errors](/merchants/errors/).`;
}

function indexOf(document: OpenApi, pages: readonly ReferencePage[]): Page {
  const lists = document.tags.map(({ name, description }) => {
    const rows = pages
      .filter(({ route }) => route.operation.tags[0] === name)
      .map(({ title, slug, route }) => [
        `[${title}](/${slug}/)`,
        signature(route),
        isOpen(route.operation) ? 'no credentials' : '',
      ]);
    return `## ${name}\n\n${description}\n\n${table(['', 'Request', ''], rows)}`;
  });
  const intro = `Every request of the API, with an example in curl, TypeScript and PHP. It is made from the
gateway's own description, [openapi.json](/openapi.json), which each gateway also serves at
\`/openapi.json\`.

\`$OJA\` in the examples is the address of the gateway; \`$KEY\` and \`$SECRET\` are a credential
([quick start](/merchants/quick-start/)). Amounts are naira in strings.`;
  return {
    slug: 'reference',
    source,
    title: 'API reference',
    description: firstSentence(intro),
    body: [intro, ...lists].join('\n\n'),
  };
}
