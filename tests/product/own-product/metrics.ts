// The counts of the running product are correct: exact increments wherever a request passes.
import type { CallBus } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { encodeHeaders } from '@svc/bus/headers'
import { invoke } from '@svc/bus/invoke'
import { header } from '@svc/bus/wire'
import { compute as computeService } from '@svc/contract/compute/compute'
import { waitUntil } from '@svc/local/wait-until'
import { amountOf } from '@svc/testing/deploy/exposition'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  ask,
  compute,
  gateway,
  growsBy,
  metricsScene,
  newOffer,
  activity,
  offers,
  pause,
  scrape,
  times,
} from './metrics-scene.ts'
import { maxInFlight, planted, running } from './scene.ts'

metricsScene()

describe('the exposition', async () => void (await import('./metrics-exposition.ts')))

describe('requests are counted along their way', () => {
  test('201: in the gateway, on the bus and in the service', async () => {
    const operation = 'offers.create_offer'
    await growsBy(
      [
        [gateway, 'svc_http_requests_total', { operation, status: '201' }, 7],
        [gateway, 'svc_http_request_duration_seconds_count', { operation }, 7],
        [gateway, 'svc_bus_calls_total', { operation, outcome: 'ok' }, 7],
        [gateway, 'svc_bus_call_duration_seconds_count', { operation }, 7],
        [offers, 'svc_operations_total', { operation, status: '201' }, 7],
        [offers, 'svc_operation_duration_seconds_count', { operation }, 7],
        [offers, 'svc_batch_size_sum', { batch: 'offers' }, 7],
        [activity, 'svc_events_published_total', {}, 7],
      ],
      async () => {
        for (let n = 0; n < 7; n++)
          expect(await ask('/offers', { method: 'POST', body: newOffer() })).toBe(201)
      },
    )
  })

  test('400 of the service, 401 without a look-up, 401 after one, 403, 404', async () => {
    const unknown = 'A'.repeat(32)
    const body = { product_id: 7, [planted]: planted }
    const http = 'svc_http_requests_total'
    await growsBy(
      [
        [gateway, http, { operation: 'offers.create_offer', status: '400' }, 3],
        [gateway, 'svc_bus_calls_total', { operation: 'offers.create_offer', outcome: 'refused' }, 3],
        [offers, 'svc_operations_total', { operation: 'offers.create_offer', status: '400' }, 3],
        [gateway, http, { operation: 'offers.create_offer', status: '401' }, 2],
        [gateway, http, { operation: 'offers.list_installs', status: '401' }, 4],
        [gateway, 'svc_credential_lookups_total', { kind: 'session', outcome: 'unknown' }, 4],
        [gateway, 'svc_credential_lookups_total', { kind: 'api_token', outcome: 'unknown' }, 0],
        [gateway, http, { operation: 'offers.list_installs', status: '403' }, 1],
        [gateway, http, { operation: 'compute.get_cluster', status: '404' }, 5],
        [compute, 'svc_operations_total', { operation: 'compute.get_cluster', status: '404' }, 5],
        [gateway, http, { operation: 'unknown', status: '404' }, 6],
        [gateway, http, { operation: 'GET /livez', status: '200' }, 1],
      ],
      async () => {
        await times(3, () => ask('/offers', { method: 'POST', body }))
        await times(2, () => ask('/offers', { method: 'POST', body, headers: {} }))
        await times(4, () => ask('/installs', { headers: { authorization: `Bearer ${unknown}` } }))
        await ask('/installs', { headers: { authorization: `Bearer ${running.dev.owner.session_token}` } })
        await times(5, () => ask(`/clusters/clus_${planted}`))
        await times(6, at => ask(`/${planted}/${at}`))
        await fetch(`${running.stack.gateways[0]?.url}/livez`)
      },
    )
  })

  test('calls that arrive at once add up in the sizes of their batches', async () => {
    const count = 200
    await growsBy(
      [
        [offers, 'svc_batch_size_sum', { batch: 'offers' }, count],
        [gateway, 'svc_http_requests_total', { operation: 'offers.create_offer', status: '201' }, count],
      ],
      () => times(count, () => ask('/offers', { method: 'POST', body: newOffer() })),
    )
  })
})

