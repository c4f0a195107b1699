/** Chooses a password after an invitation or a password reset link. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Form, FormActions, TextField } from '../../widgets/field.tsx';
import { Empty, Loading } from '../../widgets/notes.tsx';
import { Door } from './door.tsx';
import { Enrol } from './enrol.tsx';
import { nextOf, Refused, rememberStep } from './sign-in.tsx';
import { takeToken } from './take-token.ts';
import { faultAt, useSending } from './use-sending.ts';

type Looked = { readonly purpose: string; readonly email?: string; readonly name?: string };

export function Welcome() {
  const [token, setToken] = useState('');
  const [looked, setLooked] = useState<Looked>();
  const [isOver, setIsOver] = useState(false);
  const [isEnrolling, setIsEnrolling] = useState(false);
  const isSent = useRef(false);
  const queries = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    const taken = takeToken();
    setToken(taken);
    call('/api/links/look', { token: taken })
      .then(({ body }) => setLooked((body as { readonly data: Looked }).data))
      .catch(() => setIsOver(true));
  });
  const enter = () => {
    queries.clear();
    router.history.push('/');
  };
  const go = (body: unknown) => {
    const next = nextOf(body);
    if (next === 'enrol') setIsEnrolling(true);
    else if (next === 'code') {
      rememberStep(next);
      router.history.push('/sign-in');
    } else enter();
  };
  if (isEnrolling) return <Enrol onDone={enter} />;
  if (isOver) return <Over />;
  if (looked === undefined) return <Door title="Welcome">{<Loading what="the invitation" />}</Door>;
  return <Choose looked={looked} token={token} onChosen={go} />;
}

function Over() {
  return (
    <Door title="This link has expired">
      <Empty title="This link was already used or has expired.">
        Ask for a new invitation, or reset your password.
      </Empty>
      <FormActions>
        <LinkButton to="/forgotten">New password</LinkButton>
        <LinkButton to="/sign-in" look="main">
          Sign in
        </LinkButton>
      </FormActions>
    </Door>
  );
}

function Choose({
  looked,
  token,
  onChosen,
}: {
  readonly looked: Looked;
  readonly token: string;
  readonly onChosen: (body: unknown) => void;
}) {
  const isInvited = looked.purpose === 'invitation';
  const [name, setName] = useState(looked.name ?? '');
  const [password, setPassword] = useState('');
  const { error, isBusy, send } = useSending();
  const submit = async () =>
    onChosen((await call('/api/links/accept', { token, password, ...(isInvited && { name }) })).body);
  return (
    <Door title={isInvited ? 'Welcome' : 'New password'} lead={looked.email}>
      <Form onSubmit={() => void send(submit)} label="Choose a password">
        {isInvited ? (
          <TextField
            label="Your name"
            autoComplete="name"
            value={name}
            error={faultAt(error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
        ) : null}
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 15 characters. A few words are easy to remember and hard to guess."
          value={password}
          error={faultAt(error, 'password')}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Refused error={error} />
        <FormActions>
          <Button type="submit" look="main" busy={isBusy ? 'Sending…' : undefined}>
            Continue
          </Button>
        </FormActions>
      </Form>
    </Door>
  );
}
