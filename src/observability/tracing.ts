import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/* Before `startTracing` every span is one that records nothing. */
const tracer = trace.getTracer('tenure');
let isOn = false;

/** Whether spans go anywhere; hot paths do nothing for tracing otherwise. */
export function isTracing(): boolean {
  return isOn;
}

/**
 * Sends spans by OTLP over HTTP, as the standard variables say (`OTEL_EXPORTER_OTLP_…`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). Gives what sends the last ones.
 */
export async function startTracing(): Promise<() => Promise<void>> {
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const named = resourceFromAttributes({ 'service.name': 'tenure' });
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  isOn = true;
  return async () => {
    isOn = false;
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

/** The span of a request to this server, as part of the trace of its sender; and the context to answer it in. */
export function startServerSpan(
  method: string,
  headers: Record<string, unknown>,
): { span: Span; inside: Context } {
  const outside = propagation.extract(context.active(), headers);
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, outside);
  return { span, inside: trace.setSpan(outside, span) };
}

export { context as tracingContext };

/** Runs `work` in a span of what this server asks of another. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!isOn) return work();
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // No message: it may hold what somebody sent.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', (error as Error).name);
      throw error;
    } finally {
      span.end();
    }
  });
}
