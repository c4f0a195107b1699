/**
 * A file as a field of a form: its text, or its bytes in base 64 if the schema says so. A file that
 * is too large or of another type is refused before it is sent.
 */
import { useRef } from 'react';
import type { FieldSchema } from '../api/described-operation.ts';
import styles from './field.module.css';
import { Field } from './field.tsx';

/** Four characters of base 64 hold three bytes. */
const BYTES_PER_CHARACTER = 0.75;

export function FileField({
  schema,
  onText,
  ...shared
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly isOptional: boolean;
  readonly schema: FieldSchema;
  /** With an error, nothing can be sent yet. */
  readonly onText: (text: string, fault?: string) => void;
}) {
  const chosen = useRef<File>(undefined);
  const hint = shared.hint ?? 'A file';
  const choose = async (file: File | undefined): Promise<void> => {
    chosen.current = file;
    if (file === undefined) return onText('');
    if (!isFit(file, schema)) return onText('', `Must be ${hint.charAt(0).toLowerCase()}${hint.slice(1)}.`);
    onText('', 'Reading the file…');
    const text = await readFile(file, schema).catch(() => undefined);
    // Another file may have been chosen meanwhile.
    if (chosen.current !== file) return;
    if (text === undefined) onText('', 'The file could not be read. Choose it again.');
    else onText(text);
  };
  return (
    <Field {...shared} hint={hint}>
      {(wiring) => (
        <input
          {...wiring}
          type="file"
          accept={schema.contentMediaType}
          className={styles.input}
          onChange={(event) => void choose(event.target.files?.[0])}
        />
      )}
    </Field>
  );
}

/** Checks the properties that the browser knows. The server checks the bytes. */
function isFit({ size, type }: File, { contentEncoding, contentMediaType, maxLength }: FieldSchema): boolean {
  const bytesMax =
    (maxLength ?? Number.POSITIVE_INFINITY) * (contentEncoding === undefined ? 1 : BYTES_PER_CHARACTER);
  const kinds = contentMediaType?.split(', ');
  return size <= bytesMax && (kinds === undefined || type === '' || kinds.includes(type));
}

function readFile(file: File, { contentEncoding }: FieldSchema): Promise<string> {
  if (contentEncoding === undefined) return file.text();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
  // After the comma of `data:image/png;base64,…`. An empty file has none.
  reader.onload = () => resolve(String(reader.result).split(',', 2)[1] ?? '');
  reader.readAsDataURL(file);
  return promise;
}
