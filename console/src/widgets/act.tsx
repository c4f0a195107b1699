/**
 * A button that opens the form of an operation, for who may run it; for who may not, the roles to
 * ask for.
 */
import { type ReactNode, useState } from 'react';
import { useDescribed } from '../api/described.ts';
import type { OperationName } from '../api/operations.ts';
import { useMay } from '../api/session.ts';
import { words } from '../design/format.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Loading } from './notes.tsx';
import { type FormShape, OperationForm } from './operation-form.tsx';

export type ActProps = Omit<FormShape, 'verb'> & {
  readonly name: OperationName;
  /** What the button says, as a verb. */
  readonly verb: string;
  /** Of the dialog; without, the verb. */
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly onDone?: (output: unknown) => void;
};

/** Nothing, for who may not. */
export function Act({ name, verb, look = 'plain', ...rest }: ActProps) {
  const [isOpen, setIsOpen] = useState(false);
  const may = useMay();
  if (!may(name)) return null;
  return (
    <>
      <Button look={look} onClick={() => setIsOpen(true)}>
        {verb}
      </Button>
      {isOpen ? <ActDialog {...rest} name={name} verb={verb} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function ActDialog({
  name,
  verb,
  title,
  lead,
  onClose,
  onDone,
  ...shape
}: ActProps & { readonly onClose: () => void }) {
  const operation = useDescribed()?.get(name);
  const isWide =
    operation?.kind === 'question' || operation?.showsSecret === true || shape.done === undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title ?? verb}
      lead={lead ?? (operation === undefined ? undefined : sentence(operation.summary))}
      wide={isWide}
    >
      {operation === undefined ? (
        <Loading what="the form" />
      ) : (
        <OperationForm operation={operation} shape={{ ...shape, verb }} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

/** Who may run it, for who may not: "finance or admin". */
export function useRolesOf(name: OperationName): string {
  const roles = useDescribed()?.get(name)?.roles ?? [];
  return roles.join(' or ');
}

export function sentence(summary: string): string {
  return `${words(summary.slice(0, 1))}${summary.slice(1)}.`;
}
