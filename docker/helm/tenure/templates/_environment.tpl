{{- /*
(dict "root" $ "values" .Values.api): variables of a component by name, each a text or an object with `valueFrom`. Those of
the component stand in place of `environment`, and those in place of the chart's own.
*/}}
{{- define "tenure.variables" -}}
{{- $variables := dict
  "PORT" "8787"
  "SERVICE_METRICS_PORT" "9464"
  "SERVICE_DEMO" "false"
  "SERVICE_TRUST_PROXY" "1"
  "SERVICE_DRAIN_MS" "5000"
  "SERVICE_SHUTDOWN_GRACE_MS" "10000"
  "SERVICE_PUBLIC_URL" .root.Values.publicUrl
  "POD_NAME" (dict "valueFrom" (dict "fieldRef" (dict "fieldPath" "metadata.name")))
  "POD_NAMESPACE" (dict "valueFrom" (dict "fieldRef" (dict "fieldPath" "metadata.namespace")))
-}}
{{- with (.root.Values.database).poolSize }}{{ $_ := set $variables "SERVICE_DATABASE_POOL_SIZE" (toString .) }}{{ end -}}
{{- range $given := list .root.Values.environment .values.environment -}}
{{- range $name, $value := $given -}}
{{- /* Numbers of a values file are floats here, and a million would read 1e+06. */ -}}
{{- if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ $value = int64 $value }}{{ end -}}
{{- if not (kindIs "map" $value) }}{{ $value = toString $value }}{{ end -}}
{{- $_ := set $variables $name $value -}}
{{- end -}}
{{- end -}}
{{- toYaml $variables -}}
{{- end }}

{{- /* The same dict: a list of `env`. What extraEnv names is not named twice. */}}
{{- define "tenure.environment" -}}
{{- $extra := .root.Values.extraEnv | default list -}}
{{- $variables := include "tenure.variables" . | fromYaml -}}
{{- range $extra }}{{ $_ := unset $variables .name }}{{ end -}}
{{- range $name, $value := $variables }}
- name: {{ $name }}
  {{- if kindIs "map" $value }}
  {{- toYaml $value | nindent 2 }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- with $extra }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* The same dict and "name": the number in a variable that other parts of the chart follow. */}}
{{- define "tenure.number" -}}
{{- $value := index (include "tenure.variables" . | fromYaml) .name | default .default -}}
{{- range .root.Values.extraEnv -}}
{{- if eq .name $.name }}{{ $value = .value | default (dict "valueFrom" .valueFrom) }}{{ end -}}
{{- end -}}
{{- if not (regexMatch "^[0-9]+$" (toString $value)) }}{{ fail (printf "%s: the chart needs its value, a number" .name) }}{{ end -}}
{{ $value }}
{{- end }}

{{- /* Seconds: draining, then the requests and webhook attempts under way, then what is left to close. */}}
{{- define "tenure.terminationGracePeriodSeconds" -}}
{{- $drain := include "tenure.number" (merge (dict "name" "SERVICE_DRAIN_MS") .) -}}
{{- $shutdown := include "tenure.number" (merge (dict "name" "SERVICE_SHUTDOWN_GRACE_MS") .) -}}
{{- $needed := add 15 (div (add (int $drain) (int $shutdown) 999) 1000) -}}
{{ .root.Values.terminationGracePeriodSeconds | default $needed | int }}
{{- end }}

{{- /* (dict "root" $ "variable" …): whether pods get a variable from elsewhere than the chart's secret. */}}
{{- define "tenure.isGiven" -}}
{{- $names := keys (.root.Values.environment | default dict) -}}
{{- range .root.Values.extraEnv }}{{ $names = append $names .name }}{{ end -}}
{{- if or .root.Values.extraEnvFrom (has .variable $names) (has (printf "%s_FILE" .variable) $names) }}true{{ end -}}
{{- end }}

{{- /* Keys of the chart's own secret: nothing where all of them come from elsewhere. */}}
{{- define "tenure.secretData" -}}
{{- with .Values.secret }}
{{- if not .existing }}
{{- if or .databaseUrl (not (include "tenure.isGiven" (dict "root" $ "variable" "DATABASE_URL"))) }}
DATABASE_URL: {{ required "secret.existing, or secret.databaseUrl" .databaseUrl | quote }}
{{- end }}
{{- if or .encryptionKey (not (include "tenure.isGiven" (dict "root" $ "variable" "SERVICE_ENCRYPTION_KEY"))) }}
SERVICE_ENCRYPTION_KEY: {{ required "secret.existing, or secret.encryptionKey (openssl rand -base64 32)" .encryptionKey | quote }}
{{- end }}
{{- with .signingKey }}
SERVICE_SIGNING_KEY: {{ . | quote }}
{{- end }}
{{- with .metricsToken }}
SERVICE_METRICS_TOKEN: {{ . | quote }}
{{- end }}
{{- with .databaseDirectUrl }}
SERVICE_DATABASE_DIRECT_URL: {{ . | quote }}
{{- end }}
{{- with .databaseReplicaUrls }}
SERVICE_DATABASE_REPLICA_URLS: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* (dict "root" $ "secret" …): secrets as variables; `secret` is the name of the chart's own for this pod. */}}
{{- define "tenure.envFrom" -}}
{{- $own := ternary .secret "" (ne (include "tenure.secretData" .root | trim) "") -}}
{{- $name := .root.Values.secret.existing | default $own -}}
{{- $extra := .root.Values.extraEnvFrom | default list -}}
{{- if or $name $extra -}}
envFrom:
  {{- with $name }}
  - secretRef:
      name: {{ . }}
  {{- end }}
  {{- with $extra }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}
