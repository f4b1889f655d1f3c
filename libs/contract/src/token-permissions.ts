import { beyondMembers, permissions } from './core/permissions.ts'
import { operations } from './services.ts'

/** What an API token can do that is narrowed to nothing: some operation of these permissions admits its role, `member`. */
export const tokenPermissions = permissions.filter(
  permission =>
    !beyondMembers.includes(permission) &&
    operations.some(
      ({ operation: { permission: needed, access } }) =>
        needed === permission && access.credentials.includes('api_token') && access.roles.includes('member'),
    ),
)
