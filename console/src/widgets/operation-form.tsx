/**
 * The form of an operation, made from its schema. It shows the input fields, a review before money
 * moves or an irreversible change, and the result. Errors of fields are shown at the fields.
 *
 * Guarantee: an operation that moves money has one idempotency key for each form, so a repeated
 * submission takes effect once.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { isRefusal } from '../api/call.ts';
import type { DescribedOperation } from '../api/described-operation.ts';
import { type Approval, type Done, submitOperation } from '../api/run.ts';
import { useSession } from '../api/session.ts';
import { words } from '../design/format.ts';
import { AnswerView } from './answer-view.tsx';
import { Button } from './button.tsx';
import { Copyable } from './copy.tsx';
import { useEnvironment } from './environment.ts';
import { Form, FormActions } from './field.tsx';
import { approvalPath, Go } from './go.tsx';
import { Hint, Trouble } from './notes.tsx';
import { OperationField } from './operation-field.tsx';
import {
  type FormShape,
  formFields,
  inputOf,
  isRequired,
  kindOf,
  labelOf,
  reviewText,
  startOf,
  type Typed,
  typedFaults,
} from './operation-fields.ts';
import { Facts, Stack } from './page.tsx';
import { TaskView } from './task-view.tsx';
import { useToast } from './toasts.tsx';

export function OperationForm({
  operation,
  shape,
  onDone,
  onWaiting,
  onHeld,
  onClose,
}: {
  readonly operation: DescribedOperation;
  readonly shape: FormShape;
  /** Called when a secret is shown that is shown only once. */
  readonly onHeld?: (() => void) | undefined;
  readonly onDone?: ((output: unknown) => void) | undefined;
  /** Called when it waits for a second person. */
  readonly onWaiting?: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const { given = {}, labels = {}, verb } = shape;
  const isPortal = useSession()?.face === 'portal';
  const names = formFields(operation, shape, isPortal);
  const environment = useEnvironment();
  const [typed, setTyped] = useState<Typed>(() => ({
    ...startsOf(operation, names),
    ...(!isPortal && names.includes('environment') && { environment }),
    ...shape.start,
  }));
  const [isReviewing, setIsReviewing] = useState(false);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [unfit, setUnfit] = useState<Readonly<Record<string, string>>>({});
  const [unread, setUnread] = useState<Readonly<Record<string, string>>>({});
  const [sentShare, setSentShare] = useState<number>();
  const [key] = useState(() => crypto.randomUUID());
  const submitter = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const say = useToast();
  const input = {
    ...('key' in operation.input.properties && { key }),
    ...given,
    ...inputOf(operation, typed, { start: shape.start, given }),
  };
  const sent = useMutation({
    mutationFn: () => submitOperation(operation.name, input, setSentShare),
    onSuccess: (done) => {
      if (operation.kind !== 'question') void queries.invalidateQueries();
      if (done.kind === 'waiting') onWaiting?.();
      if (done.kind !== 'done') return;
      if (operation.showsSecret) onHeld?.();
      onDone?.(done.output);
      if (shape.done === undefined) return;
      say(done.repeated ? `${shape.done} It was already done; nothing changed.` : shape.done);
      onClose();
    },
    onError: () => setIsReviewing(false),
    onSettled: () => setSentShare(undefined),
  });
  const isGrave = shape.review ?? (operation.movesMoney || operation.confirm !== false);
  if (sent.data !== undefined && (sent.data.kind !== 'done' || shape.done === undefined)) {
    return <Outcome done={sent.data} showsSecret={operation.showsSecret} onClose={onClose} />;
  }
  const isNeeded = (name: string) => isRequired(operation, name) || shape.needed?.includes(name) === true;
  const refused = isRefusal(sent.error) ? sent.error.fields : new Map<string, string>();
  const faults = new Map([
    ...refused,
    ...missing.map((name) => [name, 'Required.'] as const),
    ...Object.entries(unread),
    ...Object.entries(unfit),
  ]);
  const isElsewhere = sent.error !== null && ![...refused.keys()].some((name) => names.includes(name));
  const submit = () => {
    const empty = names.filter((name) => isNeeded(name) && typed[name] === '');
    setMissing(empty);
    const faulty = typedFaults(operation, typed, given);
    setUnread(faulty);
    if (empty.length > 0 || Object.keys(faulty).length > 0 || Object.keys(unfit).length > 0) return;
    if (!isGrave || isReviewing) return sent.mutate();
    setIsReviewing(true);
    // The review replaces the fields, including the focused element.
    submitter.current?.focus();
  };
  return (
    <Form onSubmit={submit} label={verb}>
      {isReviewing ? (
        <Review operation={operation} input={input} typed={typed} names={names} shape={shape} />
      ) : (
        names.map((name) => {
          const schema = operation.input.properties[name];
          return schema === undefined ? null : (
            <OperationField
              key={name}
              label={labels[name] ?? labelOf(name)}
              schema={schema}
              value={typed[name] ?? ''}
              error={faults.get(name)}
              isRequired={isNeeded(name)}
              onValue={(value, fault) => {
                setTyped((all) => ({ ...all, [name]: value }));
                setUnfit(({ [name]: _, ...all }) => (fault === undefined ? all : { ...all, [name]: fault }));
              }}
            />
          );
        })
      )}
      {operation.needsApproval ? (
        <Hint>Above your limit, this needs the approval of a second person.</Hint>
      ) : null}
      {isElsewhere ? <Trouble error={sent.error} /> : null}
      <FormActions>
        <Button onClick={isReviewing ? () => setIsReviewing(false) : onClose}>
          {isReviewing ? 'Back' : 'Cancel'}
        </Button>
        <Button
          ref={submitter}
          type="submit"
          look="main"
          busy={sent.isPending ? sendingText(sentShare) : undefined}
        >
          {isGrave && !isReviewing ? 'Review' : verb}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Returns the label while sending, with the progress of a long input. */
function sendingText(share: number | undefined): string {
  return share === undefined || share === 1 ? 'Sending…' : `Sending… ${Math.floor(share * 100)} %`;
}

function startsOf(operation: DescribedOperation, names: readonly string[]): Typed {
  return Object.fromEntries(
    names.map((name) => {
      const schema = operation.input.properties[name];
      return [name, schema === undefined ? '' : startOf(schema)];
    }),
  );
}

/** Shows the parsed input and the confirmation question before submission. */
function Review({
  operation,
  input,
  typed,
  names,
  shape: { given = {}, labels = {}, about = {} },
}: {
  readonly operation: DescribedOperation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly typed: Typed;
  readonly names: readonly string[];
  readonly shape: FormShape;
}) {
  const said = names.filter((name) => typed[name] !== '' && typed[name] !== false);
  const values = [
    ...Object.entries(about),
    ...Object.entries(given).map(
      ([name, value]) => [labelOf(name), reviewText(operation, name, value, input)] as const,
    ),
    ...said.map((name) => {
      const schema = operation.input.properties[name] ?? {};
      const isSecret = schema.writeOnly === true;
      const isNumber = kindOf(schema) === 'amount' || kindOf(schema) === 'number';
      const value = isNumber ? reviewText(operation, name, input[name], input) : shown(typed[name] ?? '');
      return [labels[name] ?? labelOf(name), isSecret ? 'Hidden' : value] as const;
    }),
  ];
  return (
    <Stack>
      <Hint tone="wait">
        {typeof operation.confirm === 'string'
          ? operation.confirm
          : 'This takes effect immediately and can’t be undone.'}
      </Hint>
      <AnswerView value={Object.fromEntries(values)} />
    </Stack>
  );
}

const SHOWN_MAX = 400;

function shown(value: string | boolean): string | boolean {
  if (typeof value === 'boolean' || value.length <= SHOWN_MAX) return value;
  return `${value.slice(0, SHOWN_MAX)}… (${value.length} characters)`;
}

function Outcome({
  done,
  showsSecret,
  onClose,
}: {
  readonly done: Done;
  readonly showsSecret: boolean;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Stack>
      {done.kind === 'waiting' ? <Waiting approval={done.approval} /> : null}
      {done.kind === 'started' ? <TaskView id={done.task.id} /> : null}
      {showsSecret && done.kind === 'done' ? (
        <Hint tone="wait">Shown only once and not stored. Copy it now.</Hint>
      ) : null}
      {done.kind === 'done' && showsSecret ? <Secrets output={done.output} /> : null}
      {done.kind === 'done' && !showsSecret ? <AnswerView value={done.output} /> : null}
      <FormActions>
        <Button look="main" onClick={onClose}>
          {showsSecret && done.kind === 'done' ? 'Close: I have saved it' : 'Close'}
        </Button>
      </FormActions>
    </Stack>
  );
}

const secretNames = /(?:^|_)(?:secret|key|token|link|pin|password|code|codes)$/;

/** Shows secrets first, with copy buttons, and the rest of the output below. */
function Secrets({ output }: { readonly output: unknown }) {
  const entries = Object.entries(Object(output) as Record<string, unknown>);
  const secrets = entries.filter(
    (entry): entry is [string, string] => secretNames.test(entry[0]) && typeof entry[1] === 'string',
  );
  const rest = entries.filter(([name]) => !secrets.some(([one]) => one === name));
  return (
    <>
      {secrets.length === 0 ? null : (
        <Facts
          facts={secrets.map(([name, value]) => {
            const title = words(name);
            return [title, <Copyable key={name} value={value} name={title.toLowerCase()} />];
          })}
        />
      )}
      {rest.length === 0 ? null : <AnswerView value={Object.fromEntries(rest)} />}
    </>
  );
}

function Waiting({ approval }: { readonly approval: Approval }) {
  return (
    <Hint tone="wait">
      Not done yet: a second person must approve this request.{' '}
      <Go to={approvalPath(approval.id)}>Open request</Go>
    </Hint>
  );
}
