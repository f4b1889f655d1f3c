import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { exitCodes, Failure, UsageError } from '../failure.ts'

export type Json = JSONValue

/** @throws UsageError if the expression is invalid */
export function parseQuery(expression: string): (body: Json) => Json {
  const tree = understood(expression)
  return body => {
    try {
      return TreeInterpreter.search(tree, body) ?? null
    } catch (error) {
      throw new Failure(exitCodes.failed, `--query: ${(error as Error).message}`)
    }
  }
}

function understood(expression: string) {
  try {
    return compile(expression)
  } catch (error) {
    throw new UsageError(`--query is not JMESPath: ${(error as Error).message}`)
  }
}

/**
 * One line per item of a list; texts as they are, everything else as JSON. Values that JSON lacks are null, since
 * every object has a constructor.
 */
export const selectedLines = (selected: Json, indent?: number): string[] =>
  (Array.isArray(selected) ? selected : [selected]).map(one =>
    typeof one === 'string' ? one : (JSON.stringify(one, null, indent) ?? 'null'),
  )
