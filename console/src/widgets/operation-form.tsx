/**
 * The form of an operation, made from its schema: asks, shows once more what moves money or cannot
 * be undone, sends, and tells what came of it. What is wrong with a field is said at the field.
 *
 * The key of what moves money is minted with the form and kept: sent again, it is done once.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isRefusal } from '../api/call.ts';
import type { DescribedOperation } from '../api/described-operation.ts';
import { type Approval, act, type Done } from '../api/run.ts';
import { useSession } from '../api/session.ts';
import { words } from '../design/format.ts';
import { AnswerView } from './answer-view.tsx';
import { Button } from './button.tsx';
import { Copyable } from './copy.tsx';
import { Form, FormActs } from './field.tsx';
import { approvalPath, Go } from './go.tsx';
import { Hint, Trouble } from './notes.tsx';
import { OperationField } from './operation-field.tsx';
import {
  askedFields,
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

export type FormShape = {
  /** What the form knows already, and does not ask. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** What the fields begin with. */
  readonly start?: Typed;
  /** These alone are asked for, in this order. */
  readonly fields?: readonly string[];
  /** These are needed here, although the operation does without. */
  readonly needed?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** What it is about, as people know it: shown once more before it is done. */
  readonly about?: Readonly<Record<string, string>>;
  /** What the button says. */
  readonly verb: string;
  /** What is said when it was done; without, its answer is shown. */
  readonly done?: string | undefined;
};

export function OperationForm({
  operation,
  shape,
  onDone,
  onHeld,
  onClose,
}: {
  readonly operation: DescribedOperation;
  readonly shape: FormShape;
  /** Called when a secret is shown that is shown only once. */
  readonly onHeld?: (() => void) | undefined;
  readonly onDone?: ((output: unknown) => void) | undefined;
  readonly onClose: () => void;
}) {
  const { given = {}, labels = {}, verb } = shape;
  const isPortal = useSession()?.face === 'portal';
  const known = [...Object.keys(given), ...(isPortal ? operation.notAtPortal : [])];
  const names = shape.fields ?? askedFields(operation, known);
  const [typed, setTyped] = useState<Typed>(() => ({ ...startsOf(operation, names), ...shape.start }));
  const [isChecked, setIsChecked] = useState(false);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [unfit, setUnfit] = useState<Readonly<Record<string, string>>>({});
  const [unread, setUnread] = useState<Readonly<Record<string, string>>>({});
  const [sentShare, setSentShare] = useState<number>();
  const [key] = useState(() => crypto.randomUUID());
  const queries = useQueryClient();
  const say = useToast();
  const input = {
    ...given,
    ...inputOf(operation, typed, { start: shape.start, given }),
    ...('key' in operation.input.properties && { key }),
  };
  const sent = useMutation({
    mutationFn: () => act(operation.name, input, setSentShare),
    onSuccess: (done) => {
      if (operation.kind !== 'question') void queries.invalidateQueries();
      if (done.kind !== 'done') return;
      if (operation.showsSecret) onHeld?.();
      onDone?.(done.output);
      if (shape.done === undefined) return;
      say(done.repeated ? `${shape.done} It had been done before: nothing was done twice.` : shape.done);
      onClose();
    },
    onError: () => setIsChecked(false),
    onSettled: () => setSentShare(undefined),
  });
  const isGrave = operation.movesMoney || operation.confirm !== false;
  if (sent.data !== undefined && (sent.data.kind !== 'done' || shape.done === undefined)) {
    return <Outcome done={sent.data} showsSecret={operation.showsSecret} onClose={onClose} />;
  }
  const isNeeded = (name: string) => isRequired(operation, name) || shape.needed?.includes(name) === true;
  const refused = isRefusal(sent.error) ? sent.error.fields : new Map<string, string>();
  const faults = new Map([
    ...refused,
    ...missing.map((name) => [name, 'This is needed.'] as const),
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
    if (isGrave && !isChecked) setIsChecked(true);
    else sent.mutate();
  };
  return (
    <Form onSubmit={submit} label={verb}>
      {isChecked ? (
        <Check operation={operation} input={input} typed={typed} names={names} shape={shape} />
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
        <Hint>Where it is too much for one person alone, it waits until a second one has approved it.</Hint>
      ) : null}
      {isElsewhere ? <Trouble error={sent.error} /> : null}
      <FormActs>
        <Button onClick={isChecked ? () => setIsChecked(false) : onClose}>
          {isChecked ? 'Back' : 'Cancel'}
        </Button>
        <Button type="submit" look="main" busy={sent.isPending ? sendingText(verb, sentShare) : undefined}>
          {isGrave && !isChecked ? 'Check it' : verb}
        </Button>
      </FormActs>
    </Form>
  );
}

/** Of what takes a moment to send, how far it is. */
function sendingText(verb: string, share: number | undefined): string {
  return share === undefined || share === 1
    ? `${verb}: sending…`
    : `${verb}: ${Math.floor(share * 100)} % is sent…`;
}

function startsOf(operation: DescribedOperation, names: readonly string[]): Typed {
  return Object.fromEntries(
    names.map((name) => {
      const schema = operation.input.properties[name];
      return [name, schema === undefined ? '' : startOf(schema)];
    }),
  );
}

/** Once more, before it is done: what was understood, and the question. */
function Check({
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
      return [labels[name] ?? labelOf(name), isSecret ? 'Not shown' : value] as const;
    }),
  ];
  return (
    <Stack>
      <Hint tone="wait">
        {typeof operation.confirm === 'string'
          ? operation.confirm
          : 'Read it once more: it is done at once, and cannot be taken back here.'}
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
        <Hint tone="wait">It is shown this once, and kept nowhere. Copy what you need now.</Hint>
      ) : null}
      {done.kind === 'done' && showsSecret ? <Secrets output={done.output} /> : null}
      {done.kind === 'done' && !showsSecret ? <AnswerView value={done.output} /> : null}
      <FormActs>
        <Button look="main" onClick={onClose}>
          Close
        </Button>
      </FormActs>
    </Stack>
  );
}

const secretNames = /(?:^|_)(?:secret|key|token|link|pin|password|code|codes)$/;

/** What is shown once stands first and can be copied; the rest of the answer stands below. */
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
      It is not done yet: a second person must approve it.{' '}
      <Go to={approvalPath(approval.id)}>See what waits</Go>
    </Hint>
  );
}
