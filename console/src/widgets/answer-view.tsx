/** Shows any output of an operation: facts, tables, times and files. */
import type { ReactNode } from 'react';
import { words } from '../design/format.ts';
import styles from './answer-view.module.css';
import { Copyable } from './copy.tsx';
import { DataTable } from './data-table.tsx';
import { FileView, isFile } from './file-view.tsx';
import { Empty } from './notes.tsx';
import { Facts, Stack } from './page.tsx';
import { Nothing, Time } from './values.tsx';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const REFERENCE = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{20,}|[0-9a-f]{40,})$/;
const LONG_TEXT = 300;

type Row = Readonly<Record<string, unknown>>;

export function AnswerView({ value, name = 'answer' }: { readonly value: unknown; readonly name?: string }) {
  if (Array.isArray(value)) return <ListView value={value} name={name} />;
  if (typeof value !== 'object' || value === null) return <p>{shortView(value)}</p>;
  if (isFile(value)) {
    const { content: _, ...facts } = value;
    return (
      <Stack>
        <FileView file={value} />
        <AnswerView value={facts} name={name} />
      </Stack>
    );
  }
  const entries = Object.entries(value);
  const long = entries.filter(([, one]) => isLong(one));
  const short = entries.filter(([, one]) => !isLong(one));
  return (
    <Stack>
      {short.length === 0 ? null : (
        <Facts facts={short.map(([key, one]) => [words(key), shortView(one)] as const)} />
      )}
      {long.map(([key, one]) => (
        <section key={key} aria-label={words(key)}>
          <h3>{words(key)}</h3>
          <AnswerView value={one} name={words(key)} />
        </section>
      ))}
    </Stack>
  );
}

function isLong(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => typeof one === 'object') || value.length > 8;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function ListView({ value, name }: { readonly value: readonly unknown[]; readonly name: string }) {
  const [first] = value;
  if (first === undefined) return <Empty title={`No ${name.toLowerCase()}.`} />;
  if (typeof first !== 'object' || first === null) {
    const isText = value.every((one) => typeof one === 'string');
    return isText ? (
      <pre className={styles.lines}>{value.join('\n')}</pre>
    ) : (
      <p>{value.map(String).join(', ')}</p>
    );
  }
  const rows = value as readonly Row[];
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <DataTable
      caption={name}
      rows={rows}
      keyOf={(row, index) => String(row.id ?? index)}
      columns={keys.map((key) => ({ head: words(key), cell: (row: Row) => shortView(row[key]) }))}
    />
  );
}

function shortView(value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return <Nothing />;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return <span className="figures">{value}</span>;
  if (typeof value === 'string') return textView(value);
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.map(String).join(', ');
  if (Array.isArray(value)) {
    // biome-ignore lint/suspicious/noArrayIndexKey: the answer of an operation does not change its order.
    return value.map((one, index) => <div key={index}>{shortView(one)}</div>);
  }
  if (Object.keys(value as object).length === 0) return <Nothing />;
  return <Inline value={value as Row} />;
}

function textView(value: string): ReactNode {
  if (TIME.test(value)) return <Time at={value} />;
  if (REFERENCE.test(value)) return <Copyable value={value} name="value" />;
  if (value.length > LONG_TEXT || value.includes('\n')) return <pre className={styles.lines}>{value}</pre>;
  return value;
}

/** Shows an object in a cell as names and values on one line. */
function Inline({ value }: { readonly value: Row }) {
  return (
    <span className={styles.inline}>
      {Object.entries(value).map(([key, one]) => (
        <span key={key}>
          <span className={styles.name}>{words(key)}</span> {shortView(one)}
        </span>
      ))}
    </span>
  );
}