/** The bus takes a process for dead that is silent for some seconds. */
const computeIsBack = () => waitUntil('compute is back', async () => (await ask('/clusters')) === 200)

/** Requests in progress in the gateway. */
const inFlight = async (target: string) =>
  amountOf(await scrape(gateway), 'svc_http_requests_in_flight', { service: 'gateway', target })

test('past its bound the gateway sheds load, and counts it', async () => {
  const operation = 'offers.list_installs'
  const shed = async () =>
    amountOf(await scrape(gateway), 'svc_shed_total', { service: 'gateway', at: 'gateway' })
  await growsBy(
    [
      [gateway, 'svc_shed_total', { at: 'gateway' }, 44],
      [gateway, 'svc_http_requests_total', { operation, status: '503' }, 44],
      [gateway, 'svc_http_requests_total', { operation, status: '200' }, maxInFlight],
    ],
    async () => {
      const before = await shed()
      const held = await holdTransaction(running.sql, tx => tx`lock table offers.installs`)
      const crowd = times(maxInFlight + 44, () => ask('/installs'))
      try {
        // A request after the first answer would find a slot, so all have to arrive before it.
        await waitUntil('the bound, and all who come after', async () => (await shed()) === before + 44, {
          everyMs: 100,
        })
        expect(await inFlight('offers')).toBe(maxInFlight)
      } finally {
        await held.release()
      }
      expect((await crowd).filter(status => status === 503)).toHaveLength(44)
    },
  )
})

test('a call that reaches a service after its deadline is dropped, not executed', async () => {
  const bus = await connectBus(running.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  onTestFinished(() => bus.close())
  const sendLate: CallBus = async ({ subject, body, headers }) => {
    const late = { ...headers, [header.deadline]: String(Date.now() - 1) }
    bus.nc.publish(subject, body, { headers: encodeHeaders(late) })
    throw new Error('Nobody waits for an answer.')
  }
  const operation = 'compute.list_clusters'
  await growsBy(
    [
      [compute, 'svc_deadline_drops_total', { at: 'bus' }, 5],
      [compute, 'svc_operations_total', { operation, status: '200' }, 0],
    ],
    async () => {
      for (let n = 0; n < 5; n++)
        await invoke(sendLate, computeService, 'list_clusters', {
          caller: { kind: 'internal', id: 'test' },
        }).catch(() => {})
    },
  )
})

test('a call that is not answered in time counts as a timeout', async () => {
  const operation = 'compute.list_clusters'
  await growsBy(
    [
      [gateway, 'svc_bus_calls_total', { operation, outcome: 'timeout' }, 5],
      [gateway, 'svc_http_requests_total', { operation, status: '504' }, 5],
    ],
    async () => {
      const resume = pause(compute)
      try {
        const late = times(5, () => ask('/clusters'))
        await waitUntil('five in flight', async () => (await inFlight('compute')) === 5)
        const waiting = async () =>
          amountOf(await scrape(gateway), 'svc_bus_calls_waiting', { service: 'gateway' })
        // The gateway makes calls of its own as well, now and then.
        await waitUntil('five calls wait', async () => (await waiting()) === 5)
        expect(await late).toEqual(Array(5).fill(504))
      } finally {
        resume()
      }
    },
  )
  await computeIsBack()
})

test('a client that disconnected is counted as such', async () => {
  const operation = 'compute.list_clusters'
  const resume = pause(compute)
  try {
    await growsBy([[gateway, 'svc_http_requests_total', { operation, status: '499' }, 1]], async () => {
      const gone = new AbortController()
      const asked = fetch(`${running.baseUrls[0]}/clusters`, {
        headers: { authorization: `Bearer ${running.dev.api_token}` },
        signal: gone.signal,
      })
      await waitUntil('it is in progress', async () => (await inFlight('compute')) === 1)
      gone.abort()
      await expect(asked).rejects.toThrow()
    })
  } finally {
    // Not before it is counted, since the answer might be faster than the news that the client is gone.
    resume()
    await computeIsBack()
  }
})
