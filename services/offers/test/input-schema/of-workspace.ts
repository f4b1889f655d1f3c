import type { InputSchemas } from '../../src/input-schema/input-schemas.ts'

type Offer = Parameters<InputSchemas['validate']>[0]

/** The schemas as used by one workspace, for tests that do not depend on which workspace it is. */
export function ofWorkspace(schemas: InputSchemas, workspace = 'ws_own') {
  return {
    ...schemas,
    check: (schema: unknown) => schemas.check(schema, workspace),
    validate: (offer: Omit<Offer, 'workspace' | 'package_version_id'>) =>
      schemas.validate({ ...offer, workspace, package_version_id: `pkgv_of_${workspace}` }),
  }
}
