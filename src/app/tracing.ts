/**
 * Traces of OpenTelemetry, for an installation that has a collector. The trace of a purchase has
 * the purchase's own id. So the process that received the request and the worker that sent it add
 * to the same trace without communicating.
 *
 * Guarantees: without the setting the library is not loaded; an unavailable collector only loses
 * spans; no number, name, amount, reference or secret is in a span.
 */
import { hostname } from 'node:os';
import type { Step, TraceStep } from '../core/tracing.ts';

export type Tracing = AsyncDisposable & { readonly traceStep: TraceStep };

type Ids = { readonly traceId: string; readonly spanId: string };

/** How long a shutdown waits for the last spans to be sent. */
const LAST_MS = 2_000;

/** `endpoint`: a collector for OTLP over HTTP, without `/v1/traces`. */
export async function startTracing(
  endpoint: string,
  { role, version }: { readonly role: string; readonly version: string },
): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const random = new sdk.RandomIdGenerator();
  let given: Ids | undefined;
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const processor = new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'oja',
      'service.version': version,
      'service.instance.id': `${hostname()}-${process.pid}`,
      'oja.role': role,
    }),
    spanProcessors: [processor],
    idGenerator: {
      generateTraceId: () => given?.traceId ?? random.generateTraceId(),
      generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    },
  });
  const tracer = provider.getTracer('oja');
  const traceStep = ({ name, purchaseId, tookMs, facts }: Step): void => {
    const endTime = Date.now();
    const ids = idsOf(purchaseId);
    const options = { startTime: endTime - tookMs, attributes: { 'oja.purchase': purchaseId, ...facts } };
    if (name === 'request') {
      given = ids;
      tracer.startSpan(name, { ...options, root: true }).end(endTime);
      given = undefined;
    } else {
      const above = { ...ids, traceFlags: api.TraceFlags.SAMPLED, isRemote: true };
      tracer.startSpan(name, options, api.trace.setSpanContext(api.ROOT_CONTEXT, above)).end(endTime);
    }
  };
  return {
    traceStep,
    async [Symbol.asyncDispose]() {
      const late = new Promise((resolve) => setTimeout(resolve, LAST_MS).unref());
      await Promise.race([provider.shutdown(), late]).catch(() => undefined);
    },
  };
}

/** The request is the root of its purchase's trace, in every process. */
function idsOf(purchaseId: string): Ids {
  const traceId = purchaseId.replaceAll('-', '');
  return { traceId, spanId: traceId.slice(16) };
}
