/**
 * A list as a file. It says how many rows have come while they come, can be stopped, and says at
 * the end how many the file has. What was cut off is not kept.
 */
import { useRef, useState } from 'react';
import { askStepUp } from '../api/call.ts';
import { countText } from '../design/format.ts';
import styles from './button.module.css';
import { countRows } from './count-rows.ts';
import { useToast } from './toasts.tsx';

export function Download({ href, children }: { readonly href: string; readonly children: string }) {
  const [rows, setRows] = useState<number>();
  const stopping = useRef<AbortController>(undefined);
  const say = useToast();
  const fetchAll = async () => {
    const controller = new AbortController();
    stopping.current = controller;
    setRows(0);
    try {
      const ask = () => fetch(href, { credentials: 'same-origin', signal: controller.signal });
      let answer = await ask();
      if (answer.status === 403 && (await needsStepUp(answer.clone())) && (await askStepUp())) {
        answer = await ask();
      }
      if (!answer.ok || answer.body === null) throw new Error(await messageOf(answer));
      const counter = countRows();
      const counted = answer.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, stream) {
            setRows(counter(chunk));
            stream.enqueue(chunk);
          },
        }),
      );
      const file = await new Response(counted).blob();
      const isText = answer.headers.get('content-type')?.startsWith('text/plain') ?? false;
      const written = counter(new Uint8Array()) - (isText ? 0 : 1);
      save(file, answer);
      const max = Number(answer.headers.get('x-rows-max') ?? Number.POSITIVE_INFINITY);
      const isCut = written > max;
      const rest = isCut ? ' The list goes on: ask for less at once.' : ' That is all of it.';
      say(
        `${countText(isCut ? written - 1 : written)} ${isText ? 'lines' : 'rows'} were written.${rest}`,
        isCut ? 'wait' : 'good',
      );
    } catch (error) {
      const why = controller.signal.aborted ? 'You stopped it.' : reasonOf(error);
      say(`No file was written. ${why}`, 'wait');
    } finally {
      setRows(undefined);
    }
  };
  if (rows !== undefined) {
    return (
      <button
        type="button"
        className={`${styles.button} ${styles.plain}`}
        onClick={() => stopping.current?.abort()}
        data-screen-only
      >
        {countText(rows)} rows so far: stop
      </button>
    );
  }
  return (
    <a
      href={href}
      download
      className={`${styles.button} ${styles.plain}`}
      data-screen-only
      onClick={(event) => {
        event.preventDefault();
        void fetchAll();
      }}
    >
      {children}
    </a>
  );
}

function save(file: Blob, answer: Response): void {
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'list.csv';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function needsStepUp(answer: Response): Promise<boolean> {
  const body = (await answer.json().catch(() => undefined)) as { error?: { code?: string } } | undefined;
  return body?.error?.code === 'step_up_needed';
}

async function messageOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  return body?.error?.message ?? 'The gateway refused it.';
}

function reasonOf(error: unknown): string {
  const isOurs = error instanceof Error && error.name === 'Error';
  return isOurs ? error.message : 'The connection broke, or the session ended: try again.';
}
