import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { databasePasswordVariable, schemaOf, type ServiceName, serviceNames } from '@svc/contract/manifest'
import { natsUsers } from '@svc/local/secrets'
import { readConfig } from '@svc/runtime/config'
import { configOf } from '@svc/testing/deploy/config-of'
import {
  envOf,
  kubectl,
  type Manifest,
  objectsOf,
  overlays,
  podsOf,
  secretsOf,
} from '@svc/testing/deploy/kubernetes'
import { beforeAll, describe, expect, test } from 'vitest'
import { gatewayConfig } from '../../services/gateway/src/config.ts'
import { proxyCheck } from '../../services/gateway/src/edge/http/trusted-proxies.ts'

const everyProcess = ['gateway', ...serviceNames, 'compute-agent']
const configs = Object.fromEntries(
  await Promise.all(everyProcess.map(async name => [name, await configOf(name)] as const)),
)
const configured = (name: string, env: NodeJS.ProcessEnv) =>
  readConfig(shapeOf(name), env) as unknown as Configured
const shapeOf = (name: string) => configs[name] ?? {}
/** As far as the tests read it. */
interface Configured {
  readonly PORT?: number
  readonly HEALTH_PORT: number
  readonly DRAIN_TIMEOUT_MS: number
  readonly LAME_DUCK_MS?: number
}
const scaled = everyProcess.filter(name => name !== 'compute-agent')

/** What keeps its default in some overlay, and why that is right. */
const defaults: Record<string, string> = {
  NATS_USER: 'an agent comes as its clusters',
  NATS_PASSWORD: 'production has nkeys',
  NATS_SECOND_PASSWORD: 'only while passwords are being changed',
  DATABASE_SECOND_PASSWORD: 'only then',
  AGENT_ISSUER_SECOND_SEED: 'only then',
  NATS_NKEY_SEED: 'small has passwords',
  HEALTH_HOST: 'the kubelet comes from outside of the pod',
  HOST: 'so does the ingress controller',
  MAX_IN_FLIGHT: 'measured',
  MAX_FORWARDED: 'measured',
  RATE_LIMIT_CREDENTIAL: 'the operator’s to choose, as docs/bounds/limits.md says',
  RATE_LIMIT_WORKSPACE: 'so is this',
  RATE_LIMIT_BURST_SECONDS: 'and this',
  KEEP_ALIVE_SECONDS: 'more than that of the ingress controller',
  MAX_CONNECTIONS_PER_ADDRESS: 'no reason to change it',
  SUPPORT_CONTACT: 'the operator’s to give',
  DATABASE_QUEUE_LIMIT: 'measured',
  TRUSTED_ISSUERS: 'the operator’s to name',
  TRUSTED_WORKLOADS: 'so are these, beyond GitHub Actions and GitLab.com',
  EVENTS_MAX_AGE_DAYS: 'counts where the stream is made only',
  EVENTS_MAX_BYTES: 'counts where the stream is made only',
  EVENTS_REPLICAS: 'small has one server',
  PURGE_EVERY_SECONDS: 'no reason to change it',
  MAIL_FROM: 'small: follows from PUBLIC_URL',
  MAX_MACHINES: 'no reason to change it',
  STRIPE_SECRET_KEY: 'a secret of the operator’s',
  STRIPE_WEBHOOK_SECRET: 'so is this',
  STRIPE_API_BASE: 'for tests',
  RECONCILE_EVERY_SECONDS: 'no reason to change it',
  CLUSTER_API_VERSION: 'depends on the management cluster',
  SIMULATED_STEP_MS: 'for npm start',
  WEBHOOKS_PROXY: 'the operator’s to name',
  WEBHOOKS_PORTS: 'the network policy lets webhooks reach 443 alone',
  WEBHOOKS_ALLOW_LOOPBACK: 'for npm start',
}

const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8')
const natsConf = read('deploy/nats/nats.conf')

