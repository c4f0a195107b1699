/** The field of the e-mail address to sign in with. */
import { TextField } from '../../widgets/field.tsx';
import { faultAt } from './use-sending.ts';

export function EmailField({
  email,
  error,
  onEmail,
}: {
  readonly email: string;
  /** The error of the last submission. */
  readonly error: unknown;
  readonly onEmail: (email: string) => void;
}) {
  return (
    <TextField
      label="E-mail address"
      type="email"
      autoComplete="username"
      value={email}
      error={faultAt(error, 'email')}
      onChange={(event) => onEmail(event.target.value)}
    />
  );
}
