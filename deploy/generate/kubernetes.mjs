import { entries, memoryLimit } from '@svc/contract/manifest'

const head =
  '# Written from libs/contract/src/manifest.ts: npm run generate. What an overlay changes it patches.\n'

/**
 * Resources of each service in every cluster, with a job that migrates its schema as its own role
 * (deploy/migrate-schema.mjs).
 */
export const services = () =>
  head + entries.flatMap(entry => [serviceObjects(entry), migrationJob(entry)]).join('---\n')

const serviceObjects = ([name, { resources, settings }]) => `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
automountServiceAccountToken: false
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app.kubernetes.io/component: process
spec:
  selector:
    matchLabels: { app.kubernetes.io/name: ${name} }
  template:
    metadata:
      labels:
        app.kubernetes.io/name: ${name}
        app.kubernetes.io/component: process
        app.kubernetes.io/part-of: svc
        svc/bus: client
        svc/database: client
    spec:
      serviceAccountName: ${name}
      # DRAIN_TIMEOUT_MS, and the last lines of the log. Nothing is sent to it but by the bus, from which it takes its
      # leave itself: there is no preStop.
      terminationGracePeriodSeconds: 15
      containers:
        - name: main
          image: svc-${name}
          env:
            - { name: NATS_USER, value: ${name} }
          envFrom:
            - configMapRef: { name: common }
            - configMapRef: { name: services }
${settings ? `            - configMapRef: { name: ${name} }\n` : ''}            - secretRef: { name: ${name} }
          resources:
            requests: { cpu: ${resources.cpu}, memory: ${resources.memory} }
            limits: { memory: ${memoryLimit} }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: ${name}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }
  minReplicas: 2
  maxReplicas: 3
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: { app.kubernetes.io/name: ${name} }
`

const migrationJob = ([name]) => `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate-${name}.tag
  labels:
    app.kubernetes.io/component: migrations
    app.kubernetes.io/version: tag
spec:
  # A Job cannot be changed, so each release has its own, with the overlay's tag in its name.
  ttlSecondsAfterFinished: 300
  backoffLimit: 20
  template:
    metadata:
      labels:
        app.kubernetes.io/name: migrate-${name}
        app.kubernetes.io/component: migrations
        svc/database: client
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      restartPolicy: OnFailure
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: main
          image: svc-${name}
          imagePullPolicy: IfNotPresent
          command: [node, ../../deploy/migrate-schema.mjs, ${name}]
          envFrom:
            - secretRef: { name: ${name} }
          resources:
            requests: { cpu: 50m, memory: 64Mi }
            limits: { memory: 256Mi }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
`
