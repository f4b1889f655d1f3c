const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

export const headers = {
  'Svc-Request-Id': text('Identifies this request: quote it to support.', '01kb2m8xq5e7ta9c3v6n4hw000'),
  'WWW-Authenticate': text(
    'RFC 6750, section 3: `Bearer` if no credential was sent, with `error="invalid_token"` if an invalid one was.',
    'Bearer error="invalid_token"',
  ),
  'Retry-After': text('Seconds to wait before trying again.', '1'),
  RateLimit: text(
    'What is left of each limit (`r`), and in how many seconds it is fully restored (`t`): draft-ietf-httpapi-ratelimit-headers.',
    '"credential";r=998;t=1, "workspace";r=1990;t=1',
  ),
  'RateLimit-Policy': text(
    'The limits: requests (`q`) per number of seconds (`w`). Absent if the deployment has none.',
    '"credential";q=1000;w=4, "workspace";q=2000;w=4',
  ),
  ETag: text('The etag of the compute settings, in double quotes.', '"q7Zk2vXw0aRm"'),
  'Cache-Control': text('For how long the answer may be used again (RFC 9111).', 'public, max-age=60'),
  'Idempotent-Replayed': text(
    '`true` if this is the response to an earlier request; otherwise absent.',
    'true',
  ),
} as const

export const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
