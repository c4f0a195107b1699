/**
 * The users of the demo: one of the operator, and one of the demo merchant. They sign in by a link
 * that each start prints and that works once. They have no password.
 */

import { linkAddress, newLink } from '../../backoffice/users/links.ts';
import { type Audience, faces } from '../../backoffice/users/tenant-scope.ts';
import { findUsersByEmail, insertUser } from '../../backoffice/users/user-store.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../db/database.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import type { AudienceUrls } from '../listen-for-people.ts';

const people = {
  console: { email: 'ada@oja.example', name: 'Ada of the demo', roles: ['admin'] },
  portal: { email: 'shop@oja.example', name: 'Owner of the demo shop', roles: ['owner'] },
} as const;

/** Creates a sign-in link for each interface that listens. */
export async function makeDemoLinks(
  database: Database,
  merchant: string,
  urls: AudienceUrls,
): Promise<AudienceUrls> {
  const links: Partial<Record<Audience, string>> = {};
  for (const face of faces) {
    const url = urls[face];
    if (url !== undefined) links[face] = await makeLink(database, face, merchant, url);
  }
  return links;
}

async function makeLink(database: Database, face: Audience, merchant: string, url: string): Promise<string> {
  const { email, name, roles } = people[face];
  return await database.transaction(async (tx) => {
    const merchantId = face === 'portal' ? ((await findMerchant(tx, merchant))?.id ?? null) : null;
    const find = async (): Promise<string | undefined> => {
      const found = await findUsersByEmail(tx, {
        email,
        ofMerchant: face === 'portal',
        merchant: face === 'portal' ? merchant : undefined,
      });
      return found[0]?.id;
    };
    const present = await find();
    if (present === undefined) {
      const user = { id: newId(), merchant_id: merchantId, email, name, roles, created_by: 'gateway' };
      await insertUser(tx, user);
    }
    const { token } = await newLink(tx, present ?? (await find()) ?? '', 'sign_in');
    return linkAddress(url, 'sign_in', token);
  });
}
