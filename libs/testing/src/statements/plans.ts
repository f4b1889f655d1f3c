/** The plans that PostgreSQL chose for the services' statements, out of the log of its extension auto_explain. */

export interface Plan {
  /** The service whose connection it was. */
  readonly service: string
  /** The statement as PostgreSQL got it; the checks of foreign keys are among them. */
  readonly query: string
  /** Relations that were read from their beginning to their end. */
  readonly seqScans: readonly string[]
  readonly ms: number
  /** Pages that were read, from the cache or not; 0 unless `measuredPlans` are logged. */
  readonly pages: number
  /** Rows that were read in vain. */
  readonly removed: number
  readonly root: Node
}

export interface PlanLog {
  readonly plans: Plan[]
  /** Takes PostgreSQL's log line by line. */
  readonly onLog: (line: string) => void
}

/** Server settings: the extension is loaded, and silent. */
export const planLogSettings = {
  session_preload_libraries: 'auto_explain',
  log_line_prefix: '%a|',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  // Parameters hold what no log may.
  'auto_explain.log_parameter_max_length': '0',
}

/** Besides: what each statement read. */
export const measuredPlans = {
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
}

/** To be run by the administrator: from now on plans are logged, or no longer. */
export const logPlans = (on: boolean): string[] => [
  `alter system set auto_explain.log_min_duration = ${on ? 0 : -1}`,
  'select pg_reload_conf()',
]

export interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly Node[]
}

export function createPlanLog(): PlanLog {
  const plans: Plan[] = []
  let [service, ms] = ['', 0]
  let text: string | undefined
  return {
    plans,
    onLog(line) {
      const [, name, duration] = /^([^|]*)\|LOG: {2}duration: (\S+) ms {2}plan:$/.exec(line) ?? []
      if (name !== undefined) {
        service = name
        ms = Number(duration)
        text = ''
      } else if (text !== undefined && line.startsWith('\t')) {
        text += line.slice(1)
        if (line !== '\t}') return
        plans.push(read(service, ms, text))
        text = undefined
      }
    },
  }
}

function read(service: string, ms: number, text: string): Plan {
  const { 'Query Text': query, Plan: root } = JSON.parse(text) as { 'Query Text': string; Plan: Node }
  return {
    ...{ service, ms, root, seqScans: seqScansOf(root), removed: removedBy(root) },
    query: query.replace(/\s+/g, ' ').trim(),
    pages: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
  }
}

const seqScansOf = (node: Node): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? '?'] : []),
  ...(node.Plans ?? []).flatMap(seqScansOf),
]

/** A figure of a node is the mean of its loops. */
const removedBy = (node: Node): number =>
  (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1) +
  (node.Plans ?? []).reduce((sum, child) => sum + removedBy(child), 0)
