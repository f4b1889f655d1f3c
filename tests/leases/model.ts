/** What docs/people/leases.md says, as a model: gateways, replicas of auth-tokens, a database, a service, and what befalls them.
 * It does not have two primaries at once, steps of the database's clock, clocks that go at another rate, and copies of a machine. */
import { createReplica, type Replica } from './auth-tokens.ts'
import { createDatabase, credentials, narrowingOf, restsOn, type Slowness, subjects } from './database.ts'
import { createGateway, type Exchange, type Gateway, reading, type Request } from './gateway.ts'
import { createNetwork, type Disturbance } from './network.ts'
import type { Safeguards } from './safeguards.ts'
import { createSimulation, type Process } from './simulation.ts'

export type Incident =
  | ({ readonly is: 'disturb' } & Disturbance)
  | { readonly is: 'loseBus'; readonly at: number; readonly gateway: number; readonly ms: number }
  | {
      readonly is: 'revoke'
      readonly at: number
      readonly credential: number
      readonly replica: number
      /** It may still read. */
      readonly narrows: boolean
    }
  | {
      readonly is: 'stall'
      readonly at: number
      readonly ms: number
      readonly process: number
      readonly how: 'frozen' | 'paused' | 'paused unnoticed'
    }
  | { readonly is: 'stepWallClock'; readonly at: number; readonly gateway: number; readonly ms: number }
  | { readonly is: 'stepServiceClock'; readonly at: number; readonly behindMs: number }
  | ({ readonly is: 'slowRenewals'; readonly at: number; readonly ms: number } & Slowness)
  /** Frozen: the old process is replaced while it cannot be reached, and comes back. */
  | { readonly is: 'restart'; readonly at: number; readonly gateway: number; readonly frozenMs: number }
  | { readonly is: 'crash'; readonly at: number; readonly replica: number }
  | { readonly is: 'failOver'; readonly at: number; readonly lostMs: number }

export interface Scenario {
  readonly seed: number
  readonly serviceBehindMs: number
  readonly incidents: readonly Incident[]
}

export interface Course {
  /** What was executed although the reply of its revocation had come before it was sent. */
  readonly violation: string | undefined
  readonly trace: readonly string[]
  /** What has to happen in some runs; otherwise the others prove nothing. */
  readonly happened: ReadonlySet<string>
}

const endsAt = 9000
const requestEveryMs = 150
/** Every third request has a body that comes late, or is a stream: more of it comes at these times after its beginning. */
const laterMs = [300, 700, 1100]
/** After a revocation clients try at once. */
const triesAfterMs = [1, 5, 20, 60, 100, 150, 200, 250]

