/** Looks the API token up in PostgreSQL from here: asking a service over the bus would be a second hop. */
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { type Caller, findCaller } from '../../shared/caller.ts'
import type { Pool } from '../../shared/pool.ts'
import { unauthorized } from '../../shared/refusal.ts'
import { POOL } from '../database.module.ts'

export type AuthenticatedRequest = FastifyRequest & { caller: Caller }

@Injectable()
export class ApiTokenGuard implements CanActivate {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>()
    const caller = await findCaller(this.pool, request.headers.authorization)
    if (!caller) throw unauthorized()
    request.caller = caller
    return true
  }
}
