/** Fields of forms, with label, hint and error. */
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  useId,
} from 'react';
import styles from './field.module.css';

type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
};

type Wiring = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
};

export function Field({
  label,
  hint,
  error,
  isOptional = false,
  children,
}: FieldProps & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const describedBy = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((one) => one !== '')
    .join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isOptional ? <span className={styles.optional}> (optional)</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  isOptional,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      {(wiring) => <input {...rest} {...wiring} className={styles.input} />}
    </Field>
  );
}

export function LongField({
  label,
  hint,
  error,
  isOptional,
  rows = 3,
  isOneLine = false,
  value,
  onText,
  required,
}: FieldProps & {
  readonly rows?: number;
  /** The text has no line breaks, so Enter submits the form. */
  readonly isOneLine?: boolean;
  readonly value: string;
  readonly required?: boolean;
  readonly onText: (text: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      {(wiring) => (
        <textarea
          {...wiring}
          rows={rows}
          required={required}
          autoComplete="off"
          enterKeyHint={isOneLine ? 'go' : undefined}
          value={value}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={isOneLine ? submitByEnter : undefined}
          className={styles.input}
        />
      )}
    </Field>
  );
}

function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

export type Choice = { readonly value: string; readonly name: string };

export function SelectField({
  label,
  hint,
  error,
  isOptional,
  choices,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement> & { readonly choices: readonly Choice[] }) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional ?? false}>
      {(wiring) => (
        <select {...rest} {...wiring} className={styles.input}>
          {choices.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  ...rest
}: { readonly label: string; readonly hint?: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <div>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {hint === undefined ? null : (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

export function Form({
  onSubmit,
  label,
  children,
}: {
  readonly onSubmit: () => void;
  readonly label?: string;
  readonly children: ReactNode;
}) {
  return (
    <form
      className={styles.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
