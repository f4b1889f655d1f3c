/** Input schemas as sellers write them: the usual ones, and those that no form library expects. */

/** One of everything that has a field. */
export const everyField = {
  type: 'object',
  required: ['name', 'region', 'size', 'contact', 'payment'],
  properties: {
    name: {
      type: 'string',
      title: 'Name of the instance',
      description: 'Small letters, digits and hyphens.',
      pattern: '^[a-z][a-z0-9-]*$',
      minLength: 3,
      maxLength: 20,
    },
    region: { type: 'string', title: 'Region', enum: ['eu-west', 'eu-north', 'us-east'] },
    size: { type: 'integer', title: 'Machines', minimum: 1, maximum: 10, default: 3 },
    ratio: { type: 'number', title: 'Share of memory', exclusiveMinimum: 0, maximum: 1 },
    backups: { type: 'boolean', title: 'Daily backups', description: 'Kept for 30 days.' },
    contact: { type: 'string', title: 'Contact', format: 'email' },
    since: { type: 'string', title: 'First day', format: 'date' },
    edition: { title: 'Edition', const: 'standard' },
    note: { type: ['string', 'null'], title: 'Remark', maxLength: 2000 },
    network: {
      type: 'object',
      title: 'Network',
      description: 'Where it can be reached.',
      required: ['host'],
      properties: {
        host: { type: 'string', title: 'Host', minLength: 1 },
        port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65_535, default: 443 },
      },
    },
    users: {
      type: 'array',
      title: 'Users',
      maxItems: 5,
      items: {
        type: 'object',
        title: 'User',
        required: ['login'],
        properties: {
          login: { type: 'string', title: 'Login' },
          admin: { type: 'boolean', title: 'Administrator' },
        },
      },
    },
    tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
    days: {
      type: 'array',
      title: 'Days of maintenance',
      uniqueItems: true,
      items: { type: 'string', enum: ['Monday', 'Wednesday', 'Sunday'] },
    },
    payment: {
      title: 'Payment',
      oneOf: [
        {
          type: 'object',
          title: 'By card',
          required: ['holder'],
          properties: {
            kind: { const: 'card' },
            holder: { type: 'string', title: 'Card holder', minLength: 1 },
          },
        },
        {
          type: 'object',
          title: 'By invoice',
          required: ['reference'],
          properties: {
            kind: { const: 'invoice' },
            reference: { type: 'string', title: 'Order number', minLength: 1 },
          },
        },
      ],
    },
  },
} as const

/** Questions depend on earlier answers. */
export const conditions = {
  type: 'object',
  required: ['plan'],
  properties: {
    plan: { type: 'string', title: 'Plan', enum: ['free', 'team'] },
    seats: { type: 'integer', title: 'Seats', minimum: 1 },
    vat: { type: 'string', title: 'VAT number' },
    address: { type: 'string', title: 'Address' },
  },
  if: { required: ['plan'], properties: { plan: { const: 'team' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['seats'] },
  dependentRequired: { vat: ['address'] },
}

export const manyProperties = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`field${n}`, { type: 'string', title: `Field ${n}` }]),
  ),
})

/** Twenty times twenty when expanded. */
const alternatives = Object.fromEntries(
  [0, 1].map(depth => [
    `level${depth}`,
    {
      oneOf: Array.from({ length: 20 }, (_, n) => ({
        type: 'object',
        title: `Way ${n}`,
        required: ['next'],
        properties: {
          next: depth === 1 ? { type: 'string', const: `${n}` } : { $ref: `#/$defs/level${depth + 1}` },
        },
      })),
    },
  ]),
)

/** Each is a lot of work for the library at every letter typed. */
export const expensiveToDraw: Record<string, object> = {
  'alternatives within alternatives': {
    $defs: alternatives,
    properties: { plain: { type: 'string', title: 'Plain' }, ways: { $ref: '#/$defs/level0' } },
  },
  'a hundred conditions': {
    properties: { plain: { type: 'string', title: 'Plain' } },
    allOf: Array.from({ length: 100 }, (_, n) => ({
      if: { properties: { plain: { const: `value ${n}` } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['plain'] },
    })),
  },
  'options by the thousand': {
    properties: Object.fromEntries([
      ['plain', { type: 'string', title: 'Plain' }],
      ...Array.from({ length: 12 }, (_, n) => [
        `choice${n}`,
        { type: 'string', enum: Array.from({ length: 480 }, (_, m) => `${n} ${m}`) },
      ]),
    ]),
  },
}

const node = {
  type: 'object',
  properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
}

/** A list that contains itself, as wide as it is deep when expanded. */
const doubled = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [
    `d${n}`,
    n === 29
      ? { type: 'string' }
      : {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${n + 1}` }, b: { $ref: `#/$defs/d${n + 1}` } },
        },
  ]),
)

let nested: object = { type: 'string' }
for (let depth = 0; depth < 6; depth++) nested = { type: 'object', properties: { deeper: nested } }

/** Each has the property `odd`, which is entered as JSON, and `plain`, which has a field. */
export const undrawable: Record<string, { schema: object; json?: string }> = {
  recursion: { schema: odd({ $ref: '#/$defs/node' }, { node }), json: '{"label":"root","children":[]}' },
  'recursion of the object itself': {
    schema: odd(
      { $ref: '#/$defs/it' },
      { it: { type: 'object', properties: { it: { $ref: '#/$defs/it' } } } },
    ),
    json: '{"it":{"it":{}}}',
  },
  'growth without end by references': { schema: odd({ $ref: '#/$defs/d0' }, doubled), json: '{"a":{}}' },
  'a huge enum': {
    schema: odd({ type: 'string', enum: Array.from({ length: 4000 }, (_, n) => `option ${n}`) }),
    json: '"option 3999"',
  },
  depth: { schema: odd(nested), json: '{"deeper":{}}' },
  'no type': { schema: odd({ description: 'Anything.' }), json: '[1,"two",null]' },
  'several types': { schema: odd({ type: ['string', 'number'] }), json: '12' },
  'a map': { schema: odd({ type: 'object', additionalProperties: { type: 'string' } }), json: '{"a":"b"}' },
  'a tuple': { schema: odd({ type: 'array', prefixItems: [{ type: 'string' }] }), json: '["a"]' },
  'options that are objects': { schema: odd({ enum: [{ a: 1 }, { a: 2 }] }), json: '{"a":2}' },
  'names that every object has': {
    schema: odd({ type: 'object', properties: { constructor: { type: 'string' } } }),
    json: '{"constructor":"x"}',
  },
}

function odd(property: object, $defs = {}) {
  return { type: 'object', $defs, properties: { odd: property, plain: { type: 'string', title: 'Plain' } } }
}