describe.skipIf(!kubectl).each(overlays)('%s', overlay => {
  let objects: Manifest[]
  let secrets: Map<string, Record<string, string>>
  // The agent is a component.
  const processes = overlay === 'cloudnative-pg' ? everyProcess : scaled
  beforeAll(async () => {
    objects = await objectsOf(overlay)
    secrets = secretsOf(overlay)
  })
  const find = (kind: string, name: string) => {
    const found = objects.find(object => object.kind === kind && object.metadata.name === name)
    if (!found) throw new Error(`There is no ${kind} ${name}.`)
    return found
  }
  const mainOf = (name: string) => find('Deployment', name).spec.template.spec.containers[0]
  const mounted = (name: string): string[] =>
    podsOf(objects)
      .filter(({ owner }) => owner.metadata.name === name)
      .flatMap(({ spec }) => spec.volumes.flatMap((volume: Manifest) => volume.secret?.secretName ?? []))
  const environment = (name: string) => envOf(objects, secrets, mainOf(name))

  test.each(processes)('%s gets exactly the variables that its code reads', name => {
    const env = environment(name)
    const known = Object.keys(shapeOf(name))
    expect(known).toEqual(expect.arrayContaining(Object.keys(env)))
    expect(Object.keys(defaults)).toEqual(
      expect.arrayContaining(known.filter(variable => !(variable in env))),
    )
    expect(() => configured(name, env)).not.toThrow()
    // An agent connects as its clusters.
    expect(env.NATS_USER).toBe(name === 'compute-agent' ? undefined : name)
    if (name === 'gateway' || name === 'compute-agent') expect(env).not.toHaveProperty('DATABASE_URL')
    else expect(new URL(env.DATABASE_URL ?? '').username).toBe(schemaOf(name as ServiceName))
  })

  test('the ports are those that the processes listen on', () => {
    for (const name of processes) {
      const config = configured(name, environment(name))
      const ports = Object.fromEntries(
        mainOf(name).ports.map((one: { name: string; containerPort: number }) => [
          one.name,
          one.containerPort,
        ]),
      )
      const own = 'PORT' in config ? { http: config.PORT } : {}
      expect(ports).toEqual({ health: config.HEALTH_PORT, ...own })
      const { startupProbe, readinessProbe, livenessProbe } = mainOf(name)
      expect(startupProbe.httpGet).toEqual({ path: '/livez', port: 'health' })
      expect(livenessProbe.httpGet).toEqual({ path: '/livez', port: 'health' })
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' })
    }
  })

  test('the bus and the database have the names that are used to reach them', () => {
    const set = find('StatefulSet', 'nats').spec
    const pods = Array.from({ length: set.replicas ?? 1 }, (_, n) => `nats-${n}.${set.serviceName}`)
    for (const name of [...processes, 'admin']) {
      const called = (environment(name).NATS_URL ?? '').split(',').map(url => new URL(url).host)
      expect(called).toEqual(overlay === 'small' ? ['nats:4222'] : pods.map(pod => `${pod}:4222`))
    }
    if (overlay === 'cloudnative-pg') {
      const { secretName, dnsNames } = find('Certificate', 'nats').spec
      // The one server of `small` as well.
      expect(dnsNames).toEqual(['nats', ...pods])
      expect(secretName).toBe('nats-tls')
    }
    for (const name of ['nats', 'admin', ...processes]) expect(mounted(name)).toContain('nats-tls')
    for (const name of ['admin', ...processes]) {
      const { volumeMounts } = mainOf(name)
      expect(volumeMounts).toContainEqual({
        name: 'bus-authority',
        mountPath: '/etc/nats-ca',
        readOnly: true,
      })
      expect(environment(name).NATS_TLS_CA_FILE).toBe('/etc/nats-ca/ca.crt')
    }
    expect(find('Service', 'nats').spec.ports).toContainEqual({ name: 'client', port: 4222 })
    const host = new URL(environment('offers').DATABASE_URL ?? '').host
    if (overlay === 'small') expect(host).toBe(`${find('Service', 'postgres').metadata.name}:5432`)
    if (overlay === 'cloudnative-pg')
      expect(host).toBe(`${find('Cluster', 'postgres').metadata.name}-rw:5432`)
  })

  test('NATS gets a credential for every user of its configuration, and each user the other half', () => {
    const kind = overlay === 'small' ? 'PASSWORD' : 'NKEY'
    const conf = natsConf.replaceAll('_PASSWORD', `_${kind}`)
    const asked = [...new Set([...conf.matchAll(/\$(NATS_\w+)/g)].map(([, variable]) => variable))]
    // And the key that signs for agents.
    expect(asked).toHaveLength(natsUsers.length + 1)
    expect(Object.keys(secrets.get('nats') ?? {}).sort()).toEqual(asked.sort())
    const [container] = find('StatefulSet', 'nats').spec.template.spec.containers
    const given = Object.keys(envOf(objects, secrets, container)).filter(one => one.startsWith('NATS_'))
    expect(given.sort()).toEqual(asked)
    for (const user of natsUsers) {
      const own = secrets.get(user === 'backoffice' ? 'admin' : user)
      expect(own).toHaveProperty(overlay === 'small' ? 'NATS_PASSWORD' : 'NATS_NKEY_SEED')
    }
    expect(environment('admin').NATS_USER).toBe('backoffice')
  })

  test('a pod has as much time as its process may take to stop', () => {
    for (const name of processes) {
      const config = configured(name, environment(name))
      const { terminationGracePeriodSeconds, containers } = find('Deployment', name).spec.template.spec
      const preStop = containers[0].lifecycle?.preStop.sleep.seconds ?? 0
      const logMs = 500
      expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(
        preStop * 1000 + config.DRAIN_TIMEOUT_MS + logMs,
      )
      // The last request may take its whole deadline.
      if (config.LAME_DUCK_MS !== undefined)
        expect(config.DRAIN_TIMEOUT_MS).toBeGreaterThan(config.LAME_DUCK_MS + 5000)
    }
  })

  test('the database has enough connections for the maximum number of replicas, including those of a rollout', () => {
    const most = scaled
      .filter(name => name !== 'gateway')
      .map(name => {
        const { maxSurge } = find('Deployment', name).spec.strategy.rollingUpdate
        const { maxReplicas } = find('HorizontalPodAutoscaler', name).spec
        return (maxReplicas + maxSurge) * Number(environment(name).DATABASE_POOL_SIZE)
      })
      .reduce((sum, one) => sum + one)
    const settings = {
      small: () => find('StatefulSet', 'postgres').spec.template.spec.containers[0].args.join(' '),
      'cloudnative-pg': () => JSON.stringify(find('Cluster', 'postgres').spec.postgresql.parameters),
      production: () => read('docs/running/kubernetes.md'),
    }
    const limit = Number(/max_connections\D+(\d+)/.exec(settings[overlay]())?.[1])
    const reserved = 3
    expect(most).toBeLessThan(limit - reserved)
  })

  test('the public address leads to the gateway', () => {
    const url = environment('gateway').PUBLIC_URL ?? ''
    expect(environment('auth-tokens').PUBLIC_URL).toBe(url)
    if (overlay === 'small') return
    const [rule] = find('Ingress', 'gateway').spec.rules
    expect(url).toBe(`https://${rule.host}`)
    const { port } = rule.http.paths[0].backend.service
    expect(find('Service', 'gateway').spec.ports).toEqual([{ name: port.name, port: 80, targetPort: 'http' }])
    if (overlay !== 'cloudnative-pg') return
    const route = find('HTTPRoute', 'gateway').spec
    expect(route.hostnames).toEqual([rule.host])
    expect(route.rules[0].backendRefs).toEqual([{ name: 'gateway', port: 80 }])
  })

  test('the gateway trusts an ingress controller in the cluster about addresses, and nobody outside it', () => {
    const believes = proxyCheck(readConfig(gatewayConfig, environment('gateway')).TRUST_PROXY)
    expect(believes('10.244.1.7')).toBe(true)
    for (const address of ['127.0.0.1', '::1', '203.0.113.9', '2001:db8::9'])
      expect(believes(address)).toBe(false)
    // What makes that safe: no other pod may connect to it.
    const { ingress } = find('NetworkPolicy', 'ingress-to-gateway').spec
    const proxies =
      overlay === 'cloudnative-pg' ? ['ingress-nginx', 'envoy-gateway-system'] : ['ingress-nginx']
    const from = proxies.map(name => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    }))
    expect(ingress).toEqual([{ from, ports: [{ port: 'http' }] }])
  })

  test('jobs run what the image contains, with what it reads', () => {
    const jobs = podsOf(objects).filter(({ owner }) => owner.kind === 'Job')
    const names = overlay === 'production' ? serviceNames.map(name => `migrate-${name}`) : ['setup-database']
    expect(jobs.map(({ name }) => name).sort()).toEqual([...names].sort())
    for (const { spec } of jobs) {
      const [{ command, image }] = spec.containers
      const script = `deploy/${command[1].split('/').at(-1)}`
      expect(existsSync(join(repoRoot, script)), script).toBe(true)
      expect(read('deploy/Dockerfile')).toContain(script)
      const asked = [...read(script).matchAll(/\b([A-Z_]+_URL):/g)].map(([, name]) => name)
      if (script.includes('setup')) asked.push(...serviceNames.map(databasePasswordVariable))
      expect(Object.keys(envOf(objects, secrets, spec.containers[0]))).toEqual(expect.arrayContaining(asked))
      if (command[2]) expect(image).toContain(command[2])
    }
  })
})

test('every default that is kept has a reason, and every reason a variable', () => {
  const known = new Set(Object.values(configs).flatMap(Object.keys))
  expect(Object.keys(defaults).filter(variable => !known.has(variable))).toEqual([])
})
