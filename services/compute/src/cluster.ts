/** A cluster as it is read and answered. */
import { type SettingsRow, settingsOf } from './settings.ts'

export interface ClusterRow extends SettingsRow {
  id: string
  name: string
  created_at: number
}

export const clusterRecord = ({ id, name, created_at, ...settings }: ClusterRow) => ({
  id,
  name,
  created_at,
  compute_settings: settingsOf(settings),
})

/** What a new cluster may have, where the service is not configured for less. */
export const firstMaxMachines = 10
