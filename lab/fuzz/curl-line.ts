/** A request as a bash command that sends the same bytes again, as far as curl can. */
import type { WholeRequest } from './requests.ts';

/** `url` is that of the listener. */
export function curlLine({ method, target, headers, body }: WholeRequest, url: string): string {
  const isPlain = /^\/[\w\-./~%?&=:,+]*$/.test(target) && !/\/\.{1,2}(?:[/?]|$)/.test(target);
  const given = headers
    // curl counts the bytes of a body itself.
    .filter(([name]) => body === undefined || name !== 'content-length')
    .map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  // The headers that curl adds by itself.
  const names = new Set(headers.map(([name]) => name));
  const unsaid = ['accept', 'user-agent', ...(body === undefined ? [] : ['content-type', 'expect'])];
  const isText = body === undefined || /^(?!@)[\x20-\x7e\n]*$/.test(body.toString('latin1'));
  return [
    isText ? '' : `base64 -d <<< ${body.toString('base64')} |`,
    `curl -sS -i --http1.1 --max-time 60`,
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...given,
    ...unsaid.filter((name) => !names.has(name)).map((name) => `-H '${name}:'`),
    body === undefined ? '' : `--data-binary ${isText ? quote(body.toString('latin1')) : '@-'}`,
    isPlain ? quote(`${url}${target}`) : `--request-target ${quote(target)} ${url}/`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Each character is a byte. */
function quote(text: string): string {
  if (/^[\x20-\x7e\n]*$/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = [...text].map((character) => {
    if (/[\x20-\x7e]/.test(character)) return character.replace(/['\\]/, '\\$&');
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped.join('')}'`;
}
