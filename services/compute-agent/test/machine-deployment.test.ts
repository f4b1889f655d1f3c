import { describe, expect, test } from 'vitest'
import { maxSize, minSize, patchFor } from '../src/machine-deployment.ts'
import type { Limits } from '../src/pool.ts'

const deployment = (replicas: number | undefined, min?: string, max?: string) => ({
  metadata: {
    resourceVersion: '7',
    annotations: {
      owner: 'someone',
      ...(min !== undefined && { [minSize]: min }),
      ...(max !== undefined && { [maxSize]: max }),
    },
  },
  spec: { replicas },
})
const limits = (auto_scaling: Limits['auto_scaling'], min_machines: number, max_machines: number) => ({
  auto_scaling,
  min_machines,
  max_machines,
})
const metadata = { resourceVersion: '7' }
const bounds = (min: string | null, max: string | null) => ({
  ...metadata,
  annotations: { [minSize]: min, [maxSize]: max },
})

describe('what is as it should be is not touched', () => {
  test.each([
    ['within its bounds', deployment(3, '1', '5'), limits('active', 1, 5)],
    ['at its limit', deployment(5, '1', '5'), limits('active', 1, 5)],
    ['not scaled by itself', deployment(3), limits('inactive', 1, 5)],
    ['not scaled by itself, below what would be the least', deployment(0), limits('inactive', 1, 5)],
    ['without a number, which is one', deployment(undefined), limits('inactive', 0, 5)],
  ])('%s', (_name, now, wanted) => {
    expect(patchFor(now, wanted)).toBeUndefined()
  })
})

test.each([
  ['bounds for the autoscaler', deployment(3), limits('active', 1, 5), { metadata: bounds('1', '5') }],
  [
    'one bound that is another one now',
    deployment(3, '1', '5'),
    limits('active', 1, 6),
    { metadata: { ...metadata, annotations: { [maxSize]: '6' } } },
  ],
  [
    'no bounds, so that the autoscaler leaves it alone; the number stays',
    deployment(3, '1', '5'),
    limits('inactive', 1, 5),
    { metadata: bounds(null, null) },
  ],
  [
    'drain down to the limit, with auto-scaling',
    deployment(9, '1', '9'),
    limits('active', 1, 4),
    { metadata: { ...metadata, annotations: { [maxSize]: '4' } }, spec: { replicas: 4 } },
  ],
  [
    'drain down to the limit, without',
    deployment(9),
    limits('inactive', 0, 4),
    { metadata, spec: { replicas: 4 } },
  ],
  [
    'at least the least',
    deployment(0, '2', '5'),
    limits('active', 2, 5),
    { metadata, spec: { replicas: 2 } },
  ],
])('%s', (_name, now, wanted, patch) => {
  expect(patchFor(now, wanted)).toEqual(patch)
})
