// Checks a schema in a process that a test stops meanwhile; its argument is the URL of the module that checks.
const { createInputSchemas } = await import(process.argv[2])
const schemas = createInputSchemas({ threads: 1, compileLimitMs: 500, maxWaitMs: 30_000 })
await schemas.check({ properties: {} }, 'ws_own')
const allOf = Array.from({ length: 150 }, (_, at) => ({ maxProperties: at + 1, not: { const: at } }))
process.once('message', async () => {
  const checked = schemas.check({ properties: { a: { allOf } } }, 'ws_own')
  process.send('begun')
  process.send(await checked, () => process.exit())
})
process.send('ready')
