/** What went to the API and what came back, as a program sees it. */
import type { ReactNode } from 'react';
import type { Output } from '../../../api/operations.ts';
import { Hint } from '../../../widgets/notes.tsx';
import { Columns, Panel, Stack } from '../../../widgets/page.tsx';
import styles from './exchange.module.css';

type Tried = Output<'deposit.try'>;

const TAKEN_MAX = 299;

export function isTaken({ answer }: Tried): boolean {
  return answer.status <= TAKEN_MAX;
}

/** What a new merchant meets first: it has no play money yet. */
export function isEmpty({ answer }: Tried): boolean {
  return answer.body.includes('Insufficient wallet balance');
}

/** `taken`: what is said where the API did it. */
export function Exchange({
  tried,
  taken,
  acts,
}: {
  readonly tried: Tried;
  readonly taken: string;
  readonly acts?: ReactNode;
}) {
  const { request, answer } = tried;
  return (
    <>
      <div role="status">
        <Hint tone={isTaken(tried) ? 'good' : 'bad'}>
          The API answered {answer.status} after {answer.took_ms} ms.{' '}
          {isTaken(tried) ? taken : 'Its body says why.'}
        </Hint>
      </div>
      <Columns>
        <Panel title="The request" note="The secret goes along as X-Merchant-Secret, and is not shown.">
          <Message head={`${request.method} ${request.path}`} headers={request.headers} body={request.body} />
        </Panel>
        <Panel title="The answer" acts={isTaken(tried) ? acts : undefined}>
          <Message head={`HTTP ${answer.status}`} headers={answer.headers} body={answer.body} />
        </Panel>
      </Columns>
    </>
  );
}

function Message({
  head,
  headers,
  body,
}: {
  readonly head: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys. */}
      <pre className={styles.message} tabIndex={0}>
        {[head, ...lines, '', readable(body)].join('\n')}
      </pre>
    </Stack>
  );
}

/** JSON with its lines; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
