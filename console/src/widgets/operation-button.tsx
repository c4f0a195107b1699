/** A button that opens the form of an operation, for users who may run it. */
import { type ReactNode, useState } from 'react';
import { useDescribed } from '../api/described.ts';
import type { OperationName } from '../api/operations.ts';
import { useAnswer } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import { words } from '../design/format.ts';
import { AnswerView } from './answer-view.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Loading, Trouble } from './notes.tsx';
import { type FormShape, formFields } from './operation-fields.ts';
import { OperationForm } from './operation-form.tsx';

export type OperationButtonProps = Omit<FormShape, 'verb'> & {
  readonly name: OperationName;
  /** The label of the button. */
  readonly verb: string;
  /** The title of the dialog. Default: the verb. */
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly onDone?: (output: unknown) => void;
  /** Called when its dialog opens or closes. */
  readonly onOpenChange?: (isOpen: boolean) => void;
};

/** Renders nothing for users who may not run the operation. */
export function OperationButton({ name, verb, look = 'plain', onOpenChange, ...rest }: OperationButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const may = useMay();
  // Read before the dialog opens, so that its first field is there to take the focus.
  useDescribed();
  const change = (next: boolean) => {
    setIsOpen(next);
    onOpenChange?.(next);
  };
  if (!may(name)) return null;
  return (
    <>
      <Button look={look} aria-haspopup="dialog" onClick={() => change(true)}>
        {verb}
      </Button>
      {isOpen ? <OperationDialog {...rest} name={name} verb={verb} onClose={() => change(false)} /> : null}
    </>
  );
}

function OperationDialog({
  name,
  verb,
  title,
  lead,
  onClose,
  onDone,
  ...shape
}: OperationButtonProps & { readonly onClose: () => void }) {
  const operation = useDescribed()?.get(name);
  const isPortal = useSession()?.face === 'portal';
  const [isHeld, setIsHeld] = useState(false);
  const isQuestion = operation?.kind === 'question';
  const isComplete =
    isQuestion && !operation.showsSecret && formFields(operation, shape, isPortal).length === 0;
  const isWide = isQuestion || operation?.showsSecret === true || shape.done === undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title ?? verb}
      lead={lead ?? (operation === undefined ? undefined : sentence(operation.summary))}
      wide={isWide}
      held={isHeld}
    >
      {operation === undefined ? (
        <Loading what="the form" />
      ) : isComplete ? (
        <QuestionAnswer name={name} given={shape.given ?? {}} />
      ) : (
        <OperationForm
          operation={operation}
          shape={{ ...shape, verb }}
          onClose={onClose}
          onDone={onDone}
          onHeld={() => setIsHeld(true)}
        />
      )}
    </Dialog>
  );
}

/** The answer to a question without an input. */
function QuestionAnswer({
  name,
  given,
}: {
  readonly name: OperationName;
  readonly given: Readonly<Record<string, unknown>>;
}) {
  const { data, error, refetch } = useAnswer(name, given);
  if (error !== null) return <Trouble error={error} again={() => void refetch()} />;
  return data === undefined ? <Loading what="the results" /> : <AnswerView value={data} />;
}

/** Returns the roles that may run an operation, such as "finance or admin". */
export function useRolesOf(name: OperationName): string {
  const roles = useDescribed()?.get(name)?.roles ?? [];
  return roles.join(' or ');
}

export function sentence(summary: string): string {
  return `${words(summary.slice(0, 1))}${summary.slice(1)}.`;
}
