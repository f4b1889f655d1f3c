import { type CompiledSchema, compileSchema } from '../evaluate/compile.ts'
import { documentLimits } from './document-limits.ts'
import { evaluationProblems } from './evaluation-cost.ts'
import { identifierProblems } from './identifiers.ts'
import { metaSchemaProblems } from './meta-schema.ts'
import { patternProblems } from '../evaluate/pattern.ts'
import { plainSchema } from './plain-schema.ts'
import { type Problem, problem, quote, type Refusal, refusal } from '../problem.ts'
import { propertyCountProblems } from './property-count.ts'
import { resolveReferences } from './references.ts'
import { rootProblems } from './root-schema.ts'
import { secretProperties } from './secret-properties.ts'
import { readSchemaTree, type SchemaObject, type SchemaTree } from './schema-tree.ts'

/**
 * Checks a seller's schema against all rules and compiles it. Must run in a thread that can be stopped: it is
 * synchronous, and a hostile schema may take any time.
 *
 * @param schemaText valid JSON
 * @returns the compiled schema, and the properties that may hold a password
 */
export function checkInputSchema(
  schemaText: string,
  maxSteps?: number,
): { ok: true; schema: CompiledSchema; secret: string[] } | Refusal {
  const document: unknown = JSON.parse(schemaText)
  const tooDeep = documentLimits(document)
  if (tooDeep.length > 0) return refusal(tooDeep)
  const unsuitable = rootProblems(document)
  if (unsuitable.length > 0) return refusal(unsuitable)
  const malformed = metaSchemaProblems(document)
  if (malformed.length > 0) return refusal(malformed)

  const tree = readSchemaTree(document as SchemaObject)
  const { references, problems: unresolved } = resolveReferences(tree)
  const forbidden = [
    ...propertyCountProblems(tree),
    ...identifierProblems(tree),
    ...unresolved,
    ...emptyEnums(tree),
    ...patternProblems(tree),
  ]
  if (forbidden.length > 0) return refusal(forbidden)
  const costly = evaluationProblems(tree, references)
  if (costly.length > 0) return refusal(costly)

  try {
    const schema = compileSchema(plainSchema(tree, references), maxSteps)
    return { ok: true, schema, secret: secretProperties(tree.root, references) }
  } catch (error) {
    return refusal([problem([], compileFailure(error))])
  }
}

// Legal according to JSON Schema, but no value can satisfy it, and the compiler refuses it without saying where.
function emptyEnums({ nodes }: SchemaTree): Problem[] {
  const empty = nodes.filter(({ schema }) => {
    return typeof schema === 'object' && Array.isArray(schema.enum) && schema.enum.length === 0
  })
  return empty.map(({ path }) => problem([...path, 'enum'], 'must list at least one value'))
}

function compileFailure(error: unknown): string {
  if (error instanceof RangeError)
    return 'is too complex: use fewer alternatives and shorter chains of references'
  return `cannot be compiled: ${quote(error instanceof Error ? error.message : String(error))}`
}