export function run(
  { seed, serviceBehindMs, incidents }: Scenario,
  safeguards: Safeguards,
  traced = false,
): Course {
  const simulation = createSimulation(seed, traced)
  const disturbances = incidents.flatMap((incident): Disturbance[] => {
    if (incident.is === 'disturb') return [incident]
    return incident.is === 'loseBus' ? [{ ...incident, message: 'all', delayMs: undefined }] : []
  })
  const network = createNetwork(simulation, disturbances)
  const database = createDatabase(simulation, safeguards)
  const service = simulation.start('service')
  service.wallBehindMs = serviceBehindMs
  /** When the reply of the revocation came, and of which. */
  const promised = new Map<string, { readonly at: number; readonly revocation: number }>()
  let violation: string | undefined
  let gatewayCount = 0
  let requestCount = 0

  const replicas = [0, 1].map(newReplica)
  /** In use are those that clients can reach; one that was replaced while it was frozen comes back. */
  const gateways = [0, 1].map(slot => [newGateway(slot)])
  for (const incident of incidents) simulation.at(incident.at, () => befall(incident))
  for (const [index, credential] of credentials.entries()) sendEvery(100 + index, credential)
  simulation.runUntil(endsAt)
  return { violation, trace: simulation.trace, happened: simulation.happened }

  function newReplica(slot: number): Replica {
    const outside = { database, slowness, ask }
    return createReplica(simulation.start(`replica ${slot}`), { simulation, safeguards, outside })
  }

  function newGateway(slot: number, id = `g${slot}.${gatewayCount++}`): Gateway {
    const process = simulation.start(id)
    const any = () => replicas[simulation.random(2)] as Replica
    return createGateway(process, id, {
      simulation,
      safeguards,
      outside: {
        renew(reply) {
          const replica = any()
          network.send('renewal', slot, replica.process, () =>
            replica.renew(id, renewed => network.send('grant', slot, process, () => reply(renewed))),
          )
        },
        lookUp(credential, reply) {
          const replica = any()
          network.send('look-up', slot, replica.process, () =>
            replica.lookUp(credential, may => network.send('answer', slot, process, () => reply(may))),
          )
        },
        forward(request, admittedUntil, refused) {
          network.send('request', slot, service, () => {
            if (admittedUntil !== undefined) simulation.happened.add('a cached answer is used')
            const isLate = admittedUntil !== undefined && simulation.wall(service) > admittedUntil
            if (!isLate || !safeguards.fence) return execute(request, process)
            simulation.happened.add('a service refuses what comes late')
            simulation.on(process, simulation.now + 2, refused)
          })
        },
      },
    })
  }

  function ask(
    holder: string | undefined,
    asked: ReadonlySet<string>,
    asker: Process,
    acknowledged: (by: string) => void,
  ) {
    for (const [slot, processes] of gateways.entries()) {
      for (const gateway of processes) {
        if (holder !== undefined && gateway.holder !== holder) continue
        const acknowledge = () => acknowledged(gateway.holder)
        network.send('question', slot, gateway.process, () =>
          gateway.recall(asked, () => network.send('acknowledgement', slot, asker, acknowledge)),
        )
      }
    }
  }

  function slowness(): Slowness {
    const slow = incidents.find(
      incident =>
        incident.is === 'slowRenewals' &&
        incident.at <= simulation.now &&
        simulation.now <= incident.at + incident.ms,
    )
    return slow?.is === 'slowRenewals' ? slow : { lockMs: 0, commitMs: 1 + simulation.random(3) }
  }

  function execute({ credential, needs, sentAt }: Request, by: Process) {
    const promise = restsOn(credential)
      .flatMap(subject => (needs === reading ? [subject] : [subject, narrowingOf(subject)]))
      .flatMap(change => promised.get(change) ?? [])
      .find(({ at }) => sentAt > at)
    if (!promise) return
    violation = `${credential} was used for ${needs} at ${by.name} at ${sentAt}; that had ended by ${promise.at}`
    simulation.log(() => violation as string)
    simulation.stopped = true
  }

  function sendEvery(at: number, credential: string) {
    simulation.at(at, () => {
      send(credential)
      sendEvery(simulation.now + requestEveryMs, credential)
    })
  }
  function send(credential: string) {
    const needs = requestCount % 2 === 0 ? 'offers:write' : reading
    const goesOn = requestCount++ % 3 === 0
    for (const gateway of gateways.flat()) {
      const exchange: Exchange = {}
      const step = () => {
        const request = { credential, needs, sentAt: simulation.now, exchange } as const
        simulation.on(gateway.process, simulation.now + 1, () => gateway.receive(request))
      }
      step()
      for (const ms of goesOn ? laterMs : []) {
        simulation.at(simulation.now + ms, () => {
          if (exchange.admission && promised.has(credential)) {
            simulation.happened.add('a request goes on after its revocation')
          }
          step()
        })
      }
    }
  }

  function revoke(subject: string, narrows: boolean, replica: Replica) {
    const change = narrows ? narrowingOf(subject) : subject
    replica.revoke(subject, narrows, revocation => {
      simulation.at(simulation.now + 1, () => {
        // A commit that a failover has lost is lost with all that was answered: that is the database's promise, not the lease's.
        if (database.revocationOf(change) !== revocation || promised.has(change)) return
        simulation.happened.add('a revocation is answered')
        promised.set(change, { at: simulation.now, revocation })
        simulation.log(() => `the reply of ${change} has come`)
        for (const used of credentials.filter(one => restsOn(one).includes(subject)))
          for (const after of triesAfterMs) simulation.at(simulation.now + after, () => send(used))
      })
    })
  }

  function befall(incident: Incident) {
    if (incident.is !== 'disturb') simulation.log(() => JSON.stringify(incident))
    if (incident.is === 'revoke') {
      const subject = subjects[incident.credential] as string
      revoke(subject, incident.narrows, replicas[incident.replica] as Replica)
    } else if (incident.is === 'stall') {
      const process = [gateways[0]?.at(-1), gateways[1]?.at(-1), ...replicas][incident.process]?.process
      if (!process) return
      if (incident.how === 'frozen') simulation.freeze(process, incident.ms)
      else simulation.pause(process, incident.ms, incident.how === 'paused')
    } else if (incident.is === 'stepWallClock') {
      for (const { process } of gateways[incident.gateway] ?? []) process.wallBehindMs += incident.ms
    } else if (incident.is === 'stepServiceClock') {
      service.wallBehindMs = incident.behindMs
    } else if (incident.is === 'restart') {
      restart(incident.gateway, incident.frozenMs)
    } else if (incident.is === 'crash') {
      const crashed = replicas[incident.replica] as Replica
      crashed.process.alive = false
      replicas[incident.replica] = newReplica(incident.replica)
    } else if (incident.is === 'failOver') {
      database.failOver(incident.lostMs)
      for (const [change, { revocation }] of promised) {
        if (database.revocationOf(change) === revocation) continue
        simulation.happened.add('a failover loses a revocation')
        promised.delete(change)
      }
    } else if (incident.is === 'loseBus') {
      for (const { process, loseBus } of gateways[incident.gateway] ?? []) {
        simulation.on(process, simulation.now, loseBus)
      }
    }
  }

  function restart(slot: number, frozenMs: number) {
    const processes = gateways[slot] as Gateway[]
    const old = processes.at(-1) as Gateway
    if (frozenMs === 0) old.process.alive = false
    else simulation.freeze(old.process, frozenMs)
    processes.push(newGateway(slot, safeguards.freshIds ? undefined : old.holder))
  }
}
