import { auditTypes, type EventType, events } from '../events.ts'

/** Events of people and of the audit log are not among them. */
export const webhookTypes = (Object.keys(events) as EventType[]).filter(
  type => 'workspace_id' in events[type].shape && !auditTypes.includes(type),
)

export const wildcardOf = (type: string): string => `${type.split('.')[0]}.*`
