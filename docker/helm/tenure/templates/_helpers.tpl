{{- define "tenure.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "tenure.labels" -}}
{{ include "tenure.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tenure.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tenure.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default (include "tenure.fullname" .) }}
{{- end }}

{{- define "tenure.metricsService" -}}
{{ include "tenure.fullname" . }}-metrics
{{- end }}

{{- define "tenure.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- /* What pods of every kind share. */}}
{{- define "tenure.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "tenure.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Variables by their names: one of `environment` stands in place of the chart's own. */}}
{{- define "tenure.variables" -}}
{{- $variables := dict
  "PORT" "8787"
  "SERVICE_METRICS_PORT" "9464"
  "SERVICE_DEMO" "false"
  "SERVICE_TRUST_PROXY" "1"
  "SERVICE_DRAIN_MS" "5000"
  "SERVICE_SHUTDOWN_GRACE_MS" "10000"
  "SERVICE_PUBLIC_URL" .Values.publicUrl
-}}
{{- range $name, $value := .Values.environment -}}
{{- /* Numbers of a values file are floats here, and a million would read 1e+06. */ -}}
{{- if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ $value = int64 $value }}{{ end -}}
{{- $_ := set $variables $name (toString $value) -}}
{{- end -}}
{{- toYaml $variables -}}
{{- end }}

{{- define "tenure.environment" -}}
{{- range $name, $value := include "tenure.variables" . | fromYaml }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* Seconds: draining, then the requests and webhook attempts under way, then what is left to close. */}}
{{- define "tenure.terminationGracePeriodSeconds" -}}
{{- $variables := include "tenure.variables" . | fromYaml -}}
{{- $ms := add (int $variables.SERVICE_DRAIN_MS) (int $variables.SERVICE_SHUTDOWN_GRACE_MS) -}}
{{ add 15 (div (add $ms 999) 1000) }}
{{- end }}

{{- /* Keys of the chart's own secret: nothing where all of them come from files or from an existing one. */}}
{{- define "tenure.secretData" -}}
{{- with .Values.secret }}
{{- if not .existing }}
{{- if not (hasKey $.Values.environment "DATABASE_URL_FILE") }}
DATABASE_URL: {{ required "secret.existing, or secret.databaseUrl" .databaseUrl | quote }}
{{- end }}
{{- if not (hasKey $.Values.environment "SERVICE_ENCRYPTION_KEY_FILE") }}
SERVICE_ENCRYPTION_KEY: {{ required "secret.existing, or secret.encryptionKey (openssl rand -base64 32)" .encryptionKey | quote }}
{{- end }}
{{- with .signingKey }}
SERVICE_SIGNING_KEY: {{ . | quote }}
{{- end }}
{{- with .metricsToken }}
SERVICE_METRICS_TOKEN: {{ . | quote }}
{{- end }}
{{- with .databaseReplicaUrls }}
SERVICE_DATABASE_REPLICA_URLS: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* (dict "root" $ "name" …): the secret's variables; `name` is that of the chart's own. */}}
{{- define "tenure.secretVariables" -}}
{{- $name := .root.Values.secret.existing | default (ternary .name "" (ne (include "tenure.secretData" .root) "")) -}}
{{- if $name -}}
envFrom:
  - secretRef:
      name: {{ $name }}
{{- end }}
{{- end }}

{{- /* What runs before an install cannot use what the install makes. */}}
{{- define "tenure.beforeMigration" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "-10"
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{- /* Where pods run and what they mount, for the specification of every pod. */}}
{{- define "tenure.placement" -}}
{{- range $name := list "nodeSelector" "tolerations" "affinity" }}
{{- with index $.Values $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tenure.mounts" -}}
{{- with .Values.extraVolumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* One deployment: (dict "root" $ "role" "api" "values" .Values.api). */}}
{{- define "tenure.deployment" -}}
{{- $root := .root -}}
{{- $variables := include "tenure.variables" $root | fromYaml -}}
{{- $secretData := include "tenure.secretData" $root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "tenure.fullname" $root }}-{{ .role }}
  labels:
    {{- include "tenure.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "tenure.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "tenure.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      {{- if or $root.Values.podAnnotations $secretData }}
      annotations:
        {{- with $secretData }}
        # Another key, and pods start anew.
        checksum/secret: {{ sha256sum . }}
        {{- end }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "tenure.serviceAccountName" $root }}
      automountServiceAccountToken: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      terminationGracePeriodSeconds: {{ include "tenure.terminationGracePeriodSeconds" $root }}
      securityContext:
        {{- include "tenure.podSecurity" $root | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "tenure.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      containers:
        - name: tenure
          image: {{ include "tenure.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext:
            {{- include "tenure.containerSecurity" $root | nindent 12 }}
          ports:
            - name: http
              containerPort: {{ $variables.PORT }}
            - name: metrics
              containerPort: {{ required "environment.SERVICE_METRICS_PORT" $variables.SERVICE_METRICS_PORT }}
          env:
            - name: SERVICE_ROLE
              value: {{ .role }}
            {{- include "tenure.environment" $root | trim | nindent 12 }}
          {{- include "tenure.secretVariables" (dict "root" $root "name" (include "tenure.fullname" $root)) | nindent 10 }}
          {{- include "tenure.mounts" $root | nindent 10 }}
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources:
            {{- toYaml .values.resources | nindent 12 }}
      {{- include "tenure.placement" $root | nindent 6 }}
{{- end }}

{{- /* One autoscaler and disruption budget: the same dict. */}}
{{- define "tenure.scaling" -}}
{{- $root := .root -}}
{{- if .values.autoscaling.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "tenure.fullname" $root }}-{{ .role }}
  labels:
    {{- include "tenure.labels" $root | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "tenure.fullname" $root }}-{{ .role }}
  minReplicas: {{ .values.autoscaling.minReplicas }}
  maxReplicas: {{ .values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .values.autoscaling.targetCPUUtilizationPercentage }}
    {{- with .values.autoscaling.oldestDueSeconds }}
    {{- if .enabled }}
    {{- $labels := .matchLabels | default (dict "service" (include "tenure.metricsService" $root)) }}
    {{- range $name, $target := .targets }}
    - type: External
      external:
        metric:
          name: {{ $name }}
          selector:
            matchLabels:
              {{- toYaml $labels | nindent 14 }}
        target:
          type: Value
          value: {{ $target | quote }}
    {{- end }}
    {{- end }}
    {{- end }}
  {{- with .values.autoscaling.behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
---
{{- end }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tenure.fullname" $root }}-{{ .role }}
  labels:
    {{- include "tenure.labels" $root | nindent 4 }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "tenure.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end }}
