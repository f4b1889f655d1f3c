/** Test hosts on one machine: network namespaces with an address each, on a switch in its own namespace. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Host {
  readonly name: string
  readonly address: string
  /** The command prefix that runs a command on this host. */
  readonly through: readonly string[]
  /** Nothing gets in or out any more, and no connection is closed. */
  cutOff(): void
  rejoin(): void
}

export interface Network {
  host(name: string): Host
  /** Ends what still runs on the hosts, and removes them. */
  remove(): void
}

const prefix = 'svc-host'
/** Each run has its own switch, so two runs may have the same addresses. */
const subnet = '10.77.0'

/** Why hosts cannot be created on this machine, in one line; undefined if two could be created and removed. */
export function whyNotPermitted(): string | undefined {
  if (process.platform !== 'linux') return `network namespaces need Linux, and this is ${process.platform}`
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  let network: Network | undefined
  try {
    network = makeHosts(['try-1', 'try-2'])
    for (const name of ['try-1', 'try-2']) {
      const [command = '', ...words] = network.host(name).through
      execFileSync(command, [...words, 'true'], { stdio: ['ignore', 'pipe', 'pipe'] })
    }
    network.remove()
    return undefined
  } catch (error) {
    removeIfPermitted(network)
    const { syscall, code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string | Buffer }
    if (code === 'ENOENT' && syscall?.startsWith('spawn')) return 'there is no command "ip" (iproute2)'
    return `hosts cannot be created here (${lastLine(stderr) || lastLine(message)})`
  }
}

const lastLine = (text: string | Buffer = '') => String(text).trim().split('\n').at(-1)

/**
 * Creates the hosts, which find each other by name and by the `aliases`. Leftovers of dead runs are removed first.
 *
 * @param owner the process that the hosts belong to: once it is gone, they are leftovers
 */
export function makeHosts(
  names: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
  owner = process.pid,
): Network {
  removeLeftovers()
  const network = openNetwork(names, owner)
  try {
    const switchNamespace = namespaceOf(owner, 'switch')
    ip('netns', 'add', switchNamespace)
    ip('-n', switchNamespace, 'link', 'add', 'bridge', 'type', 'bridge')
    ip('-n', switchNamespace, 'link', 'set', 'bridge', 'up')
    const known = names.map(name => `${network.host(name).address} ${name} ${aliases[name] ?? ''}\n`)
    for (const [index, name] of names.entries()) {
      const namespace = namespaceOf(owner, name)
      mkdirSync(join('/etc/netns', namespace), { recursive: true })
      // `ip netns exec` shows these in /etc.
      writeFileSync(join('/etc/netns', namespace, 'hosts'), `127.0.0.1 localhost\n${known.join('')}`)
      ip('netns', 'add', namespace)
      const port = portOf(index)
      ip(
        '-n',
        switchNamespace,
        'link',
        'add',
        port,
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'netns',
        namespace,
      )
      ip('-n', switchNamespace, 'link', 'set', port, 'master', 'bridge', 'up')
      ip('-n', namespace, 'address', 'add', `${network.host(name).address}/24`, 'dev', 'eth0')
      for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up')
    }
  } catch (error) {
    removeIfPermitted(network)
    throw error
  }
  return network
}

/** The hosts that another process has created. */
export function openNetwork(names: readonly string[], owner: number): Network {
  const switchNamespace = namespaceOf(owner, 'switch')
  const hosts = names.map((name, index): Host => {
    const link = (state: 'up' | 'down') => ip('-n', switchNamespace, 'link', 'set', portOf(index), state)
    return {
      name,
      address: `${subnet}.${index + 10}`,
      through: ['ip', 'netns', 'exec', namespaceOf(owner, name)],
      cutOff: () => link('down'),
      rejoin: () => link('up'),
    }
  })
  return {
    host(name) {
      const found = hosts.find(host => host.name === name)
      if (!found) throw new Error(`There is no host ${name}.`)
      return found
    },
    remove() {
      for (const name of [...names, 'switch']) removeNamespace(namespaceOf(owner, name))
    },
  }
}

/** Removes the hosts of runs that ended without doing so. */
export function removeLeftovers(): void {
  for (const name of namespaces()) {
    const owner = name.match(new RegExp(`^${prefix}-(\\d+)-`))?.[1]
    if (owner && !existsSync(`/proc/${owner}`)) removeNamespace(name)
  }
}

/** All namespaces of this machine, by name. */
export function namespaces(): string[] {
  return ip('netns', 'list')
    .split('\n')
    .map(line => line.split(' ')[0] ?? '')
    .filter(Boolean)
}

const namespaceOf = (owner: number, host: string) => `${prefix}-${owner}-${host}`
const portOf = (index: number) => `port${index}`

/** After another error, which is more useful than this one's. */
function removeIfPermitted(network: Network | undefined): void {
  try {
    network?.remove()
  } catch {
    // Without permission to create hosts there may be none to remove them, either.
  }
}

function removeNamespace(name: string): void {
  rmSync(join('/etc/netns', name), { recursive: true, force: true })
  if (!namespaces().includes(name)) return
  for (const pid of ip('netns', 'pids', name).split('\n').filter(Boolean)) {
    // The caller may itself run on one of the hosts.
    if (Number(pid) !== process.pid) kill(Number(pid))
  }
  ip('netns', 'delete', name)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // gone already
  }
}

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
