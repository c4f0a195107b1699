/** A value with a button that copies it. */
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy.module.css';
import { useToast } from './toasts.tsx';
import { Code } from './values.tsx';

/** How long the button shows that it copied. */
const SAID_MS = 2_000;

/** `name` is the name of the value, such as "secret". */
export function CopyButton({
  value,
  name,
  look = 'quiet',
}: {
  readonly value: string;
  readonly name: string;
  readonly look?: 'plain' | 'quiet';
}) {
  const [isCopied, setIsCopied] = useState(false);
  const say = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), SAID_MS);
    } catch {
      say(`Copying was not allowed. Select and copy the ${name}.`, 'wait');
    }
  };
  return (
    <Button look={look} aria-label={`Copy the ${name}`} onClick={() => void copy()} data-screen-only>
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}

export function Copyable({
  value,
  name,
  children,
}: {
  readonly value: string;
  readonly name: string;
  readonly children?: ReactNode;
}) {
  return (
    <span className={styles.copyable}>
      <Code>{children ?? value}</Code>
      <CopyButton value={value} name={name} />
    </span>
  );
}
