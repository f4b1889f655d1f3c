import { expect, test } from 'vitest'
import { changeComputeSettings } from '../src/compute-settings.ts'
import { ComputeSettingsConflictError } from '../src/errors.ts'
import { clientOf, json, refusal, startScriptedServer } from './scripted-server.ts'

const settings = (max_machines: number) =>
  json(200, { auto_scaling: 'active', machines: 1, max_machines, updated_at: 1, etag: `e${max_machines}` })
const conflict = json(409, { _tag: 'ComputeSettingsConflictError', message: 'changed', currentEtag: 'e5' })
const oneMore = ({ max_machines }: { max_machines: number }) => ({ max_machines: max_machines + 1 })

async function scene(...script: Parameters<typeof startScriptedServer>) {
  const server = await startScriptedServer(...script)
  const { received } = server
  return {
    client: clientOf(server),
    requests: () =>
      received.map(({ method, headers, body }) => [method, headers['if-match'], body].join(' ')),
  }
}

test('after a conflict the change is applied to what others have set', async () => {
  const { client, requests } = await scene(settings(3), conflict, settings(5), settings(6))
  expect(await changeComputeSettings(client, 'clus_a', oneMore)).toMatchObject({ max_machines: 6 })
  expect(requests()).toEqual(['GET  ', 'PATCH e3 {"max_machines":4}', 'GET  ', 'PATCH e5 {"max_machines":6}'])
})

test('without a change nothing is written', async () => {
  const { client, requests } = await scene(settings(3))
  expect(await changeComputeSettings(client, 'clus_a', () => undefined)).toMatchObject({ max_machines: 3 })
  expect(requests()).toEqual(['GET  '])
})

test('after too many conflicts the last one is thrown', async () => {
  const { client, requests } = await scene(
    settings(3),
    conflict,
    settings(4),
    conflict,
    settings(5),
    conflict,
  )
  const change = changeComputeSettings(client, 'clus_a', oneMore, { writes: 3 })
  await expect(change).rejects.toBeInstanceOf(ComputeSettingsConflictError)
  expect(requests()).toHaveLength(6)
})

test('another refusal is thrown, and nothing is tried again', async () => {
  const { client, requests } = await scene(settings(3), refusal(403, 'Forbidden', 40304), settings(4))
  await expect(changeComputeSettings(client, 'clus_a', oneMore)).rejects.toMatchObject({ status: 403 })
  expect(requests()).toHaveLength(2)
})

test('an error thrown by the change reaches the caller, and nothing is written', async () => {
  const { client, requests } = await scene(settings(3))
  const change = changeComputeSettings(client, 'clus_a', () => {
    throw new Error('no')
  })
  await expect(change).rejects.toThrow('no')
  expect(requests()).toEqual(['GET  '])
})
