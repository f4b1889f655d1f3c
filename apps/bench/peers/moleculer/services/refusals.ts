/** Mixin: a refusal crosses the bus as an error of moleculer's own. */
import { type Context, Errors, type ServiceSchema } from 'moleculer'
import { Refusal } from '../../shared/refusal.ts'

export const refusals: Partial<ServiceSchema> = {
  hooks: {
    error: {
      '*': (_ctx: Context, error: Error) => {
        if (!(error instanceof Refusal)) throw error
        throw new Errors.MoleculerClientError(error.message, error.status, 'REFUSED', error.body)
      },
    },
  },
}
