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

{{- define "tenure.secretName" -}}
{{ .Values.secret.existing | default (include "tenure.fullname" .) }}
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

{{- define "tenure.environment" -}}
- name: PORT
  value: "8787"
- name: SERVICE_DEMO
  value: "false"
- name: SERVICE_TRUST_PROXY
  value: "1"
- name: SERVICE_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{- range $name, $value := .Values.environment }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* One deployment: (dict "root" $ "role" "api" "values" .Values.api). */}}
{{- define "tenure.deployment" -}}
{{- $root := .root -}}
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
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "tenure.serviceAccountName" $root }}
      automountServiceAccountToken: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # Draining, then the requests and webhook attempts under way.
      terminationGracePeriodSeconds: 40
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
              containerPort: 8787
          env:
            - name: SERVICE_ROLE
              value: {{ .role }}
            - name: SERVICE_DRAIN_MS
              value: "5000"
            {{- include "tenure.environment" $root | nindent 12 }}
          envFrom:
            - secretRef:
                name: {{ include "tenure.secretName" $root }}
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
      {{- with $root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
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
    - type: External
      external:
        metric:
          name: {{ .metric }}
        target:
          type: Value
          value: {{ .target | quote }}
    {{- end }}
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
