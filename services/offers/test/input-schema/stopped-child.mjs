// Checks a schema in a process that a test stops meanwhile; its arguments are the URL of the module that
// checks, and its limit in milliseconds.
const { createInputSchemas } = await import(process.argv[2])
const schemas = createInputSchemas({
  threads: 1,
  compileLimitMs: Number(process.argv[3]),
  maxWaitMs: 300_000,
})
await schemas.check({ properties: {} }, 'ws_own')
const allOf = Array.from({ length: 150 }, (_, at) => ({ maxProperties: at + 1, not: { const: at } }))
process.once('message', async () => {
  const checked = schemas.check({ properties: { a: { allOf } } }, 'ws_own')
  process.send('begun')
  process.send(await checked, () => process.exit())
})
process.send('ready')
