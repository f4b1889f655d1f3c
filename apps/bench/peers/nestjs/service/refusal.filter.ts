import { Catch, type RpcExceptionFilter } from '@nestjs/common'
import { throwError } from 'rxjs'
import { Refusal } from '../../shared/refusal.ts'
import type { RefusalMessage } from '../messages.ts'

@Catch(Refusal)
export class RefusalFilter implements RpcExceptionFilter<Refusal> {
  catch({ status, body }: Refusal) {
    return throwError((): RefusalMessage => ({ status, body }))
  }
}
