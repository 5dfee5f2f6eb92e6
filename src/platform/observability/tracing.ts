import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { hostname } from 'node:os';
import { within } from '../../../libs/kernel/index.js';
import type { OtlpProtocol } from '../config/trace-settings.js';
import { VERSION } from '../config/version.js';
import { RateSampler } from './rate-sampler.js';

/* Until `startTracing`, every span is a no-op. */
let tracer = trace.getTracer('tenure');
let isOn = false;

/** Whether spans are exported; if not, hot paths skip tracing. */
export function isTracing(): boolean {
  return isOn;
}

/** A collector that does not respond must not delay shutdown. */
const STOP_WITHIN_MS = 2000;

const DATABASE = { 'db.system.name': 'postgresql' };

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function ownAttributes(podName: string | null): Attributes {
  return {
    'service.name': 'tenure',
    'service.version': VERSION,
    'service.instance.id': `${podName ?? hostname()}:${process.pid}`,
    'host.name': hostname(),
    'process.pid': process.pid,
    ...(podName !== null && { 'k8s.pod.name': podName }),
  };
}

async function exporterOf(protocol: OtlpProtocol) {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

interface TracingOptions {
  podName?: string | null;
  /** Maximum number of traces this process starts per second; null: `OTEL_TRACES_SAMPLER` decides. */
  tracesPerSecond?: number | null;
}

/**
 * Exports spans by OTLP over HTTP, as configured by the standard variables (`OTEL_EXPORTER_OTLP_…`,
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`). Returns a function that
 * flushes for at most two seconds; it resolves to false if not all spans were sent.
 */
export async function startTracing(
  protocol: OtlpProtocol,
  { podName = null, tracesPerSecond = null }: TracingOptions = {},
): Promise<() => Promise<boolean>> {
  const { BatchSpanProcessor, NodeTracerProvider, ParentBasedSampler } =
    await import('@opentelemetry/sdk-trace-node');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const named = resourceFromAttributes(ownAttributes(podName));
  const provider = new NodeTracerProvider({
    ...(tracesPerSecond !== null && {
      sampler: new ParentBasedSampler({ root: new RateSampler(tracesPerSecond) }),
    }),
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(protocol))],
  });
  provider.register();
  // A tracer obtained earlier remains bound to the first provider.
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

/** The log fields that link a line to its span; none if the span is not exported. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = isOn ? trace.getActiveSpan()?.spanContext() : undefined;
  if (!span || (span.traceFlags & TraceFlags.SAMPLED) === 0) return {};
  return { trace_id: span.traceId, span_id: span.spanId };
}

/** Continues the client's trace. Null if not sampled: then nothing below it is traced, at almost no cost. */
export function startServerSpan(request: {
  id: string;
  method: string;
  headers: Record<string, unknown>;
}): { span: Span; inside: Context } | null {
  const { id, method, headers } = request;
  // Most callers send no trace.
  const outside =
    headers.traceparent === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers);
  const attributes = { 'http.request.method': method, request_id: id };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, outside);
  return span.isRecording() ? { span, inside: trace.setSpan(outside, span) } : null;
}

export { context as tracingContext };

/** Records no message, because it may contain client input. */
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', (error as Error).name);
}

function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Whether the current work belongs to a recorded trace. Polls and probes start none. */
const isRecorded = (): boolean => isOn && trace.getActiveSpan()?.isRecording() === true;

export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return isRecorded() ? inSpan(name, SpanKind.CLIENT, attributes, work) : work();
}

export function tracedWork<T>(name: string, work: () => Promise<T>): Promise<T> {
  return isOn ? inSpan(name, SpanKind.INTERNAL, {}, work) : work();
}

/** Nothing below a statement is traced, so it need not be the active span, which would be the most expensive part. */
export async function tracedStatement<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!isRecorded()) return work();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: DATABASE });
  try {
    return await work();
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

export function recordStatus(status: number | undefined): void {
  const span = isOn ? trace.getActiveSpan() : undefined;
  if (!span || status === undefined) return;
  span.setAttribute('http.response.status_code', status);
  if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
}
