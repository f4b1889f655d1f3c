import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codes, type Tag, tags } from '../src/core/error-codes.ts'
import type { ErrorEntry } from '../src/core/errors.ts'
import { allExamples } from '../src/openapi/all-examples.ts'
import { openApiDocument } from '../src/openapi/document.ts'
import { type Group, groups } from '../src/openapi/groups.ts'
import { operations } from '../src/services.ts'

const document = openApiDocument('https://api.example.com/v1')

const schema = z.record(z.string(), z.unknown())
const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/[a-z]+\/[\w-]+$/) })
const example = z.strictObject({ summary: z.string().min(1), value: z.unknown() })
const content = z.strictObject({
  'application/json': z.strictObject({
    schema,
    examples: z.record(z.string().regex(/^\w+$/), z.union([reference, example])).optional(),
  }),
})
const parameter = z.strictObject({
  name: z.string().regex(/^[A-Za-z_-]+$/),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().min(1),
  schema,
  example: z.unknown().optional(),
})
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), reference),
  content: content.optional(),
})
const security = z.array(z.record(z.string(), z.array(z.string())))
const group = z.enum(Object.keys(groups) as [Group])
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z-]+\.[a-z_]+$/),
  summary: z.string().min(1).max(90),
  description: z.string().min(1),
  tags: z.tuple([group]),
  security,
  parameters: z.array(z.union([reference, parameter])),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), z.union([reference, response])),
})

/** The part of OpenAPI 3.1 that the document uses; anything else in it is a mistake. */
const openApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string().min(1),
    version: z.literal('1.0.0'),
    description: z.string(),
    contact: z.strictObject({ name: z.string() }),
    license: z.strictObject({ name: z.literal('UNLICENSED'), url: z.url() }),
  }),
  servers: z.array(z.strictObject({ url: z.string().min(1) })).min(1),
  tags: z.array(z.strictObject({ name: group, description: z.string().min(1) })),
  paths: z.record(
    z.string().regex(/^\/[a-z_/{}]+$/),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  webhooks: z.record(z.string(), z.strictObject({ post: operation })),
  components: z.strictObject({
    securitySchemes: z.record(
      z.string(),
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('http'),
          scheme: z.literal('bearer'),
          bearerFormat: z.string().optional(),
          description: z.string(),
        }),
        z.strictObject({
          type: z.literal('apiKey'),
          in: z.literal('header'),
          name: z.string(),
          description: z.string(),
        }),
      ]),
    ),
    parameters: z.record(z.string(), parameter),
    headers: z.record(z.string(), z.strictObject({ description: z.string(), schema, example: z.string() })),
    responses: z.record(z.string(), response),
    examples: z.record(z.string(), example),
    schemas: z.record(z.string().regex(/^[A-Za-z]+$/), schema),
  }),
})

const parsed = openApi.parse(JSON.parse(JSON.stringify(document)))
const routes = Object.entries(parsed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    described: {
      ...described,
      parameters: described.parameters.map(one => parameter.parse(followed(one))),
      responses: Object.fromEntries(
        Object.entries(described.responses).map(([status, one]) => [status, response.parse(followed(one))]),
      ),
    },
  })),
)

