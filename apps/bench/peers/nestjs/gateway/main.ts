/** The HTTP edge: authenticates, validates, and passes on. */
import 'reflect-metadata'
import { ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { host, logLevel, port, sayReady } from '../../shared/environment.ts'
import { logDestination } from '../../shared/log.ts'
import { OneLinePerRequest } from '../../shared/request-log.ts'
import { AnswerErrors } from './answer-errors.filter.ts'
import { GatewayModule } from './gateway.module.ts'
import { validationError } from './validation-error.ts'

const adapter = new FastifyAdapter({
  logger: { level: logLevel(), stream: logDestination() },
  logController: new OneLinePerRequest(),
})
const app = await NestFactory.create<NestFastifyApplication>(GatewayModule, adapter, {
  logger: ['error', 'warn'],
})
app.setGlobalPrefix('v1')
app.useGlobalPipes(
  new ValidationPipe({
    // The instance is what comes out: without this it would be turned back into a plain object.
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
    exceptionFactory: validationError,
  }),
)
app.useGlobalFilters(new AnswerErrors())
app.enableShutdownHooks()
await app.listen(port(), host())
sayReady()
