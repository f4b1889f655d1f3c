/** Two replicas on one database, with a clock that stands still until a test moves it, with fractions of a second. */
import { openPool } from '@svc/testing/open-pool'
import { bySystem } from '@svc/contract/core/actor'
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import type { Handler, Input, Reply } from '@svc/contract/core/operation'
import { unhurried } from '@svc/testing/size'
import type { Deps } from '../src/deps.ts'
import { handlers } from '../src/handlers.ts'
import { createPasswords } from '../src/credentials/passwords.ts'
import { internal } from './running-service.ts'

type Operations = typeof authTokens.operations
type Body<K extends keyof Operations> = Input<Operations[K]>['body']
type Answer<K extends keyof Operations> = Reply<Operations[K]>['body']

export interface FrozenReplicas {
  /** Unix seconds. */
  readonly time: { seconds: number }
  /** The replicas take turns. */
  run<K extends keyof Operations>(operation: K, body: Body<K>, caller?: Caller): Promise<Answer<K>>
  close(): Promise<void>
}

export function freezeReplicas(databaseUrl: string, override: Partial<Deps> = {}): FrozenReplicas {
  const time = { seconds: 1_800_000_000 }
  const databases = [1, 2].map(() => openPool(databaseUrl, 6))
  const passwords = createPasswords()
  let turn = 0
  return {
    time,
    async run(operation, body, caller = internal()) {
      const handler = handlers[operation] as unknown as Handler<Operations[typeof operation], Deps>
      const database = databases[turn++ % 2]
      const deps = {
        sql: database?.within(unhurried()),
        now: () => time.seconds * 1000,
        passwords,
        recall: async () => {},
        eventWritten: () => {},
        refusals: { signIn() {}, token() {} },
        hasRecalled: () => true,
        call: { deadline: unhurried(), request_id: 'test', by: bySystem('test') },
        ...override,
      } as Deps
      const input = { params: {}, query: {}, headers: {}, body } as unknown as Input<
        Operations[typeof operation]
      >
      const reply = await handler(input, caller as Parameters<typeof handler>[1], deps)
      return reply.body as Answer<typeof operation>
    },
    async close() {
      await Promise.all(databases.map(database => database.close()))
    },
  }
}