describe('the document', () => {
  test('has every HTTP operation of the contract, and none of the bus', () => {
    const expected = operations.flatMap(({ operation: { http } }) =>
      http ? [`${http.method} ${http.path}`] : [],
    )
    expect(routes.map(({ name }) => name).sort()).toEqual(expected.sort())
  })

  test('has the operations that docs/specification.md names', () => {
    expect(routes.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'POST /offers',
        'POST /api_tokens',
        'GET /api_tokens',
        'DELETE /api_tokens/{id}',
        'GET /installs',
        'PATCH /clusters/{id}/compute_settings',
      ]),
    )
  })

  test('gives every operation a unique id', () => {
    const ids = routes.map(({ described }) => described.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has no dangling references', () => {
    const references = [...JSON.stringify(parsed).matchAll(/"\$ref":"([^"]*)"/g)].map(
      ([, target]) => target ?? '',
    )
    expect(references.length).toBeGreaterThan(10)
    for (const target of references) expect(resolve(target), target).toBeTypeOf('object')
    for (const requirement of routes.flatMap(({ described }) => described.security)) {
      for (const name of Object.keys(requirement))
        expect(parsed.components.securitySchemes).toHaveProperty(name)
    }
  })

  test('describes every tag, with its status if an operation can answer it', () => {
    // That of other methods is no answer of an operation.
    const described = Object.keys(tags).filter(tag => tag !== 'MethodNotAllowed')
    expect(Object.keys(parsed.components.schemas)).toEqual(expect.arrayContaining(described))
    for (const { name, described: operation } of routes) {
      for (const [status, { content: body }] of Object.entries(operation.responses)) {
        const targets = [...JSON.stringify(body ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g)]
        for (const [, tag] of targets.filter(([, name = '']) => Object.hasOwn(tags, name)))
          expect(tags[tag as Tag].status, `${name} ${tag}`).toBe(Number(status))
      }
    }
  })

  test('tells the variants of an offer apart by what each requires and refuses', () => {
    const { schema: body } = parsed.paths['/offers']?.post?.requestBody?.content['application/json'] ?? {}
    const variants = ((body?.oneOf ?? []) as { $ref: string }[]).map(({ $ref }) => resolve($ref) as Variant)
    const told = variants.map(({ title, required, properties, additionalProperties }) => ({
      title,
      required,
      refuses: ['product_id', 'package_version_id', 'offer_channel_id', 'tier'].filter(
        name => !Object.hasOwn(properties, name) && additionalProperties === false,
      ),
    }))
    expect(told).toEqual([
      { title: 'Of a product', required: ['product_id'], refuses: ['offer_channel_id'] },
      {
        title: 'Of a package version',
        required: ['package_version_id'],
        refuses: ['product_id', 'offer_channel_id'],
      },
      {
        title: 'Through an offer channel',
        required: ['product_id', 'offer_channel_id'],
        refuses: ['tier'],
      },
    ])
  })

  test('names the property by which variants of pricing differ', () => {
    expect(resolve('#/components/schemas/ChannelPolicyInput/properties/pricing')).toMatchObject({
      discriminator: {
        propertyName: 'kind',
        mapping: { fixed: '#/components/schemas/FixedPricing', range: '#/components/schemas/RangePricing' },
      },
    })
  })

  test('has no bounds that only restate the range of JavaScript numbers', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  test('lists every code with the answers that carry it, except those of pages, of the bus, of the bare connection and of other methods', () => {
    const descriptions = routes.flatMap(({ described }) =>
      Object.values(described.responses).map(({ description }) => description),
    )
    const unlisted = Object.entries(codes).filter(
      ([, [code]]) => !descriptions.some(one => one.includes(`- \`${code}\` `)),
    )
    expect(unlisted.map(([name]) => name)).toEqual([
      'sign_in_failed',
      'sign_in_ended',
      'factor_required',
      'method_not_allowed',
      'key_too_young',
      'key_signs',
      'confirmation_closed',
      'factor_refused',
      'factor_not_added',
      'link_invalid',
      'too_many_connections',
    ])
  })

  test.each(allExamples.filter(({ answer }) => answer.status >= 400))(
    'lists the codes of the example $service.$operation $name',
    ({ service, operation, answer }) => {
      const { described } =
        routes.find(each => each.described.operationId === `${service}.${operation}`) ?? {}
      const { errors = [] } = answer.body as { errors?: ErrorEntry[] }
      for (const { code } of errors) {
        expect(described?.responses[answer.status]?.description).toContain(`- \`${code}\` `)
      }
    },
  )

  test('has no groups without operations, and begins with what most readers look for', () => {
    const names = parsed.tags.map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['Offers', 'Orders', 'Products'])
    expect([...new Set(routes.flatMap(({ described }) => described.tags))].sort()).toEqual([...names].sort())
  })

  test('says which operations need no credential, and which ignore it', () => {
    const open = routes.filter(
      ({ described: { security } }) =>
        security.length === 0 || security.some(one => Object.keys(one).length === 0),
    )
    expect(Object.fromEntries(open.map(({ name, described }) => [name, described.security]))).toEqual({
      'GET /i/{short_hash}': [{}, { session: [] }, { api_token: [] }, { jwt: [] }],
      'GET /workspaces/{id}/licence_keys': [],
      'POST /webhooks/stripe': [],
    })
    const contexts = routes.filter(({ described }) =>
      described.parameters.some(one => one.name === 'Svc-Context'),
    )
    expect(routes.filter(route => !contexts.includes(route)).map(({ name }) => name)).toEqual([
      'GET /installs/{id}/field_values',
      'GET /installs/{id}/licence',
      'GET /workspaces/{id}/licence_keys',
      'POST /webhooks/stripe',
    ])
  })

  test('names the credentials with which each operation can succeed', () => {
    const kindsOf = (name: string) =>
      routes.find(route => route.name === name)?.described.security.flatMap(one => Object.keys(one))
    expect(kindsOf('POST /offers')).toEqual(['session', 'api_token', 'jwt'])
    // An API token is a member, and only owners and admins may create tokens.
    expect(kindsOf('POST /api_tokens')).toEqual(['session', 'jwt'])
    expect(kindsOf('GET /sessions')).toEqual(['session', 'jwt'])
    expect(kindsOf('GET /workspaces/{id}/members')).toEqual(['session', 'api_token', 'jwt'])
    expect(kindsOf('GET /installs/{id}/field_values')).toEqual(['install_credential'])
  })

  test('has schemas that are JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(parsed, 'openapi')
    const schemas = [
      ...Object.values(parsed.components.schemas),
      ...routes.flatMap(({ described }) => [
        ...described.parameters.map(({ schema }) => schema),
        ...[described.requestBody, ...Object.values(described.responses)].flatMap(part =>
          part?.content ? [part.content['application/json'].schema] : [],
        ),
      ]),
    ]
    for (const one of schemas) expect(ajv.validateSchema(one), ajv.errorsText()).toBe(true)
  })
})

