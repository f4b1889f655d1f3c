/** The outputs as JSON Schema: fastify serialises by them, faster than JSON.stringify. */
const string = { type: 'string' }
const integer = { type: 'integer' }
const nullable = <T extends object>(schema: T) => ({ ...schema, nullable: true })

export const createdOffer = {
  type: 'object',
  properties: { id: string, short_hash: string },
}

const page = (properties: object) => ({
  type: 'object',
  properties: {
    data: { type: 'array', items: { type: 'object', properties } },
    next_cursor: nullable(string),
  },
})

export const apiTokens = page({
  id: string,
  name: string,
  hint: string,
  created_at: integer,
  created_by: nullable(string),
  last_used_at: nullable(integer),
  expires_at: nullable(integer),
})

export const installs = page({
  id: string,
  state: string,
  workspace_id: string,
  seller_workspace_id: string,
  offer_id: string,
  order_id: string,
  product_id: nullable(string),
  package_version_id: string,
  cluster_id: nullable(string),
  field_values: { type: 'object', additionalProperties: true },
  created_at: integer,
})

export const settings = {
  type: 'object',
  properties: {
    auto_scaling: string,
    machines: integer,
    max_machines: integer,
    updated_at: integer,
    etag: string,
  },
}
