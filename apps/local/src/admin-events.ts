/** Commands for events that a service could not handle: docs/events.md. */
import { listParked, redeliver } from '@svc/bus/events/parked-events'
import type { Command } from './admin-command.ts'

export const eventCommands: Readonly<Record<string, Command>> = {
  'events parked': {
    summary: 'list the events that services could not handle',
    options: {},
    async run(_call, _given, bus) {
      const data = await listParked(bus)
      const lines = data.map(
        ({ number, service, type, parked_at, attempts, reason }) =>
          `${number}  ${service}  ${type}  ${parked_at}  attempts: ${attempts}  ${reason}`,
      )
      return { answer: { data }, lines: lines.length > 0 ? lines : ['Nothing is parked.'] }
    },
  },
  'events redeliver': {
    summary: 'have the service that parked an event try again',
    options: {},
    argument: 'number',
    async run(_call, { argument }, bus) {
      const number = Number(argument)
      const event = Number.isSafeInteger(number) && number > 0 ? await redeliver(bus, number) : undefined
      if (!event) throw new Error(`Nothing is parked under the number ${argument}.`)
      return { answer: { event }, lines: [`${event.service} gets ${event.type} once more.`] }
    },
  },
}
