/** The signed-in user and the operations that the user may run. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import type { OperationName } from './operations.ts';

export type Audience = 'console' | 'portal';

/** The server writes it into the page, so it is known before the session. */
export const audienceOfPage = document.querySelector<HTMLMetaElement>('meta[name="oja-face"]')
  ?.content as Audience;

export type Session = {
  readonly face: Audience;
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly roles: readonly string[];
  readonly merchant: { readonly code: string; readonly name: string } | null;
  readonly operations: readonly string[];
  readonly stepped_up_until: string | null;
  readonly environment: 'demo' | 'production';
  readonly second_factor: SecondFactor;
};

type SecondFactor = {
  readonly totp: boolean;
  readonly recovery_codes_left: number;
  readonly passkeys: readonly Passkey[];
};

type Passkey = {
  readonly id: string;
  readonly label: string;
  readonly created_at: string;
  readonly used_at: string | null;
};

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    const { body } = await call('/api/session');
    return (body as { readonly data: Session }).data;
  },
  staleTime: 60_000,
  retry: false,
});

/** Returns the session. Undefined only before the sign-in. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

export function useMay(): (name: OperationName) => boolean {
  const session = useSession();
  return (name) => session?.operations.includes(name) ?? false;
}
