/** Long work as it stands: how far it is or, once it has ended, what came of it. */
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

export function farText(progress: Progress): string {
  if (progress === null) return 'It has not said yet.';
  return `${words(progress.step)}: ${countText(progress.done)} ${progress.unit}`;
}

export function TaskView({
  id,
  show,
}: {
  readonly id: string;
  /** How its answer is shown; without, as any answer is. */
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
  if (data === undefined) return <Loading what="how far it is" />;
  return (
    <Stack>
      {data.state === 'running' ? (
        <Hint tone="wait">
          It goes on in the gateway. You may leave: it is found again at <Go to={taskPath(id)}>its page</Go>,
          which the work queue lists.
        </Hint>
      ) : null}
      <div role="status">
        <Facts
          facts={[
            ['State', <State key="s" state={data.state} />],
            ['How far', farText(data.progress)],
            ['Started', <Time key="t" at={data.started_at} near />],
            ['By', data.started_by],
            ['Ended', <Time key="e" at={data.ended_at} near />],
            data.error === null ? undefined : ['Why', words(data.error)],
          ]}
        />
      </div>
      {data.state === 'done' ? (show?.(data.output) ?? <Answer output={data.output} />) : null}
    </Stack>
  );
}

function Answer({ output }: { readonly output: unknown }) {
  if (output === null || output === undefined) return <p>What it answered was too much to be kept.</p>;
  return (
    <section aria-label="What it answered">
      <h3>What it answered</h3>
      {typeof output === 'object' ? <AnswerView value={output} /> : <Nothing />}
    </section>
  );
}
