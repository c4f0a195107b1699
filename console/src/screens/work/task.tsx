/** One piece of long work: how far it is, what it answered, and starting it again. */
import { useParams } from '@tanstack/react-router';
import type { OperationName } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { AnswerView } from '../../widgets/answer-view.tsx';
import { Hint, Trouble } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { TaskView } from '../../widgets/task-view.tsx';

export function TaskScreen() {
  const { task: id = '' } = useParams({ strict: false });
  const { data: task, error } = useAnswer('task.show', { task: id });
  if (error !== null) {
    return (
      <Page title="Long work">
        <Trouble error={error} />
      </Page>
    );
  }
  const mayRepeat = task?.is_whole && task.state !== 'running';
  return (
    <Page
      title={task === undefined ? 'Long work' : words(task.operation)}
      acts={
        mayRepeat ? (
          <Act
            name={task.operation as OperationName}
            verb="Start it again"
            look="main"
            given={task.input}
            fields={[]}
          />
        ) : undefined
      }
    >
      <Panel title="Where it stands">
        <TaskView id={id} />
      </Panel>
      {task === undefined || Object.keys(task.input).length === 0 ? null : (
        <Panel title="What it was started with">
          <AnswerView value={task.input} />
        </Panel>
      )}
      {task?.is_whole === false ? (
        <Hint>Its file is not kept: to run it again, start it where it was started, with the file.</Hint>
      ) : null}
    </Page>
  );
}
