/** The key of node-pg-migrate's advisory lock, which everything takes that changes a schema. */
export const migrationLock = '7241865325823964'
