/** A durable pull consumer of a stream: as many messages at once as there are places, each acknowledged by who gets it. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Msg, nuid } from 'nats'
import type { Bus, BusLog } from '../connection.ts'
import { headersOf } from '../headers.ts'
import { askJetStream, nanoseconds } from './jet-stream.ts'
import { arrival, untilNone } from '../leave-server.ts'

export interface PullOptions {
  readonly stream: string
  /** Shared by all replicas; made where it is missing. */
  readonly consumer: string
  /** The subjects of the stream that it is for. */
  readonly filter: string
  /** How many messages this process has at once. */
  readonly places: number
  /** After so many seconds without an answer the server gives the message to somebody else, or again. */
  readonly ackSeconds: number
  /** Over all replicas: past it the server gives out nothing until some are answered. */
  readonly maxAckPending: number
  /** What has to be there before the consumer is made. */
  readonly prepare?: () => Promise<void>
  /** Acknowledges the message, or has it come again. What it throws is logged, and the message comes again. */
  readonly receive: (msg: Msg) => Promise<void>
  readonly log: BusLog
}

export interface Pulling {
  /** Takes no more, and finishes what was given to this process. */
  drain(): Promise<void>
}

/** How long a question for a message waits at the server. */
const waitSeconds = 20
/** Longer than that without a word: the question was lost, as with the server that had it. */
const lostMs = (waitSeconds + 5) * 1000
const againMs = 1000
const takeBackMs = 1000
const nothingThere = 408

/** One for a message, that waits for its answer. */
interface Question {
  /** Whatever comes for it is lost, and comes again after `ackSeconds`. */
  drop(): void
  takeBack(): Promise<void>
}

/** Begins at the oldest event of the stream when it is the first. Waits for stream and server where they are not there. */
export function pullMessages(bus: Bus, options: PullOptions): Pulling {
  const { stream, consumer, filter, places, receive, log } = options
  const { nc } = bus
  const inbox = `_INBOX.${bus.user}.${nuid.next()}`
  const asking = new Set<Question>()
  const stopping = new AbortController()
  let counter = 0
  let underWay = 0
  let failing = false
  let made: Promise<void> | undefined
  let moving: Promise<void> | undefined
  let connecting = newSignal()

  bus.onChange(connected => {
    if (!connected) {
      for (const question of [...asking]) question.drop()
      return
    }
    connecting.give()
    connecting = newSignal()
  })
  bus.onLeave(async arrived => {
    const own = arrival(arrived).then(() => {
      if (moving === own) moving = undefined
    })
    moving = own
    await takeBack()
    await untilNone(() => underWay, arrived)
  })
  const workers = Array.from({ length: places }, work)

  return {
    async drain() {
      stopping.abort()
      connecting.give()
      await takeBack()
      await Promise.all(workers)
    },
  }

  async function work() {
    while (!stopping.signal.aborted) {
      try {
        const msg = await next()
        if (msg) await handle(msg)
      } catch (err) {
        made = undefined
        if (!failing && !stopping.signal.aborted) log.warn({ err, consumer }, 'events are not consumed now')
        failing = true
        await delay(againMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  /** Undefined where there is none for now. */
  async function next(): Promise<Msg | undefined> {
    if (moving) await moving
    if (!bus.connected) return connecting.given
    made ??= makeConsumer()
    await made
    const msg = await ask()
    const status = msg ? statusOf(msg) : nothingThere
    if (status !== 0 && status !== nothingThere)
      throw Object.assign(new Error('The server has no such consumer now.'), { code: status })
    if (failing && msg) {
      failing = false
      log.info({ consumer }, 'events are consumed again')
    }
    return status === 0 ? msg : undefined
  }

  /** With an inbox of its own: a question that was given up must not be answered to the next one. */
  function ask(): Promise<Msg | undefined> {
    if (stopping.signal.aborted || !bus.connected || moving) return Promise.resolve(undefined)
    return new Promise(resolve => {
      const reply = `${inbox}.${(++counter).toString(36)}`
      const end = (msg?: Msg) => {
        clearTimeout(timer)
        asking.delete(question)
        resolve(msg)
      }
      const subscription = nc.subscribe(reply, {
        max: 1,
        callback: (error, msg) => {
          if (error) log.error({ err: error, consumer }, 'events cannot be received')
          end(error ? undefined : msg)
        },
      })
      const question: Question = {
        drop() {
          subscription.unsubscribe()
          end()
        },
        async takeBack() {
          await subscription.drain()
          end()
        },
      }
      const timer = setTimeout(question.drop, lostMs)
      asking.add(question)
      const body = JSON.stringify({ batch: 1, expires: waitSeconds * nanoseconds })
      nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, body, { reply })
    })
  }

  /** What the server has given to this process already is here, and under way, when this resolves. */
  async function takeBack() {
    const open = [...asking]
    if (bus.connected) {
      const all = Promise.all(open.map(question => question.takeBack().catch(() => {})))
      await Promise.race([all, delay(takeBackMs, undefined, { ref: false })])
    }
    for (const question of [...asking]) question.drop()
  }

  async function handle(msg: Msg) {
    underWay++
    try {
      await receive(msg)
    } catch (err) {
      log.error({ err, consumer }, 'a delivery could not be finished')
    } finally {
      underWay--
    }
  }

  async function makeConsumer(): Promise<void> {
    const config = {
      name: consumer,
      durable_name: consumer,
      filter_subject: filter,
      deliver_policy: 'all',
      ack_policy: 'explicit',
      ack_wait: options.ackSeconds * nanoseconds,
      max_ack_pending: options.maxAckPending,
    }
    await options.prepare?.()
    // Replicas that make the same at once are all answered with success.
    await askJetStream(bus, `CONSUMER.CREATE.${stream}.${consumer}.${filter}`, {
      stream_name: stream,
      config,
    })
  }
}

/** Answers a delivery: `+ACK`, or `-NAK` with the pause in it. Lost with the connection, it comes again. */
export function answer(msg: Msg, text: string): void {
  try {
    msg.respond(Buffer.from(text))
  } catch {
    // The connection is closed.
  }
}

/** That of the server's own messages; 0 of events. */
function statusOf(msg: Msg): number {
  try {
    return headersOf(msg).code
  } catch {
    return 0
  }
}

function newSignal() {
  let give!: () => void
  const given = new Promise<undefined>(resolve => {
    give = () => resolve(undefined)
  })
  return { given, give }
}
