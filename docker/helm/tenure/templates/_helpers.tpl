{{- /* Templates read keys that values of an older chart lack (helm upgrade --reuse-values) as `(.Values.key).key`. */}}
{{- define "tenure.name" -}}
{{ .Values.nameOverride | default .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "tenure.fullname" -}}
{{- $name := include "tenure.name" . -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end }}

{{- define "tenure.selector" -}}
app.kubernetes.io/name: {{ include "tenure.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tenure.labels" -}}
{{- with .Values.commonLabels }}
{{- toYaml . }}
{{ end }}
{{- include "tenure.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Those of an object, below its metadata, if there are any. */}}
{{- define "tenure.annotations" -}}
{{- with . }}
  annotations:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}

{{- define "tenure.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default (include "tenure.fullname" .) }}
{{- end }}

{{- define "tenure.metricsService" -}}
{{ include "tenure.fullname" . }}-metrics
{{- end }}

{{- /* A digest names the image by itself. */}}
{{- define "tenure.image" -}}
{{- with .Values.image.digest -}}
{{ $.Values.image.repository }}@{{ . }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* What runs before an install cannot use what the install makes. */}}
{{- define "tenure.beforeMigration" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "-10"
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
