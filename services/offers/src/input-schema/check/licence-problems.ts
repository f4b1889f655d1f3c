import { type Problem, problem } from '../problem.ts'
import { readSchemaTree, type SchemaObject } from './schema-tree.ts'

const keyword = 'x-licence'

/**
 * `"x-licence": true` stands at properties of the root, none of which may hold a password. Only versions that are
 * published are checked: to earlier ones it was an annotation.
 */
export function licenceProblems(document: SchemaObject, secret: ReadonlySet<string>): Problem[] {
  return readSchemaTree(document).nodes.flatMap(({ schema, path }) => {
    if (typeof schema === 'boolean' || !Object.hasOwn(schema, keyword)) return []
    const says = (message: string) => [problem([...path, keyword], message)]
    const [parent, name = '', ...rest] = path
    if (typeof schema[keyword] !== 'boolean') return says('must be true or false')
    if (!schema[keyword]) return []
    if (parent !== 'properties' || path.length < 2 || rest.length > 0) {
      return says('is for properties of the root alone')
    }
    return secret.has(name) ? says('cannot be true for a value that may hold a password') : []
  })
}
