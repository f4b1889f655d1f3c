import { fragment } from '@svc/runtime/sql-fragment'
import { settingsColumns, type SettingsRow, settingsOf } from '../settings/settings.ts'

export interface ClusterRow extends SettingsRow {
  id: string
  name: string
  created_at: number
  has_secret: boolean
  last_reported_at: number | null
}

/** A cluster with a secret has a current one; a previous one may still be accepted as well. */
export const clusterColumns = fragment`
  id, name, unix_seconds(created_at) as created_at, ${settingsColumns},
  (select true from agent_secrets s where s.cluster_id = id limit 1) is true as has_secret,
  unix_seconds(reported_at) as last_reported_at`

export const clusterRecord = ({
  id,
  name,
  created_at,
  has_secret,
  last_reported_at,
  ...settings
}: ClusterRow) => ({
  id,
  name,
  created_at,
  compute_settings: settingsOf(settings),
  agent: { has_secret, last_reported_at },
})

/** The default of a new cluster, unless the service is configured with less. */
export const firstMaxMachines = 10

export const clusterFields = fragment`jsonb_build_object('name', name)`
