/** Uses passkeys through the browser's WebAuthn API. */
import { call } from './call.ts';

export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Throws Refusal, or the browser's error when the person cancels. */
export async function signInByPasskey(): Promise<unknown> {
  return await call('/api/sign-in/passkey', { passkey: await askPasskey('/api/sign-in/passkey/options') });
}

/** Throws as `signInByPasskey`. */
export async function stepUpByPasskey(): Promise<unknown> {
  return await call('/api/step-up', { passkey: await askPasskey('/api/step-up/passkey/options') });
}

/** Throws as `signInByPasskey`. */
export async function addPasskey(name: string): Promise<unknown> {
  const { body } = await call('/api/second-factor/passkeys/begin', {});
  const { data } = body as { readonly data: PublicKeyCredentialCreationOptionsJSON };
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data);
  const made = await navigator.credentials.create({ publicKey });
  return await call('/api/second-factor/passkeys/confirm', { label: name, passkey: plain(made) });
}

async function askPasskey(path: string): Promise<unknown> {
  const { body } = await call(path, {});
  const { data } = body as { readonly data: PublicKeyCredentialRequestOptionsJSON };
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(data);
  return plain(await navigator.credentials.get({ publicKey }));
}

function plain(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('No passkey was selected.');
  return credential.toJSON();
}
