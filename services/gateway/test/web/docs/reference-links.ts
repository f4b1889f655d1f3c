/** Operations of the document, and the links by which the reference opens them. */
import { openApiDocument } from '@svc/contract/openapi/document'

interface Documented {
  readonly operationId: string
  readonly tags: readonly string[]
}

export const documented = Object.values(openApiDocument().paths).flatMap(path =>
  Object.values(path),
) as Documented[]

/** The fragment has the group and the id: `#/Compute%20settings/compute.get_compute_settings`. */
export function linkTo(operationId: string): string {
  const found = documented.find(operation => operation.operationId === operationId)
  if (!found) throw new Error(`The document has no operation ${operationId}`)
  return `#/${found.tags.map(encodeURIComponent).join()}/${operationId}`
}
