/** Plays a Postman collection: sends its requests in their order, and runs their scripts. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 500;

type Item = {
  readonly name: string;
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw: string };
    readonly url: {
      readonly path: readonly string[];
      readonly query?: readonly {
        readonly key: string;
        readonly value: string;
        readonly disabled?: boolean;
      }[];
      readonly variable?: readonly { readonly key: string; readonly value: string }[];
    };
  };
};

export type Collection = {
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
};

/** What a check of a script found. */
export type Checked = { readonly request: string; readonly check: string; readonly failure?: string };

/**
 * Returns the checks of all scripts. `given` are the variables of the environment, over those of
 * the collection. A look-up that fails is repeated up to `looks` times.
 */
export async function playCollection(
  collection: Collection,
  given: Readonly<Record<string, string>>,
  looks = 0,
): Promise<readonly Checked[]> {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  for (const [name, value] of Object.entries(given)) variables.set(name, value);
  const fill = (text: string): string =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return randomUUID();
      if (name === '$timestamp') return String(Math.floor(Date.now() / 1_000));
      const value = variables.get(name);
      if (value === undefined) throw new Error(`no variable is called ${name}`);
      return value;
    });
  const checks: Checked[] = [];
  for (const folder of collection.item) {
    for (const item of folder.item) {
      const play = async (): Promise<readonly Checked[]> => {
        const answer = await send(item, fill);
        return runScript(`${folder.name} / ${item.name}`, item, { ...answer, variables });
      };
      let found = await play();
      // A person tries again when the result is not there yet.
      for (let again = 0; item.request.method === 'GET' && again < looks && hasFailed(found); again += 1) {
        await sleep(LOOK_MS);
        found = await play();
      }
      checks.push(...found);
    }
  }
  return checks;
}

function hasFailed(checks: readonly Checked[]): boolean {
  return checks.some(({ failure }) => failure !== undefined);
}

async function send({ request }: Item, fill: (text: string) => string) {
  const { path, query = [], variable = [] } = request.url;
  const values = new Map(variable.map(({ key, value }) => [`:${key}`, value]));
  const sent = query.filter(({ disabled }) => disabled !== true);
  const url = new URL(
    path.map((part) => encodeURIComponent(fill(values.get(part) ?? part))).join('/'),
    `${fill('{{base_url}}')}/`,
  );
  for (const { key, value } of sent) url.searchParams.set(key, fill(value));
  const answer = await fetch(url, {
    method: request.method,
    headers: request.header.map(({ key, value }) => [key, fill(value)] as [string, string]),
    ...(request.body !== undefined && { body: fill(request.body.raw) }),
  });
  return { status: answer.status, text: await answer.text() };
}

type Answer = {
  readonly status: number;
  readonly text: string;
  readonly variables: Map<string, string>;
};

/** The part of Postman's `pm` that the scripts use. */
function runScript(request: string, item: Item, { status, text, variables }: Answer): readonly Checked[] {
  const checks: Checked[] = [];
  const pm = {
    test(check: string, run: () => void): void {
      try {
        run();
        checks.push({ request, check });
      } catch (error) {
        checks.push({ request, check, failure: String(error) });
      }
    },
    response: {
      json: (): unknown => JSON.parse(text),
      to: {
        have: {
          status(expected: number): void {
            if (status !== expected) throw new Error(`${status}: ${text.slice(0, 300)}`);
          },
        },
      },
    },
    collectionVariables: { set: (name: string, value: string): unknown => variables.set(name, value) },
  };
  try {
    for (const { script } of item.event) runInNewContext(script.exec.join('\n'), { pm });
  } catch (error) {
    checks.push({ request, check: 'the script runs', failure: String(error) });
  }
  return checks;
}
