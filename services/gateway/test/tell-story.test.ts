// How the examples are compared with what the product answers.
import { createServer } from 'node:http'
import type { Example } from '@svc/contract/examples/example'
import { freePort } from '@svc/local/free-port'
import { expect, test } from 'vitest'
import { tellStory } from './tell-story.ts'

test('a hint that stands in another text, too, replaces nothing there', async () => {
  const [told] = await tell({ hint: 'x7Qp', name: 'Oslo office' }, { hint: 'Oslo', name: 'Oslo office' })
  expect(told?.answered).toEqual(told?.expected)
})

test.each([['Osl'], [4711], [null]])('%o is no hint', async hint => {
  const [told] = await tell({ hint: 'x7Qp' }, { hint })
  expect(told?.answered).not.toEqual(told?.expected)
})

async function tell(shown: object, answered: object) {
  const server = createServer((_request, response) => response.end(JSON.stringify(answered)))
  const port = await freePort()
  await new Promise<void>(listening => {
    server.listen(port, '127.0.0.1', listening)
  })
  const example = {
    ...{ service: 'auth-tokens', operation: 'list_api_tokens', name: 'usual', summary: '', by: 'owner' },
    ...{ request: {}, answer: { status: 200, body: shown } },
  } as Example
  const scene = { baseUrl: `http://127.0.0.1:${port}`, known: {}, sendersHeaders: () => ({}) }
  return tellStory([example], scene).finally(() => server.close())
}
