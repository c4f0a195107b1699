/**
 * Gives a refusal that many operations share its name: it moves to `components.responses`, and a
 * reference remains. Pure.
 */
import { isRecord } from '../../../kernel/json.ts';
import { type Json, memberOf } from './json.ts';

const statusNames: Readonly<Record<string, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'TooManyRequests',
  500: 'ServerError',
  503: 'ServiceUnavailable',
};

/** Of each status the answer that most operations give. */
export function nameResponses(paths: Json): { readonly paths: Json; readonly responses: Json } {
  const common = commonest(paths);
  const responses: Record<string, unknown> = {};
  const shorten = (operation: Json): Json => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(memberOf(operation, 'responses')).map(([status, response]) => {
        const name = statusNames[status];
        if (name === undefined || JSON.stringify(response) !== common.get(status)) return [status, response];
        responses[name] = response;
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    ),
  });
  const shortened = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(isRecord(item) ? item : {}).map(([method, operation]) => [
        method,
        isRecord(operation) ? shorten(operation) : operation,
      ]),
    ),
  ]);
  return { paths: Object.fromEntries(shortened), responses };
}

function commonest(paths: Json): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const item of Object.values(paths).filter(isRecord)) {
    for (const operation of Object.values(item)) {
      for (const [status, response] of Object.entries(memberOf(operation, 'responses'))) {
        const text = JSON.stringify(response);
        const ofStatus = counts.get(status) ?? new Map<string, number>();
        counts.set(status, ofStatus.set(text, (ofStatus.get(text) ?? 0) + 1));
      }
    }
  }
  return new Map(
    [...counts].map(([status, ofStatus]) => {
      const [most] = [...ofStatus].toSorted(([, one], [, other]) => other - one);
      return [status, most?.[0] ?? ''];
    }),
  );
}
