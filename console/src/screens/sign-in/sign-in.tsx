/**
 * Signs in with the demo's single-use link, with a password and a second factor, or with a passkey,
 * which replaces both.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { backPath } from '../../api/back.ts';
import { call } from '../../api/call.ts';
import { hasPasskeys, signInByPasskey } from '../../api/passkeys.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Form, FormActions, TextField } from '../../widgets/field.tsx';
import { Hint, Loading } from '../../widgets/notes.tsx';
import { Door } from './door.tsx';
import { EmailField } from './email-field.tsx';
import { Enrol } from './enrol.tsx';
import { takeToken } from './take-token.ts';
import { errorText, faultAt, useSending } from './use-sending.ts';

export type Next = 'code' | 'enrol' | 'done';

export function nextOf(body: unknown): Next {
  return (body as { readonly data?: { readonly next?: Next } })?.data?.next ?? 'done';
}

export function SignIn() {
  const queries = useQueryClient();
  const router = useRouter();
  const [step, setStep] = useState<Next | 'password' | 'link'>(firstStep);
  const enter = () => {
    queries.clear();
    router.history.push(backPath());
  };
  const go = (next: Next) => {
    rememberStep(next);
    if (next === 'done') enter();
    else setStep(next);
  };
  const restart = () => {
    rememberStep('done');
    setStep('password');
  };
  switch (step) {
    case 'link':
      return <ByLink onNext={go} onOver={() => setStep('password')} />;
    case 'code':
      return <SecondFactor onDone={() => go('done')} onBack={restart} />;
    case 'enrol':
      return <Enrol onDone={() => go('done')} />;
    default:
      return <Password onNext={go} />;
  }
}

/** Remembers the step, so that a reload does not lose the half-open session. */
const STEP_KEY = 'oja-sign-in';

export function rememberStep(next: Next): void {
  if (next === 'done') sessionStorage.removeItem(STEP_KEY);
  else sessionStorage.setItem(STEP_KEY, next);
}

function firstStep(): Next | 'password' | 'link' {
  if (location.hash.includes('token=')) return 'link';
  const kept = sessionStorage.getItem(STEP_KEY);
  return kept === 'code' || kept === 'enrol' ? kept : 'password';
}

function ByLink({ onNext, onOver }: { readonly onNext: (next: Next) => void; readonly onOver: () => void }) {
  const [isOver, setIsOver] = useState(false);
  const isSent = useRef(false);
  useEffect(() => {
    // The link works once, so it is sent once although React may run effects twice.
    if (isSent.current) return;
    isSent.current = true;
    call('/api/sign-in/link', { token: takeToken() })
      .then(({ body }) => onNext(nextOf(body)))
      .catch(() => setIsOver(true));
  });
  if (!isOver) return <Door title="Signing in">{<Loading what="your session" />}</Door>;
  return (
    <Door title="This link has expired" lead="It works once, for a short time.">
      <Hint>
        Create a new link on the gateway’s machine, or sign in with your e-mail address and password.
      </Hint>
      <Button look="main" onClick={onOver}>
        Sign in with a password
      </Button>
    </Door>
  );
}

function Password({ onNext }: { readonly onNext: (next: Next) => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { error, isBusy, send } = useSending();
  const submit = async () => onNext(nextOf((await call('/api/sign-in', { email, password })).body));
  const byPasskey = async () => {
    await signInByPasskey();
    onNext('done');
  };
  return (
    <Door title="Sign in">
      <Form onSubmit={() => void send(submit)} label="Sign in">
        <EmailField email={email} error={error} onEmail={setEmail} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={faultAt(error, 'password')}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Refused error={error} />
        <FormActions>
          {hasPasskeys() ? (
            <Button look="quiet" onClick={() => void send(byPasskey)}>
              Use a passkey
            </Button>
          ) : null}
          <Button type="submit" look="main" busy={isBusy ? 'Signing in…' : undefined}>
            Sign in
          </Button>
        </FormActions>
      </Form>
      <div>
        <LinkButton to="/forgotten" look="quiet">
          Forgot password?
        </LinkButton>
      </div>
    </Door>
  );
}

export function Refused({ error }: { readonly error: unknown }) {
  const message = errorText(error);
  return message === undefined ? null : (
    <div role="alert">
      <Hint tone="bad">{message}</Hint>
    </div>
  );
}

function SecondFactor({ onDone, onBack }: { readonly onDone: () => void; readonly onBack: () => void }) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [code, setCode] = useState('');
  const { error, isBusy, send } = useSending();
  const submit = async () => {
    const given = code.trim();
    await call(
      '/api/sign-in/code',
      isRecovery ? { recovery_code: given } : { code: given.replaceAll(' ', '') },
    );
    onDone();
  };
  const byPasskey = async () => {
    await signInByPasskey();
    onDone();
  };
  return (
    <Door
      title="Two-factor authentication"
      lead={
        isRecovery
          ? 'Enter one of your recovery codes. Each works once.'
          : 'Enter the 6-digit code of your authenticator.'
      }
    >
      <Form onSubmit={() => void send(submit)} label="Two-factor authentication">
        <TextField
          label={isRecovery ? 'Recovery code' : 'Code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          value={code}
          error={faultAt(error, isRecovery ? 'recovery_code' : 'code')}
          onChange={(event) => setCode(event.target.value)}
        />
        <Refused error={error} />
        <FormActions>
          {hasPasskeys() ? (
            <Button look="quiet" onClick={() => void send(byPasskey)}>
              Use a passkey
            </Button>
          ) : null}
          <Button look="quiet" onClick={() => setIsRecovery(!isRecovery)}>
            {isRecovery ? 'Use authenticator' : 'Use recovery code'}
          </Button>
          <Button type="submit" look="main" busy={isBusy ? 'Checking…' : undefined}>
            Continue
          </Button>
        </FormActions>
      </Form>
      <div>
        <Button look="quiet" onClick={onBack}>
          Use another account
        </Button>
      </div>
    </Door>
  );
}
