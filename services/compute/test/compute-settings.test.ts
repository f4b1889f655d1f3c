import { newId } from '@svc/runtime/id'
import { describe, expect, test } from 'vitest'
import { type Answer, newCluster } from './settings-client.ts'
import { client, clients, fresh, settingsScene, stack } from './settings-scene.ts'

settingsScene()

const problems = ({ status, body }: Answer) => [
  status,
  body._tag,
  ...(body.errors as { code: number; path?: string[] }[]).map(({ code, path }) => [code, path?.join('.')]),
]

describe('GET', () => {
  test('returns exactly the settings, with the etag in the header too', async () => {
    const before = Math.floor(Date.now() / 1000)
    const id = await newCluster(stack)
    const { status, headers, body } = await client.get(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      auto_scaling: 'active',
      machines: 0,
      max_machines: 10,
      updated_at: expect.any(Number),
      etag: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
    })
    expect(body.updated_at).toBeGreaterThanOrEqual(before)
    expect(body.updated_at).toBeLessThanOrEqual(Date.now() / 1000)
    expect(headers.get('etag')).toBe(`"${body.etag}"`)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('returns the same until something changes', async () => {
    const { id, settings } = await fresh()
    for (const other of clients) expect((await other.get(id)).body).toEqual(settings)
  })
})

describe('a cluster that does not exist', () => {
  test.each(['GET', 'PATCH'])('%s answers 404 with nothing but the tag', async method => {
    const id = newId('clus')
    const answer = method === 'GET' ? await client.get(id) : await client.patch(id, { max_machines: 5 }, 'x')
    expect(answer.status).toBe(404)
    expect(answer.text).toBe('{"_tag":"ClusterNotFoundError"}')
    expect(answer.headers.has('etag')).toBe(false)
  })
})

describe('PATCH', () => {
  test.each([
    [{ auto_scaling_enabled: false }, { auto_scaling: 'inactive', max_machines: 10 }],
    [{ max_machines: 7 }, { auto_scaling: 'active', max_machines: 7 }],
    [
      { auto_scaling_enabled: false, max_machines: 7 },
      { auto_scaling: 'inactive', max_machines: 7 },
    ],
  ])('%j changes that, and returns the settings with a new etag', async (body, expected) => {
    const { id, etag } = await fresh()
    const before = Math.floor(Date.now() / 1000)
    const answer = await client.patch(id, body, etag)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual([
      'auto_scaling',
      'etag',
      'machines',
      'max_machines',
      'updated_at',
    ])
    expect(answer.body).toMatchObject({ ...expected, machines: 0 })
    expect(answer.body.updated_at).toBeGreaterThanOrEqual(before)
    expect(answer.body.etag).not.toBe(etag)
    expect(answer.headers.get('etag')).toBe(`"${answer.body.etag}"`)
    expect((await client.get(id)).body).toEqual(answer.body)
  })

  test.each([1, 2, 999, 1000, '1e3', '10.0'])('max_machines %s is accepted', async max => {
    const { id, etag } = await fresh()
    const answer = await client.patch(id, `{"max_machines":${max}}`, etag)
    expect([answer.status, answer.body.max_machines]).toEqual([200, Number(max)])
  })

  test.each([0, -1, 1001, 1.5, 2_147_483_648, 9_007_199_254_740_992, '"5"', 'null', 'true', '[]', '1e400'])(
    'max_machines %s is 400',
    async max => {
      const { id, etag, settings } = await fresh()
      const answer = await client.patch(id, `{"max_machines":${max}}`, etag)
      expect(problems(answer)).toEqual([400, 'Validation', [40002, 'max_machines']])
      expect((await client.get(id)).body).toEqual(settings)
    },
  )

  test.each<[string, [number, string][]]>([
    ['{}', [[40002, '']]],
    ['{"machines":5}', [[40002, 'machines']]],
    [
      '{"max_machines":5,"machines":5,"etag":"x"}',
      [
        [40002, 'machines'],
        [40002, 'etag'],
      ],
    ],
    ['{"auto_scaling":"active"}', [[40002, 'auto_scaling']]],
    ['{"auto_scaling_enabled":"yes"}', [[40002, 'auto_scaling_enabled']]],
    ['{"auto_scaling_enabled":null}', [[40002, 'auto_scaling_enabled']]],
    [
      '{"auto_scaling_enabled":1,"max_machines":0}',
      [
        [40002, 'auto_scaling_enabled'],
        [40002, 'max_machines'],
      ],
    ],
    ['[]', [[40002, '']]],
    ['null', [[40002, '']]],
    ['', [[40002, '']]],
    ['{"max_machines":5', [[40001, '']]],
  ])('the body %s is 400, each problem at its path', async (body, expected) => {
    const { id, etag } = await fresh()
    const [status, tag, ...entries] = problems(await client.patch(id, body, etag))
    expect([status, tag]).toEqual([400, 'Validation'])
    for (const entry of expected) {
      expect(
        entries.map(found => [...(found as [number, string | undefined])].map(part => part ?? '')),
      ).toContainEqual(entry)
    }
  })
})

describe('If-Match', () => {
  test.each([
    ['bare', (etag: string) => etag],
    ['in quotes', (etag: string) => `"${etag}"`],
    ['with spaces around it', (etag: string) => `  "${etag}" `],
  ])('with the etag %s is accepted', async (_form, form) => {
    const { id, etag } = await fresh()
    expect((await client.patch(id, { max_machines: 5 }, form(etag))).status).toBe(200)
  })

  test.each<[string, (etag: string) => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['in empty quotes', () => '""'],
    ['*', () => '*'],
    ['* in quotes', () => '"*"'],
    ['weak', etag => `W/"${etag}"`],
    ['weak and bare', etag => `W/${etag}`],
    ['a list', etag => `"${etag}", "other"`],
    ['a list of the same', etag => `"${etag}", "${etag}"`],
    ['a bare list', etag => `${etag},${etag}`],
    ['half quoted', etag => `"${etag}`],
    ['quoted twice', etag => `""${etag}""`],
    ['in single quotes', etag => `'${etag}'`],
    ['two words', etag => `${etag} ${etag}`],
    ['too long', () => 'x'.repeat(65)],
    ['no ASCII', () => 'é'],
  ])('%s is 400, and nothing changes', async (_form, form) => {
    const { id, etag, settings } = await fresh()
    const answer = await client.patch(id, { max_machines: 5 }, form(etag))
    expect([answer.status, answer.body._tag]).toEqual([400, 'Validation'])
    expect(answer.body.errors).toMatchObject([{ code: 40003, path: ['If-Match'] }])
    expect((await client.get(id)).body).toEqual(settings)
  })

  test('with a different etag is 409, with the current one in the body, outside the envelope', async () => {
    const { id, etag, settings } = await fresh()
    const answer = await client.patch(id, { max_machines: 5 }, `x${etag}`.slice(0, 64))
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual({
      _tag: 'ComputeSettingsConflictError',
      message: expect.any(String),
      currentEtag: etag,
    })
    expect((await client.get(id)).body).toEqual(settings)
  })

  test('is case-sensitive', async () => {
    const { id, etag } = await fresh()
    const swapped = etag.replace(/[a-z]/gi, c => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
    expect((await client.patch(id, { max_machines: 5 }, swapped)).status).toBe(409)
  })

  test('is checked after the cluster is found', async () => {
    expect((await client.patch(newId('clus'), { max_machines: 5 }, 'wrong')).status).toBe(404)
  })
})
