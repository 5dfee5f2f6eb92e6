import { setting } from './setting.js';
import { callableUrl, oneOf, text } from './setting-values.js';

/** `grpc` is part of the standard but not supported here. */
export type OtlpProtocol = 'http/protobuf' | 'http/json' | 'grpc';

/** The standard OpenTelemetry variables that the exporter does not read itself. */
export const traceSettings = {
  otlpEndpoint: setting<string | null>({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description:
      'Sends OpenTelemetry traces to this address, as OTLP over HTTP. The other standard variables of ' +
      'exporter, sampler, batches and resource (`OTEL_…`) work too.',
    default: null,
    parse: callableUrl,
  }),
  otlpTracesEndpoint: setting<string | null>({
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    description: 'The complete address for traces, with its path; overrides `OTEL_EXPORTER_OTLP_ENDPOINT`.',
    default: null,
    parse: callableUrl,
  }),
  otlpProtocol: setting<OtlpProtocol>({
    variable: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    description: '`http/protobuf` or `http/json`.',
    default: 'http/protobuf',
    parse: oneOf('http/protobuf', 'http/json', 'grpc'),
  }),
  otlpTracesProtocol: setting<OtlpProtocol | null>({
    variable: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    description: 'The same for traces.',
    default: null,
    defaultNote: '`OTEL_EXPORTER_OTLP_PROTOCOL`',
    parse: oneOf('http/protobuf', 'http/json', 'grpc'),
  }),
  tracesExporter: setting<'otlp' | 'none' | null>({
    variable: 'OTEL_TRACES_EXPORTER',
    description: '`none`: no traces; `otlp`: traces also without an endpoint, to `http://localhost:4318`.',
    default: null,
    defaultNote: '`otlp` with an endpoint',
    parse: oneOf('otlp', 'none'),
  }),
  tracesSampler: setting<string | null>({
    variable: 'OTEL_TRACES_SAMPLER',
    description:
      'Which traces are recorded, such as `parentbased_always_on` (a request then needs about a third more CPU time) or `parentbased_traceidratio` with `OTEL_TRACES_SAMPLER_ARG`.',
    default: null,
    defaultNote: 'the first 50 a second of each process, and those that a caller samples',
    parse: text(100),
  }),
  otelDisabled: setting({
    variable: 'OTEL_SDK_DISABLED',
    description: '`true`: no traces, regardless of other variables.',
    default: false,
    // The standard treats any other value as false.
    parse: (value) => value.toLowerCase() === 'true',
  }),
  podName: setting<string | null>({
    variable: 'POD_NAME',
    description: 'Name of the pod in traces (`k8s.pod.name`), if the host name differs.',
    default: null,
    defaultNote: 'the host name, in Kubernetes',
    parse: text(253),
  }),
  kubernetesHost: setting<string | null>({
    variable: 'KUBERNETES_SERVICE_HOST',
    description: 'Set by Kubernetes: traces then name the pod.',
    default: null,
    parse: text(253),
  }),
};
