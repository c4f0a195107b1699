/** The address by which somebody signs in. */
import { TextField } from '../../widgets/field.tsx';
import { faultAt } from './use-sending.ts';

export function EmailField({
  email,
  error,
  onEmail,
}: {
  readonly email: string;
  /** What came back when it was sent. */
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
