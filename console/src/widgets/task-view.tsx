/** A background task: its progress, or its result. */
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { countText, words } from '../design/format.ts';
import { AnswerView } from './answer-view.tsx';
import { Go, taskPath } from './go.tsx';
import { Hint, Loading, Trouble } from './notes.tsx';
import { Facts, Stack } from './page.tsx';
import { Nothing, State, Time } from './values.tsx';

const RUNNING_REFRESH_MS = 1_500;

export type Progress = { readonly step: string; readonly done: number; readonly unit: string } | null;

export function progressText(progress: Progress): string {
  if (progress === null) return 'Not reported yet';
  return `${words(progress.step)}: ${countText(progress.done)} ${progress.unit}`;
}

export function TaskView({
  id,
  show,
}: {
  readonly id: string;
  /** Shows the output. Default: `AnswerView`. */
  readonly show?: (output: unknown) => ReactNode;
}) {
  const first = useAnswer('task.show', { task: id });
  const isRunning = first.data?.state === 'running';
  const { data, error, refetch } = useAnswer(
    'task.show',
    { task: id },
    isRunning ? { refreshMs: RUNNING_REFRESH_MS } : {},
  );
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />;
  if (data === undefined) return <Loading what="the task" />;
  return (
    <Stack>
      {data.state === 'running' ? (
        <Hint tone="wait">
          The task continues when you leave this page. You can find it{' '}
          <Go to={taskPath(id)}>on its own page</Go> and under Needs attention.
        </Hint>
      ) : null}
      <div role="status">
        <Facts
          facts={[
            ['State', <State key="s" state={data.state} />],
            isRunning ? ['Progress', progressText(data.progress)] : undefined,
            ['Started', <Time key="t" at={data.started_at} near />],
            ['By', data.started_by],
            ['Ended', <Time key="e" at={data.ended_at} near />],
            data.error === null ? undefined : ['Reason', words(data.error)],
          ]}
        />
      </div>
      {data.state === 'done' ? (show?.(data.output) ?? <Answer output={data.output} />) : null}
    </Stack>
  );
}

function Answer({ output }: { readonly output: unknown }) {
  if (output === null || output === undefined) return <p>The result was too large to store.</p>;
  return (
    <section aria-label="Result">
      <h3>Result</h3>
      {typeof output === 'object' ? <AnswerView value={output} /> : <Nothing />}
    </section>
  );
}
