/** Includes the workspace, so that nobody recalls a token of others. */
export const apiTokenPrincipal = (workspace: string, id: string): string => `api_token ${workspace} ${id}`
export const ciTrustPrincipal = (workspace: string, id: string): string => `ci_trust ${workspace} ${id}`
export const sessionPrincipal = (id: string): string => `session ${id}`
/** Includes the person, so that nobody recalls a session of others. */
export const ownSessionPrincipal = (user: string, id: string): string => `session ${user} ${id}`
export const userPrincipal = (id: string): string => `user ${id}`
export const memberPrincipal = (workspace: string, user: string): string => `member ${workspace} ${user}`
export const workspacePrincipal = (id: string): string => `workspace ${id}`
export const keyPrincipal = (kid: string): string => `key ${kid}`
export const credentialPrincipal = (hash: string): string => `credential ${hash}`
