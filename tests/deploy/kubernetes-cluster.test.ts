/**
 * Overlays and components as a real API server takes them: a strict dry run against the cluster that SVC_KUBECONFIG names. Nothing stays
 * there but for the time of the test a namespace, since a dry run in one that does not exist is refused.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { kubectl, type Manifest, objectsIn, objectsOf, variants } from '@svc/testing/deploy/kubernetes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const kubeconfig = process.env.SVC_KUBECONFIG
const namespace = `svc-dry-run-${randomBytes(4).toString('hex')}`

/** Groups of operators, which a cluster may lack; what is left out is said. */
const ofOperators = [
  'postgresql.cnpg.io',
  'cert-manager.io',
  'monitoring.coreos.com',
  'gateway.networking.k8s.io',
]
const groupOf = ({ apiVersion }: Manifest) => apiVersion.split('/').at(-2) ?? ''

describe.skipIf(!kubectl || !kubeconfig)('the cluster of SVC_KUBECONFIG', () => {
  let served: string[]
  beforeAll(async () => {
    served = (await run(['api-versions'])).out.trim().split('\n')
    const own = (await objectsIn('kubernetes/cluster')).find(({ kind }) => kind === 'Namespace') as Manifest
    const made = await run(['create', '-f', '-'], {
      ...own,
      metadata: { ...own.metadata, name: namespace },
    })
    expect(made).toMatchObject({ status: 0 })
  })
  afterAll(async () => {
    await run(['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false'])
  })

  const dryRun = (objects: readonly Manifest[]) =>
    run(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], ...objects.map(inOwnNamespace))

  /** Those that the cluster can judge. */
  function judged(objects: readonly Manifest[]) {
    const unknown = objects.filter(({ apiVersion }) => !served.includes(apiVersion))
    for (const object of unknown) expect(ofOperators).toContain(groupOf(object))
    const kinds = [...new Set(unknown.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))]
    if (kinds.length > 0) process.stderr.write(`Not known to this cluster: ${kinds.join(', ')}\n`)
    return objects.filter(object => !unknown.includes(object))
  }

  test.each(variants)('takes %s without an error or a warning', async variant => {
    const objects = judged(await objectsOf(variant))
    expect(objects.length).toBeGreaterThan(35)
    const { status, out, err } = await dryRun(objects)
    // Also said: what would be refused by the standard "restricted". Dots in the names of Jobs are meant.
    const warnings = err.split('\n').filter(line => line !== '' && !/a DNS label is recommended/.test(line))
    expect({ status, warnings }).toEqual({ status: 0, warnings: [] })
    expect(out.match(/\(server dry run\)/g)).toHaveLength(objects.length)
  })

  test.each(['kubernetes/cluster', 'kubernetes/pools', 'observability'])('takes %s', async folder => {
    const { status, err } = await dryRun(judged(await objectsIn(folder)))
    expect({ status, err }).toEqual({ status: 0, err: '' })
  })

  test('refuses a key that it does not know', async () => {
    const wrong = (await objectsOf('small')).find(({ kind }) => kind === 'Deployment') as Manifest
    Object.assign(wrong.spec.template.spec, { automountToken: false })
    const { status, err } = await dryRun([wrong])
    expect(status).not.toBe(0)
    expect(err).toContain('unknown field "spec.template.spec.automountToken"')
  })
})

/** In place of `svc`, or of the namespace that is given at the command line. */
function inOwnNamespace(object: Manifest): Manifest {
  if (['Namespace', 'PriorityClass'].includes(object.kind)) return object
  return { ...object, metadata: { ...object.metadata, namespace } }
}

function run(
  args: string[],
  ...input: Manifest[]
): Promise<{ status: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(kubectl ?? '', ['--kubeconfig', kubeconfig ?? '', ...args])
    let out = ''
    let err = ''
    child.stdout.on('data', data => {
      out += data
    })
    child.stderr.on('data', data => {
      err += data
    })
    child.on('error', reject)
    child.on('close', status => resolve({ status, out, err }))
    child.stdin.end(input.map(object => JSON.stringify(object)).join('\n---\n'))
  })
}
