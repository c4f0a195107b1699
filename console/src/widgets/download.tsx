/**
 * Downloads a list as a file. Shows the rows so far, can be stopped, and reports the number of rows
 * at the end. An incomplete file is not saved.
 */
import { useRef, useState } from 'react';
import { requestStepUp } from '../api/call.ts';
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
      const request = () => fetch(href, { credentials: 'same-origin', signal: controller.signal });
      let answer = await request();
      if (answer.status === 403 && (await needsStepUp(answer.clone())) && (await requestStepUp())) {
        answer = await request();
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
      const rest = isCut ? ' The list continues. Narrow the filters.' : '';
      say(
        `Downloaded ${countText(isCut ? written - 1 : written)} ${isText ? 'lines' : 'rows'}.${rest}`,
        isCut ? 'wait' : 'good',
      );
    } catch (error) {
      const why = controller.signal.aborted ? 'You stopped the download.' : reasonOf(error);
      say(`No file was saved. ${why}`, 'wait');
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
        {countText(rows)} rows. Stop
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
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function needsStepUp(answer: Response): Promise<boolean> {
  const body = (await answer.json().catch(() => undefined)) as { error?: { code?: string } } | undefined;
  return body?.error?.code === 'step_up_needed';
}

async function messageOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  return body?.error?.message ?? 'The gateway refused the request.';
}

function reasonOf(error: unknown): string {
  const isOurs = error instanceof Error && error.name === 'Error';
  return isOurs ? error.message : 'The connection was lost or the session ended. Try again.';
}
