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
import { within } from '../../libs/kernel/index.js';
import type { OtlpProtocol } from '../config/trace-settings.js';

/* Before `startTracing` every span is one that records nothing. */
let tracer = trace.getTracer('tenure');
let isOn = false;

/** Whether spans go anywhere; hot paths do nothing for tracing otherwise. */
export function isTracing(): boolean {
  return isOn;
}

/** A collector that does not answer must not keep a process that was told to stop. */
const STOP_WITHIN_MS = 2000;

async function exporterOf(protocol: OtlpProtocol) {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/**
 * Sends spans by OTLP over HTTP, as the standard variables say (`OTEL_EXPORTER_OTLP_…`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). Gives what sends the last ones, for two seconds at
 * most; false: not all could be sent.
 */
export async function startTracing(protocol: OtlpProtocol): Promise<() => Promise<boolean>> {
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const named = resourceFromAttributes({ 'service.name': 'tenure' });
  const provider = new NodeTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(protocol))],
  });
  provider.register();
  // What was got before keeps to the provider that was first.
  tracer = provider.getTracer('tenure');
  isOn = true;
  return async () => {
    isOn = false;
    const sent = provider.shutdown().then(
      () => true,
      () => false,
    );
    const isSent = await within(sent, STOP_WITHIN_MS, false);
    trace.disable();
    context.disable();
    propagation.disable();
    return isSent;
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

/** Notes in the span around the work what was answered; undefined: nothing. */
export function noteStatus(status: number | undefined): void {
  const span = isOn ? trace.getActiveSpan() : undefined;
  if (!span || status === undefined) return;
  span.setAttribute('http.response.status_code', status);
  if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
}
