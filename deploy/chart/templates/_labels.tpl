{{- define "greenlight.labels" -}}
app.kubernetes.io/name: greenlight
app.kubernetes.io/component: worker
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
