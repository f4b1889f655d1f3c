/** A cluster as it is read and answered. */
import { fragment } from '@svc/runtime/sql-fragment'
import { settingsColumns, type SettingsRow, settingsOf } from '../settings/settings.ts'

export interface ClusterRow extends SettingsRow {
  id: string
  name: string
  created_at: number
}

/** Of a `ClusterRow`. */
export const clusterColumns = fragment`id, name, unix_seconds(created_at) as created_at, ${settingsColumns}`

export const clusterRecord = ({ id, name, created_at, ...settings }: ClusterRow) => ({
  id,
  name,
  created_at,
  compute_settings: settingsOf(settings),
})

/** The default of a new cluster, unless the service is configured for less. */
export const firstMaxMachines = 10

/** What changes of a cluster are about. */
export const clusterFields = fragment`jsonb_build_object('name', name)`
