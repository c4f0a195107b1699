/** A field of an operation's form, chosen by its schema. */
import type { FieldSchema } from '../api/described-operation.ts';
import { words } from '../design/format.ts';
import styles from './field.module.css';
import { CheckField, LongField, SelectField, TextField } from './field.tsx';
import { FileField } from './file-field.tsx';
import { hintOf, isOneLine, kindOf } from './operation-fields.ts';

type FieldValue = string | boolean;

export function OperationField({
  label,
  schema,
  value,
  error,
  isRequired,
  onValue,
}: {
  readonly label: string;
  readonly schema: FieldSchema;
  readonly value: FieldValue;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  /** With an error, the value must not be sent. */
  readonly onValue: (value: FieldValue, fault?: string) => void;
}) {
  const kind = kindOf(schema);
  const shared = { label, hint: hintOf(schema), error, isOptional: !isRequired };
  const text = String(value);
  switch (kind) {
    case 'yes_no':
      return (
        <CheckField
          label={label}
          hint={hintOf(schema)}
          checked={value === true}
          onChange={(event) => onValue(event.target.checked)}
        />
      );
    case 'choice': {
      const none = isRequired && text !== '' ? [] : [{ value: '', name: isRequired ? 'Choose…' : 'Not set' }];
      const choices = (schema.enum ?? []).map((one) => ({ value: one, name: words(one) }));
      return (
        <SelectField
          {...shared}
          choices={[...none, ...choices]}
          value={text}
          onChange={(event) => onValue(event.target.value)}
        />
      );
    }
    case 'choices':
      return <ChoicesField {...shared} choices={schema.items?.enum ?? []} value={text} onText={onValue} />;
    case 'long':
    case 'json':
      return <LongField {...shared} isOneLine={isOneLine(schema)} value={text} onText={onValue} />;
    case 'secrets':
      return <SecretsField label={label} error={error} value={text} onText={onValue} />;
    case 'file':
      return <FileField {...shared} schema={schema} onText={onValue} />;
    default:
      return (
        <TextField
          {...shared}
          {...inputTypes[kind]}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onValue(event.target.value)}
        />
      );
  }
}

const inputTypes = {
  number: { inputMode: 'numeric' },
  amount: { inputMode: 'decimal', placeholder: '0.00' },
  day: { type: 'date' },
  list: { placeholder: 'separated by commas' },
  text: {},
} as const;

/** One checkbox for each choice. */
function ChoicesField({
  label,
  error,
  choices,
  value,
  onText,
}: {
  readonly label: string;
  readonly error: string | undefined;
  readonly choices: readonly string[];
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  const chosen = value.split(',').filter((one) => one !== '');
  const toggle = (one: string) =>
    onText((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join(','));
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{label}</legend>
      {choices.map((one) => (
        <CheckField
          key={one}
          label={words(one)}
          checked={chosen.includes(one)}
          onChange={() => toggle(one)}
        />
      ))}
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}

/** One password field for each name of the initial value. */
function SecretsField({
  label,
  error,
  value,
  onText,
}: {
  readonly label: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  const pairs = value.split('\n').map((line) => /^([^:]*):? ?(.*)$/.exec(line)?.slice(1) ?? [line, '']);
  const set = (place: number, typed: string) =>
    onText(pairs.map(([name, old], at) => `${name}: ${at === place ? typed : old}`).join('\n'));
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{label}</legend>
      {pairs.map(([name = '', typed = ''], place) => (
        <TextField
          key={name}
          label={name}
          type="password"
          autoComplete="new-password"
          spellCheck={false}
          value={typed}
          onChange={(event) => set(place, event.target.value)}
        />
      ))}
      <p className={styles.hint}>Empty fields stay unchanged. Values are not shown again.</p>
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}
