/** SQLSTATEs that a handler expects (PostgreSQL documentation, appendix A). */
export const uniqueViolation = '23505'
export const foreignKeyViolation = '23503'

/** The SQLSTATE of a statement's error, or '' for any other error. */
export const sqlstate = (error: unknown): string => String((error as { code?: unknown }).code ?? '')
