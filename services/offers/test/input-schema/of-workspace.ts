import type { InputSchemas } from '../../src/input-schema/input-schemas.ts'

type Offer = Parameters<InputSchemas['validate']>[0]

/** Runs everything as one workspace, for tests in which the workspace does not matter. */
export function ofWorkspace(schemas: InputSchemas, workspace = 'ws_own') {
  return {
    ...schemas,
    check: (schema: unknown) => schemas.check(schema, workspace),
    validate: (offer: Omit<Offer, 'workspace' | 'package_version_id'>) =>
      schemas.validate({ ...offer, workspace, package_version_id: `pkgv of ${workspace}` }),
  }
}
