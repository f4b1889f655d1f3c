// How the examples are compared with what the product answers.
import { createServer } from 'node:http'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Example } from '@svc/contract/openapi/example'
import { freePort } from '@svc/local/free-port'
import { expect, test } from 'vitest'
import { runExamples } from '@svc/testing/examples/run-examples'

test('a hint that also occurs in another text replaces nothing there', async () => {
  const [result] = await run({ hint: 'x7Qp', name: 'Oslo office' }, { hint: 'Oslo', name: 'Oslo office' })
  expect(result?.answered).toEqual(result?.expected)
})

test.each([['Osl'], [4711], [null]])('%o is not a hint', async hint => {
  const [result] = await run({ hint: 'x7Qp' }, { hint })
  expect(result?.answered).not.toEqual(result?.expected)
})

async function run(shown: object, answered: object) {
  const server = createServer((_request, response) => response.end(JSON.stringify(answered)))
  const port = await freePort()
  await new Promise<void>(listening => {
    server.listen(port, '127.0.0.1', listening)
  })
  const definition = authTokens.operations.list_api_tokens
  const example = {
    definition,
    ...{
      service: 'auth-tokens',
      operation: 'list_api_tokens',
      name: 'usual',
      summary: '',
      by: 'owner',
      step: 0,
    },
    ...{ request: {}, answer: { status: 200, body: shown } },
  } as Example
  const scene = { baseUrl: `http://127.0.0.1:${port}`, known: {}, sendersHeaders: () => ({}) }
  return runExamples([example], scene).finally(() => server.close())
}
