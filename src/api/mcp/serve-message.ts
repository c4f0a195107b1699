/**
 * Serves one message of MCP with the official SDK, without a session. The SDK is loaded with the
 * first message, so a gateway without agents does not load it. Guarantees: only a credential that
 * may buy over MCP spends money, and a purchase that was started continues when the agent
 * disconnects.
 */
import type { CallToolResult, McpServerFactory } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json.ts';
import { timedOut, withTimeout } from '../../core/with-timeout.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Reason } from '../plumbing/reasons.ts';
import { buyingTools, referenceOf } from './buying-tools.ts';
import { lookUpTools } from './look-up-tools.ts';
import { checkArguments, inputSchema, type Tool, type ToolRequest } from './tool.ts';
import { type HttpAnswer, stillPending, type ToolResult, toolResult } from './tool-result.ts';

export type Serving = {
  readonly principal: Principal;
  readonly version: string;
  /** Sends a request to the API as the same caller. */
  readonly ask: (request: ToolRequest) => Promise<HttpAnswer>;
  /** How long it waits for a purchase, in milliseconds. */
  readonly waitMs: number;
};

const tools = new Map([...lookUpTools, ...buyingTools].map((tool) => [tool.name, tool]));

/** Serves a message with the SDK. Streams end with the answer; there are no subscriptions. */
export async function serveMessage(serving: Serving, message: Request): Promise<Response> {
  const { createMcpHandler, Server, ProtocolError } = await import('@modelcontextprotocol/server');
  const factory: McpServerFactory = () => {
    const server = new Server(
      { name: 'oja', title: 'Oja', version: serving.version },
      { capabilities: { tools: {} }, instructions: instructionsFor(serving.principal) },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listFor(serving.principal) }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
      return toCallResult(await callTool(serving, tool, params.arguments ?? {}));
    });
    return server;
  };
  // No tool reports progress, so each answer is one piece. Requesting progress would log a warning
  // each time.
  const handler = createMcpHandler(factory, { keepAliveMs: 0, maxSubscriptions: 0 });
  return await handler.fetch(message);
}

function instructionsFor({ environment, mcpPurchases }: Principal): string {
  const simulated = 'This is a test credential: purchases are simulated, and no money moves.';
  return [
    'Oja sells airtime, data, bills, gift cards and eSIMs from a prepaid wallet in naira.',
    environment === 'test' ? simulated : 'This is a live credential: purchases spend real money.',
    mcpPurchases === true
      ? 'Look up and verify first, and let the user confirm each purchase. Keep the reference of each purchase. If an outcome is unknown, call get_purchase before you do anything else.'
      : 'The credential may only look up. It cannot buy.',
  ].join(' ');
}

/** Tools that the credential cannot call are not offered. */
function listFor({ mcpPurchases }: Principal) {
  return [...tools.values()]
    .filter(({ buys }) => !buys || mcpPurchases === true)
    .map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool),
      annotations: {
        title: tool.title,
        readOnlyHint: !tool.buys,
        destructiveHint: tool.buys,
        idempotentHint: true,
        openWorldHint: true,
      },
    }));
}

async function callTool(
  { principal, ask, waitMs }: Serving,
  tool: Tool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const mayBuy = principal.mcpPurchases === true;
  if (tool.buys && !mayBuy) {
    return refusal(
      'purchases_not_allowed',
      'This credential may only look up over MCP: the operator of the gateway can allow purchases',
    );
  }
  const checked = checkArguments(tool, sent);
  if (typeof checked === 'string') return refusal('arguments_invalid', checked);
  const reference = referenceOf(checked);
  const asked = ask(tool.request(checked, principal.merchant.code));
  const answer = tool.buys ? await withTimeout(waitMs, asked) : await asked;
  if (answer === timedOut) return stillPending(reference);
  return toolResult(tool, checked, reference, answer, mayBuy);
}

function refusal(reason: Reason, message: string): ToolResult {
  return { isError: true, told: { status: 'error', reason, message, next: 'Nothing was done' } };
}

function toCallResult({ isError, told }: ToolResult): CallToolResult {
  const content = [{ type: 'text' as const, text: JSON.stringify(told) }];
  return { content, isError, ...(isRecord(told) && { structuredContent: { ...told } }) };
}
