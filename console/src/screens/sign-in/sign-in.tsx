/**
 * Signing in: by the demo's one-use link, by a password and the second factor, or by a passkey,
 * which is both.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { backPath } from '../../api/back.ts';
import { call } from '../../api/call.ts';
import { hasPasskeys, signInByPasskey } from '../../api/passkeys.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Form, FormActs, TextField } from '../../widgets/field.tsx';
import { Hint, Loading } from '../../widgets/notes.tsx';
import { Door } from './door.tsx';
import { EmailField } from './email-field.tsx';
import { Enrol } from './enrol.tsx';
import { takeToken } from './take-token.ts';
import { faultAt, tellTries, useSending } from './use-sending.ts';

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
  const anew = () => {
    rememberStep('done');
    setStep('password');
  };
  switch (step) {
    case 'link':
      return <ByLink onNext={go} onOver={() => setStep('password')} />;
    case 'code':
      return <SecondFactor onDone={() => go('done')} onBack={anew} />;
    case 'enrol':
      return <Enrol onDone={() => go('done')} />;
    default:
      return <Password onNext={go} />;
  }
}

/** The page may be loaded anew while the second factor is still to come. */
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
    // A link works once: it is sent once, however often the page is drawn.
    if (isSent.current) return;
    isSent.current = true;
    call('/api/sign-in/link', { token: takeToken() })
      .then(({ body }) => onNext(nextOf(body)))
      .catch(() => setIsOver(true));
  });
  if (!isOver) return <Door title="Signing you in">{<Loading what="your session" />}</Door>;
  return (
    <Door title="The link is over" lead="It works once, and for a short time.">
      <Hint>
        Make a new one on the machine of the gateway, or sign in with your e-mail address and password.
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
        <FormActs>
          {hasPasskeys() ? (
            <Button look="quiet" onClick={() => void send(byPasskey)}>
              Use a passkey
            </Button>
          ) : null}
          <Button type="submit" look="main" busy={isBusy ? 'Signing in…' : undefined}>
            Sign in
          </Button>
        </FormActs>
      </Form>
      <div>
        <LinkButton to="/forgotten" look="quiet">
          I forgot my password
        </LinkButton>
      </div>
    </Door>
  );
}

export function Refused({ error }: { readonly error: unknown }) {
  const told = tellTries(error);
  return told === undefined ? null : (
    <div role="alert">
      <Hint tone="bad">{told}</Hint>
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
      title="Your second factor"
      lead={
        isRecovery
          ? 'One of the codes that you kept when you began. Each works once.'
          : 'The six digits that your authenticator shows now.'
      }
    >
      <Form onSubmit={() => void send(submit)} label="Your second factor">
        <TextField
          label={isRecovery ? 'Recovery code' : 'Code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          value={code}
          error={faultAt(error, isRecovery ? 'recovery_code' : 'code')}
          onChange={(event) => setCode(event.target.value)}
        />
        <Refused error={error} />
        <FormActs>
          {hasPasskeys() ? (
            <Button look="quiet" onClick={() => void send(byPasskey)}>
              Use a passkey
            </Button>
          ) : null}
          <Button look="quiet" onClick={() => setIsRecovery(!isRecovery)}>
            {isRecovery ? 'Use the authenticator' : 'Use a recovery code'}
          </Button>
          <Button type="submit" look="main" busy={isBusy ? 'Checking…' : undefined}>
            Go on
          </Button>
        </FormActs>
      </Form>
      <div>
        <Button look="quiet" onClick={onBack}>
          Sign in as somebody else
        </Button>
      </div>
    </Door>
  );
}
