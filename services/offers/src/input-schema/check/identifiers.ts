import { dialect } from './meta-schema.ts'
import { type Problem, problem } from '../problem.ts'
import type { SchemaTree } from './schema-tree.ts'

/**
 * The document is one schema resource: no `$id` anywhere, and `$schema` only at the root and only 2020-12. So the
 * meaning of a reference depends only on the text, and not on what else the process has compiled.
 */
export function identifierProblems({ root, nodes }: SchemaTree): Problem[] {
  const problems: Problem[] = []
  for (const node of nodes) {
    if (typeof node.schema === 'boolean') continue
    if (Object.hasOwn(node.schema, '$id')) {
      problems.push(problem([...node.path, '$id'], 'is not supported: leave it out; references are local'))
    }
    if (!Object.hasOwn(node.schema, '$schema')) continue
    const at = [...node.path, '$schema']
    if (node !== root) problems.push(problem(at, 'is only allowed at the root'))
    else if (String(node.schema.$schema).replace(/#$/, '') !== dialect)
      problems.push(problem(at, `must be ${dialect}`))
  }
  return problems
}
