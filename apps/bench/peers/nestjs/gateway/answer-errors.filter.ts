/** Every refusal in the envelope of docs/specification.md, R17, whether made here or by the service. */
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common'
import type { FastifyReply } from 'fastify'
import { errorBody, internalBody, Refusal } from '../../shared/refusal.ts'
import type { RefusalMessage } from '../messages.ts'

@Catch()
export class AnswerErrors implements ExceptionFilter {
  private readonly logger = new Logger(AnswerErrors.name)

  catch(exception: unknown, host: ArgumentsHost) {
    const { status, body } = this.answerTo(exception)
    host.switchToHttp().getResponse<FastifyReply>().code(status).send(body)
  }

  private answerTo(exception: unknown): RefusalMessage {
    if (exception instanceof Refusal || isRefusal(exception)) return exception
    const status = exception instanceof HttpException ? exception.getStatus() : statusOf(exception)
    if (status < 500) {
      const { message } = exception as Error
      return { status, body: errorBody(status, [{ code: status * 100 + 1, message }]) }
    }
    this.logger.error(exception)
    return { status: 500, body: internalBody }
  }
}

const isRefusal = (error: unknown): error is RefusalMessage =>
  typeof error === 'object' && error !== null && 'status' in error && 'body' in error

const statusOf = (error: unknown) => (error as { statusCode?: number }).statusCode ?? 500
