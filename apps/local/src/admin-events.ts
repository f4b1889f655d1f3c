/** Commands for events that a service could not handle: docs/inside/events.md. */
import { findParked, listParked, redeliver } from '@svc/bus/events/parked-events'
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
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
    async run(call, { argument, operator }, bus) {
      const number = Number(argument)
      const event = Number.isSafeInteger(number) && number > 0 ? await findParked(bus, number) : undefined
      if (!event) throw new Error(`Nothing is parked under the number ${argument}.`)
      const { service, type } = event
      // First: nothing is delivered of which the audit log does not know by whom.
      await invoke(call, activity, 'note_redelivery', {
        ...operator,
        body: { event_id: eventIdOf(event.body), service, type },
      })
      await redeliver(bus, event)
      return { answer: { event }, lines: [`${event.service} gets ${event.type} once more.`] }
    },
  },
}

/** What was parked as it is no event has none. */
function eventIdOf(body: string): string {
  try {
    const { id } = JSON.parse(body)
    return typeof id === 'string' && id !== '' ? id.slice(0, 200) : 'unknown'
  } catch {
    return 'unknown'
  }
}