describe.each(routes)('$name', ({ path, described }) => {
  test('declares the parameters of its path, each once', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = described.parameters.filter(one => one.in === 'path')
    expect(declared.map(({ name }) => name)).toEqual(inPath)
    expect(declared.every(({ required }) => required)).toBe(true)
    const all = described.parameters.map(one => `${one.in} ${one.name.toLowerCase()}`)
    expect(new Set(all).size).toBe(all.length)
  })

  test('has one success, and every answer that the gateway may give for it', () => {
    const statuses = Object.keys(described.responses).map(Number)
    expect(statuses.filter(status => status < 400)).toHaveLength(1)
    expect(statuses).toEqual(expect.arrayContaining([400, 401, 403, 408, 431, 500, 503, 504]))
    if (described.requestBody) expect(statuses).toEqual(expect.arrayContaining([413, 415]))
  })

  test('names the headers that its answers carry', () => {
    for (const [status, { headers, content }] of Object.entries(described.responses)) {
      expect(headers).toHaveProperty('Svc-Request-Id')
      if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate')
      if (status === '503') expect(headers).toHaveProperty('Retry-After')
      expect(content === undefined).toBe(status === '204')
    }
  })
})

describe('POST /offers', () => {
  const { described } = routes.find(({ name }) => name === 'POST /offers') ?? {}
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(parsed, 'openapi')
  const valid = ajv.compile({
    $ref: 'openapi#/paths/~1offers/post/requestBody/content/application~1json/schema',
  })

  test.each<[string, object, boolean]>([
    ['variant A', { product_id: 'p' }, true],
    ['variant A with version and tier', { product_id: 'p', package_version_id: 'v', tier: 't' }, true],
    ['variant B', { package_version_id: 'v', tier: '' }, true],
    ['variant C', { product_id: 'p', offer_channel_id: 'o' }, true],
    ['variant C with a tier', { product_id: 'p', offer_channel_id: 'o', tier: 't' }, false],
    ['a channel without a product', { offer_channel_id: 'o' }, false],
    ['none of them', {}, false],
    ['unlimited uses', { product_id: 'p', max_uses: null }, true],
    ['a field value without its value', { product_id: 'p', field_values: { a: { locked: true } } }, false],
    ['a field value of null', { product_id: 'p', field_values: { a: { value: null, locked: true } } }, true],
    ['an unknown property', { product_id: 'p', id: 'mine' }, false],
  ])('describes %s', (_, body, expected) => {
    expect(valid(body)).toBe(expected)
  })

  test('takes Idempotency-Key of 1 to 64 characters and Svc-Context of at most 53', () => {
    const schemas = Object.fromEntries(described?.parameters.map(({ name, schema }) => [name, schema]) ?? [])
    expect(schemas['Idempotency-Key']).toMatchObject({ type: 'string', minLength: 1, maxLength: 64 })
    expect(schemas['Svc-Context']).toMatchObject({ type: 'string', maxLength: 53 })
  })
})

/** The value itself, or what it refers to. */
function followed(part: object): unknown {
  return '$ref' in part ? resolve(String(part.$ref)) : part
}

interface Variant {
  readonly title: string
  readonly required: readonly string[]
  readonly properties: object
  readonly additionalProperties: boolean
}

function resolve(reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], parsed)
}
