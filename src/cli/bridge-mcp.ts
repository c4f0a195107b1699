/**
 * Serves MCP over standard input and output to agents on this machine. Each call is forwarded to
 * the gateway's `/mcp`, which has the tools. Standard output carries only the protocol.
 */
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { CommandError } from './command-error.ts';
import type { Terminal } from './run.ts';

export type McpGateway = { readonly url: string; readonly key: string; readonly secret: string };

/** Longer than the gateway waits for a purchase. */
const ANSWER_MS = 45_000;
const PROTOCOL = '2025-06-18';

type Fault = { readonly code: number; readonly message: string };
type Answer<Result> = { readonly result: Result } | { readonly error: Fault };
type Greeting = {
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions?: string;
};

/** A JSON-RPC error of the gateway. The SDK answers with its code. */
class RpcError extends Error {
  readonly code: number;

  constructor({ code, message }: Fault) {
    super(message);
    this.code = code;
  }
}

/** Serves until standard input ends. Throws CommandError if the gateway refuses the credential. */
export async function bridgeMcp({ stdin, stdout, stderr }: Terminal, gateway: McpGateway): Promise<void> {
  const greeting = await request<Greeting>(gateway, 'initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'oja-mcp', version: '1' },
  });
  const { Server } = await import('@modelcontextprotocol/server');
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { serverInfo, instructions } = greeting;
  const transport = new StdioServerTransport(stdin, stdout);
  const ended = Promise.withResolvers<void>();
  stdin.once('end', ended.resolve).once('close', ended.resolve);
  serveStdio(
    () => {
      const options = { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) };
      const server = new Server(serverInfo, options);
      server.setRequestHandler('tools/list', () => request<ListToolsResult>(gateway, 'tools/list', {}));
      server.setRequestHandler('tools/call', ({ params: { name, arguments: sent } }) =>
        callTool(gateway, { name, arguments: sent ?? {} }),
      );
      return server;
    },
    { transport, onerror: (error) => void stderr.write(`${error.message}\n`) },
  );
  await ended.promise;
}

/** Reports an unreachable gateway to the agent, with the safe next step. */
async function callTool(gateway: McpGateway, params: object): Promise<CallToolResult> {
  try {
    return await request<CallToolResult>(gateway, 'tools/call', params);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const next =
      'If this was a purchase, it may have been made. Call get_purchase with the same reference. ' +
      'Do not buy again under another reference.';
    const body = { status: 'error', message: error.message, next };
    return {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify(body) }],
      structuredContent: body,
    };
  }
}

/** Sends a request. Throws CommandError without an answer, and RpcError for an error answer. */
async function request<Result>(
  { url, key, secret }: McpGateway,
  method: string,
  params: object,
): Promise<Result> {
  const { origin } = new URL(url);
  let text: string;
  let status: number;
  let type: string;
  try {
    const answer = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL,
        'x-merchant-key': key,
        'x-merchant-secret': secret,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    status = answer.status;
    type = answer.headers.get('content-type') ?? '';
    text = await answer.text();
  } catch {
    throw new CommandError(
      'gateway_away',
      `the gateway at ${origin} is unreachable or did not answer in time`,
    );
  }
  const message = readMessage<Result>(text, type);
  if (message === undefined || status !== 200) {
    throw new CommandError(
      'gateway_refused',
      `the gateway at ${origin} answered: ${messageOf(text) ?? `HTTP ${status}`}`,
    );
  }
  if ('error' in message) throw new RpcError(message.error);
  return message.result;
}

/** Parses the answer. An event stream has one message. */
function readMessage<Result>(text: string, type: string): Answer<Result> | undefined {
  const json = type.startsWith('text/event-stream') ? /^data: (.*)$/m.exec(text)?.[1] : text;
  const read = readJson(json ?? '');
  return typeof read === 'object' && read !== null && ('result' in read || 'error' in read)
    ? (read as Answer<Result>)
    : undefined;
}

function messageOf(text: string): string | undefined {
  const read = readJson(text);
  const message = typeof read === 'object' && read !== null ? Reflect.get(read, 'message') : undefined;
  return typeof message === 'string' ? message : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
