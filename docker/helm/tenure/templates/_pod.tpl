{{- /* (dict "root" $ "values" .Values.api "name" key): the component's own value, else the one of all pods. */}}
{{- define "tenure.setting" -}}
{{- $value := index .values .name -}}
{{- if kindIs "invalid" $value }}{{ $value = index .root.Values .name }}{{ end -}}
{{- with $value }}{{ toYaml . }}{{ end -}}
{{- end }}

{{- /* The same dict: the component's map over the one of all pods. */}}
{{- define "tenure.merged" -}}
{{- $own := deepCopy (index .values .name | default dict) -}}
{{- with merge $own (index .root.Values .name | default dict) }}{{ toYaml . }}{{ end -}}
{{- end }}

{{- define "tenure.podSecurity" -}}
{{- $default := dict "runAsNonRoot" true "runAsUser" 1000 "runAsGroup" 1000
  "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{ .Values.podSecurityContext | default $default | toYaml }}
{{- end }}

{{- define "tenure.containerSecurity" -}}
{{- $default := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true
  "capabilities" (dict "drop" (list "ALL")) -}}
{{ .Values.securityContext | default $default | toYaml }}
{{- end }}

{{- /* Labels of a pod: (dict "root" $ "values" … "role" …). */}}
{{- define "tenure.podLabels" -}}
{{- with include "tenure.merged" (merge (dict "name" "podLabels") .) }}
{{- . }}
{{ end }}
{{- include "tenure.labels" .root }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- /* Spread over machines as far as there are any; constraints without a selector get that of the component. */}}
{{- define "tenure.spread" -}}
{{- $selector := include "tenure.selector" .root | fromYaml -}}
{{- $_ := set $selector "app.kubernetes.io/component" .role -}}
{{- $soft := list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway") -}}
{{- $given := include "tenure.setting" (merge (dict "name" "topologySpreadConstraints") .) | fromYamlArray -}}
{{- $constraints := list -}}
{{- range $given | default $soft -}}
{{- $constraint := deepCopy . -}}
{{- if not .labelSelector }}{{ $_ := set $constraint "labelSelector" (dict "matchLabels" $selector) }}{{ end -}}
{{- $constraints = append $constraints $constraint -}}
{{- end -}}
{{ toYaml $constraints }}
{{- end }}

{{- /* "true" if the chart mounts /tmp, where exports are written: the root file system is read-only. */}}
{{- define "tenure.hasTmp" -}}
{{- $isGiven := false -}}
{{- range .Values.extraVolumeMounts }}{{ if eq (.mountPath | trimSuffix "/") "/tmp" }}{{ $isGiven = true }}{{ end }}{{ end -}}
{{- $isOff := eq (dig "enabled" true (.Values.tmpVolume | default dict)) false -}}
{{- not (or $isGiven $isOff) -}}
{{- end }}

{{- define "tenure.tmpVolumes" -}}
{{- if include "tenure.hasTmp" . | eq "true" -}}
- name: tenure-tmp
  emptyDir:
    sizeLimit: {{ dig "sizeLimit" "1Gi" (.Values.tmpVolume | default dict) }}
{{- end -}}
{{- end }}

{{- /* What every pod has beside its containers: (dict "root" $ "values" … "role" …). */}}
{{- define "tenure.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "tenure.podSecurity" .root | nindent 2 }}
{{- with concat (include "tenure.tmpVolumes" .root | fromYamlArray) (.root.Values.extraVolumes | default list) }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $name := list
  "imagePullSecrets" "nodeSelector" "tolerations" "affinity" "priorityClassName" "runtimeClassName" "schedulerName"
  "dnsPolicy" "dnsConfig" "hostAliases" "initContainers"
}}
{{- with include "tenure.setting" (merge (dict "name" $name) $) }}
{{ $name }}:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- /* What the container of every pod has: the same dict and "secret", the chart's own for this pod. */}}
{{- define "tenure.containerBasics" -}}
image: {{ include "tenure.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy | default "IfNotPresent" }}
securityContext:
  {{- include "tenure.containerSecurity" .root | nindent 2 }}
{{- with include "tenure.envFrom" . }}
{{ . }}
{{- end }}
{{- $tmp := ternary (list (dict "name" "tenure-tmp" "mountPath" "/tmp")) list (include "tenure.hasTmp" .root | eq "true") }}
{{- with concat $tmp (.root.Values.extraVolumeMounts | default list) }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
