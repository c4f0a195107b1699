/** VTU.ng's token: a log-in invalidates the previous token. */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { json, type Reply } from '../http.ts';

const USERNAME = 'simulator';
const PASSWORD = 'simulator-vtung-password';

export class Tokens {
  #newest: string | undefined;

  logIn(body: unknown): Reply {
    const { username, password } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (username !== USERNAME || password !== PASSWORD) return wrongPassword;
    const token = `eyJ.${randomBytes(24).toString('base64url')}.simulated`;
    this.#newest = token;
    return json({
      token,
      user_email: 'simulator@example.com',
      user_nicename: USERNAME,
      user_display_name: USERNAME,
    });
  }

  admits({ authorization }: IncomingHttpHeaders): boolean {
    return this.#newest !== undefined && authorization === `Bearer ${this.#newest}`;
  }

  revoke(): void {
    this.#newest = undefined;
  }
}

const wrongPassword = json(
  {
    code: '[jwt_auth] incorrect_password',
    message: 'The password you entered is incorrect.',
    data: { status: 403 },
  },
  403,
);
