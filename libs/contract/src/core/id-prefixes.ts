/** What an id is of, by its prefix (docs/specification.md, R1). The path of a collection has the noun's plural. */
export const nouns = {
  clus: 'cluster',
  evt: 'event',
  inst: 'install',
  inv: 'invitation',
  och: 'offer channel',
  offer: 'offer',
  order: 'order',
  pk: 'passkey',
  pkg: 'package',
  pkgv: 'package version',
  prod: 'product',
  sess: 'session',
  tok: 'API token',
  trust: 'CI trust',
  user: 'user',
  whe: 'webhook endpoint',
  ws: 'workspace',
} as const

export type IdPrefix = keyof typeof nouns

export const isIdPrefix = (text: string): text is IdPrefix => Object.hasOwn(nouns, text)
