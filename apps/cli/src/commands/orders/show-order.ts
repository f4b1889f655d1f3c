/** An order as its commands show it. */
import { timeText } from '../../parse-values.ts'
import type { Column } from '../../terminal/table.ts'

export interface Order {
  readonly id: string
  readonly reference: string
  readonly name: string
  readonly state: string
  readonly offer_id: string
  readonly ordered_by: { readonly id: string; readonly email: string | null }
  readonly reason: string | null
  readonly install_id: string | null
  readonly expires_at: number
  readonly created_at: number
}

export const orderColumns: Column<Order>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'reference', value: ({ reference }) => reference },
  { name: 'state', value: ({ state }) => state, tone: state => tones[state] },
  { name: 'offer_id', value: ({ offer_id }) => offer_id },
  { name: 'ordered_by', value: ({ ordered_by }) => ordered_by.email ?? ordered_by.id, flexible: true },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
]
export const orderDetails: Column<Order>[] = [
  ...orderColumns,
  { name: 'name', value: ({ name }) => name },
  { name: 'reason', value: ({ reason }) => reason },
  { name: 'install_id', value: ({ install_id }) => install_id },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]
const tones: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'dim'>> = {
  completed: 'green',
  awaiting_approval: 'yellow',
  awaiting_checkout: 'yellow',
  rejected: 'red',
  cancelled: 'dim',
  expired: 'dim',
}
