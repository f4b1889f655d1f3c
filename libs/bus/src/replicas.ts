/**
 * Which replica executes a call: the one with the fewest calls of this process under way. One that is slow or frozen
 * thus gets few, as does one that fails.
 */
import { replicaSubject } from '@svc/contract/core/operation'

export interface Replicas {
  /** Undefined: whoever NATS chooses, by chance. */
  choose(subject: string): Replica | undefined
  /** A reply came from it; '' if it has no subject of its own, or is leaving. */
  learn(subject: string, id: string): void
}

export interface Replica {
  /** Its own subject for the operation. */
  readonly subject: string
  /** The call is over. A failure counts as under way for longer: one that fails at once would otherwise be called most. */
  end(hasFailed: boolean): void
  /** It has left. */
  forget(): void
}

interface Known {
  /** Under way. */
  calls: number
  /** When its last reply came. */
  heardAt: number
}

interface Service {
  /** By id. */
  readonly replicas: Map<string, Known>
  discoverAt: number
}

/** How often NATS chooses, as a new replica is known by its first reply. It may choose one that is frozen. */
const discoverEveryMs = 1000
const failureCountsMs = 1000
/** Less than a replica that leaves keeps its own subjects. One that was not heard of for so long may have left. */
const heardWithinMs = 200
/** One of the bus' users must not be able to write anything else into the subjects of another, nor to fill its memory. */
const isId = (id: string) => /^[A-Za-z0-9]{1,32}$/.test(id)
const maxReplicas = 100

/** @param now milliseconds of a monotonic clock */
export function createReplicas(now = () => performance.now()): Replicas {
  const services = new Map<string, Service>()
  const serviceOf = (subject: string) => {
    const name = subject.slice(0, subject.lastIndexOf('.'))
    let service = services.get(name)
    if (!service) {
      service = { replicas: new Map(), discoverAt: 0 }
      services.set(name, service)
    }
    return service
  }

  return {
    choose(subject) {
      const service = serviceOf(subject)
      const { replicas } = service
      if (replicas.size < 2) return undefined
      const time = now()
      if (time >= service.discoverAt) {
        service.discoverAt = time + discoverEveryMs
        return undefined
      }
      const { id, chosen, equals } = leastOf(replicas)
      // NATS chooses as well between equals, and only among those that are there.
      if (equals === replicas.size && time - chosen.heardAt > heardWithinMs) return undefined
      chosen.calls++
      const uncount = () => void chosen.calls--
      return {
        subject: replicaSubject(subject, id),
        end: hasFailed => (hasFailed ? void setTimeout(uncount, failureCountsMs).unref() : uncount()),
        forget: () => void replicas.delete(id),
      }
    },
    learn(subject, id) {
      const { replicas } = serviceOf(subject)
      const known = replicas.get(id)
      if (known) known.heardAt = now()
      else if (isId(id) && replicas.size < maxReplicas) replicas.set(id, { calls: 0, heardAt: now() })
    },
  }
}

/** Chance decides between equals: a thousand callers without calls under way would all choose the same one. */
function leastOf(replicas: Service['replicas']) {
  let least: readonly [id: string, Known] = ['', { calls: Number.POSITIVE_INFINITY, heardAt: 0 }]
  let equals = 0
  for (const replica of replicas) {
    const more = replica[1].calls - least[1].calls
    if (more > 0) continue
    equals = more === 0 ? equals + 1 : 1
    if (Math.random() * equals < 1) least = replica
  }
  const [id, chosen] = least
  return { id, chosen, equals }
}
