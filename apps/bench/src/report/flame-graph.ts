/** A V8 CPU profile as a flame graph: one SVG, callers above what they call, as wide as their share of the time. */
import { escapeXml } from './svg.ts'

interface ProfileNode {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    readonly lineNumber: number
  }
  readonly children?: readonly number[]
}

/** As `node --cpu-prof` writes it; times in microseconds. */
export interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface Frame {
  readonly name: string
  readonly location: string
  total: number
  readonly children: Map<string, Frame>
}

export interface Spent {
  readonly what: string
  /** Share of the busy time. */
  readonly share: number
}

/**
 * The busy time of a profile between two moments, in microseconds after its start: as a tree of frames, and by the
 * owner of the code.
 */
export function busyTime(
  { nodes, samples, timeDeltas }: Profile,
  from: number,
  to: number,
): { root: Frame; byOwner: Spent[] } {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])))
  const root = frameOf('all', '')
  const owners = new Map<string, number>()
  let at = 0
  for (const [index, id] of samples.entries()) {
    const spent = timeDeltas[index] ?? 0
    at += spent
    const leaf = byId.get(id)
    if (!leaf || at < from || at > to || leaf.callFrame.functionName === '(idle)') continue
    const stack: ProfileNode[] = []
    for (let node: ProfileNode | undefined = leaf; node; node = byId.get(parents.get(node.id) ?? -1)) {
      stack.unshift(node)
    }
    root.total += spent
    let frame = root
    for (const { callFrame } of stack.slice(1)) {
      const location = locationOf(callFrame.url)
      const name = callFrame.functionName || '(anonymous)'
      const key = `${name} ${location}`
      const child = frame.children.get(key) ?? frameOf(name, location)
      frame.children.set(key, child)
      child.total += spent
      frame = child
    }
    const owner = ownerOf(leaf)
    owners.set(owner, (owners.get(owner) ?? 0) + spent)
  }
  const byOwner = [...owners]
    .map(([what, time]) => ({ what, share: time / root.total }))
    .sort((a, b) => b.share - a.share)
  return { root, byOwner }
}

const frameOf = (name: string, location: string): Frame => ({ name, location, total: 0, children: new Map() })

const locationOf = (url: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
  /((?:libs|services)\/[\w-]+)\/dist\/([\w/-]+)\.js/.exec(url)?.slice(1).join('/') ??
  url

function ownerOf({ callFrame: { functionName, url } }: ProfileNode): string {
  if (/^write(v|Buffer|\w*String)$/.test(functionName) && url === '') return 'writes to sockets'
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (url === '') return 'engine and system'
  const location = locationOf(url)
  if (/^(libs|services)\//.test(location)) return location.split('/').slice(0, 2).join('/')
  return url.startsWith('node:') ? 'Node.js itself' : location
}

const width = 1200
const rowHeight = 17
const header = 44
/** Narrower ones are left out. */
const minWidth = 1.5

export function flameGraph(root: Frame, title: string): string {
  const scale = width / root.total
  const parts: string[] = []
  let deepest = 0
  const draw = (frame: Frame, x: number, depth: number) => {
    const wide = frame.total * scale
    if (wide < minWidth) return
    deepest = Math.max(deepest, depth)
    const y = header + depth * rowHeight
    const title = `${frame.name}${frame.location ? ` · ${frame.location}` : ''} · ${((100 * frame.total) / root.total).toFixed(1)} %`
    const room = Math.floor((wide - 4) / 6)
    const label =
      room < 4 ? '' : `<text x="${fixed(x + 2)}" y="${y + 12}">${escapeXml(title.slice(0, room))}</text>`
    parts.push(
      `<g><title>${escapeXml(title)}</title><rect x="${fixed(x)}" y="${y}" width="${fixed(wide - 0.4)}" height="${rowHeight - 1}" fill="${colourOf(frame)}"/>${label}</g>`,
    )
    let next = x
    for (const child of [...frame.children.values()].sort((a, b) => b.total - a.total)) {
      draw(child, next, depth + 1)
      next += child.total * scale
    }
  }
  draw(root, 0, 0)
  const height = header + (deepest + 1) * rowHeight + 8
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, monospace" font-size="10">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="8" y="20" font-size="15" font-family="system-ui, sans-serif">${escapeXml(title)}</text>`,
    '<text x="8" y="36" font-family="system-ui, sans-serif" fill="#6b7785">blue: the product · orange: packages · grey: Node.js · red: engine, system calls</text>',
    ...parts,
    '</svg>',
  ].join('\n')
}

const colourOf = ({ location }: Frame): string => {
  if (/^(libs|services)\//.test(location)) return '#8ec1e8'
  if (location.startsWith('node:')) return '#d5dbe1'
  return location === '' ? '#eea49a' : '#f2c98a'
}

const fixed = (value: number) => value.toFixed(1)
