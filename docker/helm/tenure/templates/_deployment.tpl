{{- /* (dict "defaults" … "given" …): what is given, over the defaults. */}}
{{- define "tenure.probe" -}}
{{- merge (deepCopy (.given | default dict)) .defaults | toYaml }}
{{- end }}

{{- /* One deployment: (dict "root" $ "role" "api" "values" .Values.api). */}}
{{- define "tenure.deployment" -}}
{{- $root := .root -}}
{{- $values := .values -}}
{{- $name := printf "%s-%s" (include "tenure.fullname" $root) .role -}}
{{- $secretData := include "tenure.secretData" $root | trim -}}
{{- $podAnnotations := include "tenure.merged" (merge (dict "name" "podAnnotations") .) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "tenure.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  {{- include "tenure.annotations" $values.annotations }}
spec:
  {{- if not $values.autoscaling.enabled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  {{- if not (kindIs "invalid" $root.Values.revisionHistoryLimit) }}
  revisionHistoryLimit: {{ $root.Values.revisionHistoryLimit }}
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
        {{- include "tenure.podLabels" . | nindent 8 }}
      {{- if or $podAnnotations $secretData }}
      annotations:
        {{- with $secretData }}
        # Another key, and pods start anew.
        checksum/secret: {{ sha256sum . }}
        {{- end }}
        {{- with $podAnnotations }}
        {{- . | nindent 8 }}
        {{- end }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "tenure.serviceAccountName" $root }}
      terminationGracePeriodSeconds: {{ include "tenure.terminationGracePeriodSeconds" . }}
      topologySpreadConstraints:
        {{- include "tenure.spread" . | nindent 8 }}
      {{- include "tenure.podBasics" . | nindent 6 }}
      containers:
        - name: tenure
          {{- include "tenure.containerBasics" (merge (dict "secret" (include "tenure.fullname" $root)) .) | nindent 10 }}
          ports:
            - name: http
              containerPort: {{ include "tenure.number" (merge (dict "name" "PORT") .) }}
            - name: metrics
              containerPort: {{ include "tenure.number" (merge (dict "name" "SERVICE_METRICS_PORT") .) }}
          env:
            - name: SERVICE_ROLE
              value: {{ .role }}
            {{- include "tenure.environment" . | trim | nindent 12 }}
          startupProbe:
            {{- $http := dict "httpGet" (dict "path" "/healthz" "port" "http") }}
            {{- $defaults := merge (dict "periodSeconds" 2 "failureThreshold" 60) $http }}
            {{- include "tenure.probe" (dict "defaults" $defaults "given" $values.startupProbe) | nindent 12 }}
          livenessProbe:
            {{- $defaults = merge (dict "periodSeconds" 10 "timeoutSeconds" 5 "failureThreshold" 6) $http }}
            {{- include "tenure.probe" (dict "defaults" $defaults "given" $values.livenessProbe) | nindent 12 }}
          readinessProbe:
            {{- $http = dict "httpGet" (dict "path" "/readyz" "port" "http") }}
            {{- $defaults = merge (dict "periodSeconds" 2 "timeoutSeconds" 2 "failureThreshold" 2) $http }}
            {{- include "tenure.probe" (dict "defaults" $defaults "given" $values.readinessProbe) | nindent 12 }}
          {{- with include "tenure.setting" (merge (dict "name" "lifecycle") .) }}
          lifecycle:
            {{- . | nindent 12 }}
          {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
        {{- with include "tenure.setting" (merge (dict "name" "extraContainers") .) }}
        {{- . | nindent 8 }}
        {{- end }}
{{- end }}
