/** Spans of SQL statements. */
import { SpanKind } from '@opentelemetry/api'
import { currentSpan, endSpan, outcomeOf, tracer } from './tracing.ts'

/**
 * Runs a statement in a span of its own, provided that it belongs to a traced call: what a process does by itself every
 * second would be a trace each time. The span is named by the statement's text as it stands in the program; its values
 * are never looked at.
 *
 * @param run gets what tells the span that the statement has its connection, and waits no more
 */
export async function traceStatement<T>(
  strings: TemplateStringsArray,
  run: (connected: () => void) => Promise<T>,
): Promise<T> {
  if (!currentSpan()) return run(() => {})
  const { summary, operation, name: statement } = descriptionOf(strings)
  const span = tracer.startSpan(summary, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      ...(statement && { 'svc.statement': statement }),
    },
  })
  try {
    const rows = await run(() => span.addEvent('connection acquired'))
    span.end()
    return rows
  } catch (error) {
    const { name, code } = Object(error) as { name?: unknown; code?: unknown }
    if (name !== 'PostgresError') endSpan(span, outcomeOf(error))
    else {
      // A constraint that refuses may be the answer; whether it is a fault the span above says.
      span.setAttribute('db.response.status_code', String(code))
      span.end()
    }
    throw error
  }
}

interface Description {
  /** `INSERT offers SELECT products`: what is done to which tables, in the order of the text. */
  readonly summary: string
  readonly operation: string
  /** `offers.get_offer`: what its leading comment says. */
  readonly name?: string
}

/** A call site has the same strings each time. */
const known = new WeakMap<TemplateStringsArray, Description>()

function descriptionOf(strings: TemplateStringsArray): Description {
  const before = known.get(strings)
  if (before) return before
  const [, name] = leadingName.exec(strings[0] ?? '') ?? []
  const description = { ...describeStatement(strings.join(' $ ')), name }
  known.set(strings, description)
  return description
}

const leadingName = /^\s*\/\* (\S+) \*\//

/** OpenTelemetry's bound for a summary. */
const maxSummary = 255

/** @param text of a statement, with something in the place of each parameter */
export function describeStatement(text: string): Description {
  const plain = noise.reduce((left, one) => left.replace(one, ' '), text.toLowerCase()).replace(/\s+/g, ' ')
  const ownNames = new Set(Array.from(plain.matchAll(namings), ([, name]) => name))
  const parts = new Set<string>()
  for (const [, inserted, updated, deleted, read] of plain.matchAll(steps)) {
    if (inserted) parts.add(`INSERT ${inserted}`)
    else if (updated) parts.add(`UPDATE ${updated}`)
    else if (deleted) parts.add(`DELETE ${deleted}`)
    else if (!ownNames.has(read)) parts.add(`SELECT ${read}`)
  }
  const [, called] = parts.size === 0 ? (functionCall.exec(plain) ?? []) : []
  if (called) parts.add(`SELECT ${called}`)
  const operation = [...parts].find(part => !part.startsWith('SELECT'))?.split(' ')[0] ?? 'SELECT'
  return { operation, summary: bounded([...parts]) || operation }
}

/** As many of the parts as there is room for, whole. */
function bounded(parts: readonly string[]): string {
  let summary = ''
  for (const part of parts) {
    if (summary.length + part.length >= maxSummary) break
    summary += summary ? ` ${part}` : part
  }
  return summary
}

/** Comments, texts, and where `from` stands before something that is no table. */
const noise = [/--.*$/gm, /\/\*[^*]*\*\//g, /'[^']*'/g, /\bextract\s*\([^()]*\)/g, /\bdistinct from\b/g]
/** What the statement itself names by `with`. */
const namings = /\b(\w+)(?: ?\([^()]*\))? as (?:not )?(?:materialized )?\(/g
const steps =
  /\binsert into (\w+)|(?<!\b(?:do|for|key) )\bupdate (\w+)|\bdelete from (\w+)|\b(?:from|join) (?!lateral\b)([a-z_]\w*)\b(?! ?[.(])/g
const functionCall = /\b(?:from|select) ([a-z_]\w*) ?\(/
