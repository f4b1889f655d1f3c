// The packages as others get them: packed, installed with npm into an empty folder without a network, and used there.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const { version } = JSON.parse(await readFile(join(repoRoot, 'package.json'), 'utf8'))

/** In KB, as their READMEs and docs/running/release.md say. */
const sizes = { client: 102, cli: 390 }
type Name = keyof typeof sizes
const names = Object.keys(sizes) as Name[]

describe('packed and installed', () => {
  let dir: string
  let tarballs: Record<Name, string>
  const installed = (name: Name) => join(dir, 'node_modules/@svc', name)
  const manifestOf = async (name: Name) =>
    JSON.parse(await readFile(join(installed(name), 'package.json'), 'utf8'))

  beforeAll(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'svc-consumer-')))
    const packed = join(dir, 'packed')
    await mkdir(packed)
    const { stdout } = await run(process.execPath, [join(repoRoot, 'scripts/pack.mjs'), packed])
    const [client = '', cli = ''] = stdout.trim().split('\n')
    tarballs = { client, cli }
    // What the client depends on, which comes from a registry otherwise.
    const needed = ['undici', 'zod'].map(name => join(repoRoot, 'node_modules', name))
    const { stdout: listed } = await npm([
      ...['pack', '--json', '--ignore-scripts', '--pack-destination', packed],
      ...needed,
    ])
    const others = JSON.parse(listed).map(({ filename }: { filename: string }) => join(packed, filename))
    await writeFile(join(dir, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
    await npm(['install', '--offline', '--no-audit', '--no-fund', ...others, client, cli])
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  function npm(args: readonly string[]) {
    const env = { PATH: process.env.PATH, HOME: dir, npm_config_cache: join(dir, 'cache') }
    return run('npm', args, { cwd: dir, env })
  }

  test('npm finds all that they depend on', async () => {
    expect((await readdir(join(dir, 'node_modules'))).filter(name => !name.startsWith('.')).sort()).toEqual([
      '@svc',
      'undici',
      'zod',
    ])
    expect((await readdir(join(dir, 'node_modules/@svc'))).sort()).toEqual(['cli', 'client'])
    await npm(['ls', '--all'])
  })

  test.each(names)(
    '%s states licence, engines and version, and refers to nothing of this repository',
    async name => {
      const { license, engines, version: stated, ...rest } = await manifestOf(name)
      expect([license, engines, stated]).toEqual(['UNLICENSED', { node: '>=20.19' }, version])
      expect(basename(tarballs[name])).toBe(`svc-${name}-${version}.tgz`)
      expect(rest.dependencies).toEqual(
        name === 'client'
          ? { undici: expect.stringMatching(/^\^7\./), zod: expect.stringMatching(/^\^4\./) }
          : undefined,
      )
      expect(Object.keys(rest)).not.toEqual(expect.arrayContaining(['private']))
      const texts = await Promise.all(
        (await readdir(installed(name), { recursive: true, withFileTypes: true }))
          .filter(entry => entry.isFile())
          .map(
            async entry => [entry.name, await readFile(join(entry.parentPath, entry.name), 'utf8')] as const,
          ),
      )
      const foreign = /\b(from |import\(|require\()["'](@svc\/(?!client)|\.[^"']*\.ts["'])|sourceMappingURL=/
      const referring = texts.filter(([, text]) => foreign.test(text))
      expect(referring.map(([file]) => file)).toEqual([])
      expect(texts.map(([file]) => file)).toContain('README.md')
    },
  )

  test.each(names)('%s has the size that the pages say, and no fault that publint knows', async name => {
    const kilobytes = (await stat(tarballs[name])).size / 1000
    expect(kilobytes).toBeLessThan(sizes[name])
    expect(kilobytes).toBeGreaterThan(sizes[name] * 0.8)
    const folder = name === 'cli' ? 'apps/cli' : 'libs/client'
    for (const page of [`${folder}/README.md`, 'docs/running/release.md']) {
      expect(await readFile(join(repoRoot, page), 'utf8')).toContain(`${sizes[name]} KB`)
    }
    const { messages } = await publint({ pkgDir: installed(name), pack: false, strict: true })
    expect(messages).toEqual([])
  })

  describe('the client', () => {
    let server: Server
    let base: string
    beforeAll(async () => {
      server = createServer((request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ path: request.url, token: request.headers.authorization }))
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      base = `http://127.0.0.1:${typeof address === 'object' && address?.port}/v1`
    })
    afterAll(() => server.close())

    const use = `const client = createClient({ baseUrl: process.argv[2], token: 'wst_1' })
      client.offers.get_offer({ params: { id: 'offer_1' } }).then(({ status, body }) =>
        console.log(status, JSON.stringify(body)))`

    test.each([
      ['import', 'use.mjs', `import { createClient } from '@svc/client'\n${use}`],
      [
        'import of the module alone',
        'alone.mjs',
        `import { createClient } from '@svc/client/client'\n${use}`,
      ],
      // Works from Node.js 20.19 on.
      ['require', 'use.cjs', `const { createClient } = require('@svc/client')\n${use}`],
    ])('works by %s', async (_, file, text) => {
      await writeFile(join(dir, file), text)
      const { stdout } = await run(process.execPath, [join(dir, file), base], { cwd: dir })
      expect(stdout).toBe('200 {"path":"/v1/offers/offer_1","token":"Bearer wst_1"}\n')
    })

    test('does not give out what exports does not name', async () => {
      await writeFile(join(dir, 'inside.mjs'), "await import('@svc/client/dist/send.js')")
      const { stderr } = await run(process.execPath, ['inside.mjs'], { cwd: dir }).catch(error => error)
      expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
    })

    test.each([
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
      ['preserve', 'bundler'],
    ])('has types for module %s with moduleResolution %s', async (module, moduleResolution) => {
      const folder = join(dir, `types-${module}`)
      await mkdir(folder)
      await writeFile(join(folder, 'right.ts'), typed)
      await writeFile(join(folder, 'wrong.ts'), mistyped)
      const compilerOptions = {
        ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [] },
        // Declarations are checked as well, except those of the language.
        ...{ strict: true, noEmit: true, skipLibCheck: false, skipDefaultLibCheck: true },
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      const tsc = join(repoRoot, 'node_modules/typescript/bin/tsc')
      const failed = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
        cwd: dir,
      }).catch(error => error)
      const problems = [...`${failed.stdout}`.matchAll(/([^/\s]+\.ts\(\d+),\d+\): error/g)].map(
        ([, at]) => at,
      )
      expect(problems).toEqual(['wrong.ts(3', 'wrong.ts(4', 'wrong.ts(6'])
    })
  })

  describe('svc', () => {
    const svc = (args: readonly string[]) =>
      run(join(dir, 'node_modules/.bin/svc'), args, {
        cwd: dir,
        env: { PATH: process.env.PATH, HOME: dir, SVC_BASE_URL: 'http://127.0.0.1:9/v1' },
      })

    test('is on the path of scripts, and says its version', async () => {
      expect((await svc(['--version'])).stdout).toBe(`${version}\n`)
      expect((await npm(['exec', '--offline', '--', 'svc', '--version'])).stdout).toBe(`${version}\n`)
    })

    test('runs a command', async () => {
      expect(await svc(['whoami']).catch(error => error)).toMatchObject({
        code: 3,
        stderr: 'svc: Not signed in at http://127.0.0.1:9/v1: svc login, or set SVC_TOKEN.\n',
      })
    })
  })
})

const typed = `import { type Client, createClient, items, ValidationError } from '@svc/client'
import { createClient as alone } from '@svc/client/client'

const client: Client = createClient({ baseUrl: 'https://api.example.com/v1', token: async () => 'wst_1' })
const { body } = await client.offers.create_offer({ body: { product_id: 'product_1', max_uses: 3 } })
export const texts: string[] = [body.id, body.short_hash]
for await (const { name } of items(alone({ baseUrl: '', token: '' })['auth-tokens'].list_api_tokens)) texts.push(name)
export const isValidation = (error: unknown): error is ValidationError => error instanceof ValidationError
`
const mistyped = `import { createClient } from '@svc/client'
const client = createClient({ baseUrl: '', token: '' })
export const one = client.offers.get_offer({ body: {} })
export const two = client.offers.drop_offer()
const { body } = await client.offers.create_offer({ body: { product_id: 'product_1' } })
export const three: number = body.id.missing
`
