{{- /* One autoscaler and disruption budget: (dict "root" $ "role" "api" "values" .Values.api). */}}
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
    {{- with .values.autoscaling.extraMetrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .values.autoscaling.behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
---
{{- end }}
{{- $budget := .values.podDisruptionBudget }}
{{- if ne (toString $budget.enabled) "false" }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tenure.fullname" $root }}-{{ .role }}
  labels:
    {{- include "tenure.labels" $root | nindent 4 }}
spec:
  {{- if kindIs "invalid" $budget.minAvailable }}
  maxUnavailable: {{ $budget.maxUnavailable }}
  {{- else }}
  minAvailable: {{ $budget.minAvailable }}
  {{- end }}
  # A pod that does not become ready must not keep its machine from being drained.
  unhealthyPodEvictionPolicy: {{ $budget.unhealthyPodEvictionPolicy | default "AlwaysAllow" }}
  selector:
    matchLabels:
      {{- include "tenure.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
{{- end }}
{{- end }}

{{- /* Most pods of a component, with the one more of a rolling update. */}}
{{- define "tenure.mostPods" -}}
{{ add 1 (ternary (.autoscaling.maxReplicas | default 1) (.replicas | default 1) .autoscaling.enabled) }}
{{- end }}

{{- /* Connections that a pod may open: its processes, each with its pool and three beside it. */}}
{{- define "tenure.connectionsEach" -}}
{{- $pool := include "tenure.number" (merge (dict "name" "SERVICE_DATABASE_POOL_SIZE" "default" 20) .) -}}
{{- $processes := include "tenure.number" (merge (dict "name" "SERVICE_WORKERS" "default" 1) .) -}}
{{ mul (int $processes) (add 3 (int $pool)) }}
{{- end }}

{{- /*
Refuses what can grow beyond the connections of the database. The migration is over before a rolling update adds pods, so
those leave room for it.
*/}}
{{- define "tenure.checkConnections" -}}
{{- with (.Values.database).maxConnections -}}
{{- $sum := 0 -}}
{{- $terms := list -}}
{{- range $role := list "api" "worker" -}}
{{- $values := index $.Values $role -}}
{{- $pods := include "tenure.mostPods" $values | int -}}
{{- $each := include "tenure.connectionsEach" (dict "root" $ "values" $values) | int -}}
{{- $sum = add $sum (mul $pods $each) -}}
{{- $terms = append $terms (printf "%d %s pods x %d" $pods $role $each) -}}
{{- end -}}
{{- if gt (int $sum) (int .) -}}
{{- fail (printf "pods may open %s = %d connections, and database.maxConnections is %d (a pod opens up to SERVICE_WORKERS x (pool + 3); a rolling update adds a pod to each). Lower autoscaling.maxReplicas or database.poolSize, or raise max_connections and database.maxConnections. Behind a pooler it is the pooler's limit of clients; null does not check." (join " + " $terms) (int $sum) (int .)) -}}
{{- end -}}
{{- end -}}
{{- end }}
