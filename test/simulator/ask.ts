/** A call of the simulator on the wire: it is sent as given, and the whole answer is returned. */
import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Call = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
};
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; wasReused: boolean };

/** Sends only the given input, with no content type unless it is among the headers. */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body, agent }: Call = {},
): Promise<Answer> {
  const sent = request(url, { method, headers, ...(agent && { agent }) });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, headers: response.headers, text, wasReused: sent.reusedSocket };
}
