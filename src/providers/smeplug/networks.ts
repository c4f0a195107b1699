/**
 * SMEPlug's ids of the networks. Two of six clients have them wrong, and a wrong one delivers to
 * the wrong network. So the connector compares the ids with SMEPlug's own list before it sells.
 * Pure.
 */
import type { CallResult } from '../http/call.ts';
import { isBody, word } from '../http/reply-fields.ts';

export const NETWORK_IDS: ReadonlyMap<string, number> = new Map([
  ['MTN', 1],
  ['AIRTEL', 2],
  ['9MOBILE', 3],
  ['GLO', 4],
]);

/**
 * Tells whether the reply of `GET /networks` agrees with the ids. `unreadable`: it cannot be read.
 * The form of the list is not documented, so a list by id and a list of records are both read.
 */
export function compareNetworks(result: CallResult): 'same' | 'different' | 'unreadable' {
  if (result.kind !== 'reply' || result.status > 299 || !isBody(result.body)) return 'unreadable';
  const { networks } = result.body;
  const listed = Array.isArray(networks)
    ? networks.map((network: unknown): [unknown, unknown] =>
        isBody(network) ? [network.id, network.name] : [undefined, undefined],
      )
    : Object.entries(isBody(networks) ? networks : {}).map(([id, value]): [unknown, unknown] => [
        id,
        isBody(value) ? value.name : value,
      ]);
  const known = listed.flatMap(([id, name]) => {
    const expected = expectedId(word(name));
    return expected === undefined ? [] : [word(id) === String(expected)];
  });
  if (known.length === 0) return 'unreadable';
  return known.every(Boolean) ? 'same' : 'different';
}

/** 9mobile is also listed by its former name. */
function expectedId(name: string | undefined): number | undefined {
  const plain = name?.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return NETWORK_IDS.get(plain === 'ETISALAT' ? '9MOBILE' : (plain ?? ''));
}
