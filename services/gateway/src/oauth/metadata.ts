/** What clients and resource servers find out by themselves: RFC 8414 metadata, and the keys of RFC 7517. */
import type { FastifyInstance } from 'fastify'

export interface MetadataDeps {
  readonly publicUrl: string
}

export async function metadataRoutes(_app: FastifyInstance, _deps: MetadataDeps) {}
