/** What an expression of Prometheus speaks of, by the grammar of its own project. */
import { parser } from '@prometheus-io/lezer-promql'

export interface Matcher {
  readonly label: string
  readonly value: string
}

export interface ReadPromql {
  /** Where it is no PromQL, the text from there on. */
  readonly faults: readonly string[]
  readonly series: readonly { readonly metric: string; readonly matchers: readonly Matcher[] }[]
  /** The labels of `by`, `on` and the like. */
  readonly grouping: readonly string[]
  /** What `label_replace` adds. */
  readonly added: readonly string[]
}

export function readPromql(text: string): ReadPromql {
  const faults: string[] = []
  const series: { metric: string; matchers: Matcher[] }[] = []
  const grouping: string[] = []
  const added: string[] = []
  let inGrouping = false
  let label = ''
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      const own = text.slice(from, to)
      if (type.isError) faults.push(text.slice(from, from + 40))
      if (name === 'VectorSelector') series.push({ metric: '', matchers: [] })
      const selector = series.at(-1)
      if (name === 'Identifier' && selector) selector.metric = own
      if (name === 'GroupingLabels') inGrouping = true
      if (name === 'LabelName' && inGrouping) grouping.push(own)
      if (name === 'LabelName') label = own
      if (name === 'UnquotedLabelMatcher') selector?.matchers.push({ label: '', value: '' })
      if (name === 'FunctionCall' && own.startsWith('label_replace')) {
        const target = /"(\w+)",\s*"[^"]*",\s*"[^"]*",\s*"[^"]*"\s*\)$/.exec(own)?.[1]
        if (target) added.push(target)
      }
    },
    leave({ name, from, to }) {
      if (name === 'GroupingLabels') inGrouping = false
      const matchers = series.at(-1)?.matchers
      if (name === 'UnquotedLabelMatcher') {
        const value = /"(.*)"$/.exec(text.slice(from, to))?.[1] ?? ''
        matchers?.splice(-1, 1, { label, value })
      }
    },
  })
  return { faults, series, grouping, added }
}
