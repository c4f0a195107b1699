/** A background task: its progress, its result, and starting it again. */
import { useParams } from '@tanstack/react-router';
import type { OperationName } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { AnswerView } from '../../widgets/answer-view.tsx';
import { Hint, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { TaskView } from '../../widgets/task-view.tsx';

export function TaskScreen() {
  const { task: id = '' } = useParams({ strict: false });
  const { data: task, error } = useAnswer('task.show', { task: id });
  if (error !== null) {
    return (
      <Page title="Background task">
        <Trouble error={error} />
      </Page>
    );
  }
  const mayRepeat = task?.is_whole && task.state !== 'running';
  return (
    <Page
      title={task === undefined ? 'Background task' : words(task.operation)}
      actions={
        mayRepeat ? (
          <OperationButton
            name={task.operation as OperationName}
            verb="Start again"
            look="main"
            given={task.input}
            fields={[]}
          />
        ) : undefined
      }
    >
      <Panel title="Status">
        <TaskView id={id} />
      </Panel>
      {task === undefined || Object.keys(task.input).length === 0 ? null : (
        <Panel title="Input">
          <AnswerView value={task.input} />
        </Panel>
      )}
      {task?.is_whole === false ? (
        <Hint>The file is not stored. To run the task again, start it with the file.</Hint>
      ) : null}
    </Page>
  );
}
