/** A quota of processor time for a process, as on a smaller machine of its own: cgroups v1 and v2, as root on Linux. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cleanup } from '../cleanup.ts'

/** The default of the kernel and of Kubernetes. */
const periodUs = 100_000

export interface Quota {
  /** @param share of one core; undefined: as much as there is */
  set(share: number | undefined): void
}

/**
 * Puts the process with all its threads into a group of its own, until it has ended.
 *
 * @throws Error where this kernel or this user cannot
 */
export function ownQuota(pid: number, cleanup: Cleanup): Quota {
  const root = '/sys/fs/cgroup'
  const v1 = existsSync(join(root, 'cpu/cgroup.procs'))
  const parent = v1 ? join(root, 'cpu') : root
  const group = join(parent, `svc-bench-${pid}`)
  try {
    if (!v1 && !readFileSync(join(root, 'cgroup.subtree_control'), 'utf8').split(/\s/).includes('cpu'))
      writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
    mkdirSync(group)
    cleanup.add(() => {
      moveTo(parent)
      rmdirSync(group)
    })
    moveTo(group)
  } catch (error) {
    throw new Error(
      `Processes cannot be given a quota of processor time here (${(error as Error).message}). That takes Linux, root, and cgroups that can be written.`,
    )
  }
  return {
    set(share) {
      const quota = share === undefined ? undefined : Math.round(share * periodUs)
      if (!v1) return writeFileSync(join(group, 'cpu.max'), `${quota ?? 'max'} ${periodUs}`)
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota ?? -1))
    },
  }

  function moveTo(target: string) {
    if (existsSync(`/proc/${pid}`)) writeFileSync(join(target, 'cgroup.procs'), String(pid))
  }
}
