import { expect, test } from 'vitest'
import { busyTime, flameGraph, type Profile } from '../src/report/flame-graph.ts'

const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 0 },
  children,
})
const profile: Profile = {
  nodes: [
    frame(1, '(root)', '', [2, 3, 6]),
    frame(2, '(idle)', ''),
    frame(3, 'handle', 'file:///app/services/offers/dist/create-offer.js', [4, 5]),
    frame(4, 'parse', 'file:///app/node_modules/zod/v4/core.js'),
    frame(5, 'writeBuffer', ''),
    frame(6, '(garbage collector)', ''),
  ],
  startTime: 0,
  samples: [3, 2, 3, 4, 4, 5, 6, 2],
  timeDeltas: [100, 50, 10, 20, 20, 40, 10, 500],
}

test('busy time between two moments, as a tree and by owner', () => {
  const { root, byOwner } = busyTime(profile, 150, 1000)
  const [handle, collector] = root.children.values()
  expect([root.total, handle?.name, handle?.total, collector?.total]).toEqual([100, 'handle', 90, 10])
  expect([...(handle?.children.values() ?? [])]).toMatchObject([
    { name: 'parse', location: 'zod', total: 40 },
    { name: 'writeBuffer', total: 40 },
  ])
  expect(byOwner).toEqual([
    { what: 'zod', share: 0.4 },
    { what: 'writes to sockets', share: 0.4 },
    { what: 'services/offers', share: 0.1 },
    { what: 'garbage collection', share: 0.1 },
  ])
})

test('the graph is as wide as the time, and all its text is escaped', () => {
  const { root } = busyTime(profile, 150, 1000)
  const svg = flameGraph(root, 'a < b')
  expect(svg).toContain('a &lt; b')
  expect(svg).toContain('<title>handle · services/offers/create-offer · 90.0 %</title>')
  expect(svg.match(/<rect x="0\.0"[^>]*width="1199\.6"/)).not.toBeNull()
})
