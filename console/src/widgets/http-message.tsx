/** An HTTP message as a program sees it: its headers and its body. */
import { CopyButton } from './copy.tsx';
import styles from './http-message.module.css';
import { Stack } from './page.tsx';

export function HttpMessage({
  head,
  headers,
  body,
  name,
}: {
  readonly head?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The name of the body, for its copy button. Copies the body as it is sent. */
  readonly name: string;
}) {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  const before = [...(head === undefined ? [] : [head]), ...lines];
  return (
    <Stack>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need it to scroll. */}
      <pre className={styles.message} tabIndex={0}>
        {[...before, ...(before.length === 0 ? [] : ['']), readable(body)].join('\n')}
      </pre>
      {body === '' ? null : (
        <div>
          <CopyButton value={body} name={name} look="plain" />
        </div>
      )}
    </Stack>
  );
}

/** Indents JSON, and leaves other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
