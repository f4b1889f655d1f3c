/**
 * `<dataDir>/bus.json`: the address of the running bus of `npm start`, for the operator's commands on this machine.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BusAccess } from './bus-access.ts'
import { readIfPresent, writePrivateFile } from './private-file.ts'

const fileIn = (dataDir: string) => join(dataDir, 'bus.json')

export const writeBusFile = (dataDir: string, access: BusAccess): Promise<void> =>
  writePrivateFile(fileIn(dataDir), `${JSON.stringify(access, null, 2)}\n`)

export const removeBusFile = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true })

/** Undefined if nothing runs. A process that was killed may have left the file behind. */
export async function readBusFile(dataDir: string): Promise<BusAccess | undefined> {
  const text = await readIfPresent(fileIn(dataDir))
  return text === undefined ? undefined : (JSON.parse(text) as BusAccess)
}
