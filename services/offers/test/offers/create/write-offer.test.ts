// The one statement that writes offers writes what was read before, or nothing: what has changed since is read again. Each
// request gets the same alone as together with others.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixedPolicy, rangePolicy } from '../../catalogue.ts'
import { gather, writersOf } from './gathering.ts'
import { type Answer, summaryOf } from '../../http.ts'
import { type Attempt, shareBench } from '../../in-process.ts'
import { arrange } from './reservation-scene.ts'

/** Some requests, what happens before they write, and their expected outcome. */
interface Scene {
  readonly requests: Attempt[]
  /** Runs between their reads and their write. */
  meanwhile?(): Promise<unknown>
  /** Runs while their write is in progress. */
  afterwards?(): void
  outcome(answers: Answer[]): Promise<unknown>
  readonly expected: unknown
  /** Whether their first write decides the outcome. */
  readonly atOnce?: boolean
}

const bench = forFile(shareBench)
const conflict = [409, [40901, 'Idempotency-Key']]

const withAndWithout: Record<string, (key: (name: string) => string | undefined) => Promise<Scene>> = {
  'the version has not changed': async choose => {
    const { body, key, first, pinned } = await arrange(bench)
    return {
      requests: [{ body, key: choose(key) }],
      outcome: async answers => [...answers.map(summaryOf), await pinned()],
      expected: [[201], [first]],
      atOnce: true,
    }
  },

  'the product has a new version: the offer is pinned to the one that is current at the write':
    async choose => {
      const { body, key, moveOn, second, pinned } = await arrange(bench)
      return {
        requests: [{ body, key: choose(key) }],
        meanwhile: moveOn,
        outcome: async answers => [...answers.map(summaryOf), await pinned()],
        expected: [[201], [second]],
      }
    },

  'the product has a new version that refuses the values: refused, and nothing is stored': async choose => {
    const { body, key, package_id, product_id, offers, keyRow } = await arrange(bench)
    const other = await bench.catalogue.version(package_id, { properties: {} })
    return {
      requests: [{ body, key: choose(key) }],
      meanwhile: () => bench.catalogue.pin(product_id, other),
      outcome: async answers => [...answers.map(summaryOf), await offers(), await keyRow()],
      expected: [[422, [42209, 'field_values.region']], [], undefined],
    }
  },

  'an explicit version stays, whatever version the product switches to': async choose => {
    const { body, key, moveOn, first, pinned } = await arrange(bench)
    return {
      requests: [{ body: { ...body, package_version_id: first }, key: choose(key) }],
      meanwhile: moveOn,
      outcome: async answers => [...answers.map(summaryOf), await pinned()],
      expected: [[201], [first]],
      atOnce: true,
    }
  },

  'the channel has not changed': async choose => {
    const { body, key, product_id, offers } = await arrange(bench)
    const offer_channel_id = await bench.catalogue.channel(product_id, rangePolicy)
    return {
      requests: [{ body: { ...body, offer_channel_id }, key: choose(key) }],
      outcome: async answers => [
        ...answers.map(summaryOf),
        (await offers()).map(offer => offer.policy_number),
      ],
      expected: [[201], [1]],
      atOnce: true,
    }
  },

  'the channel has a new policy: the offer has its terms': async choose => {
    const { body, key, product_id, offers } = await arrange(bench)
    const offer_channel_id = await bench.catalogue.channel(product_id, rangePolicy)
    return {
      requests: [{ body: { ...body, offer_channel_id }, key: choose(key) }],
      meanwhile: () => bench.catalogue.policy(offer_channel_id, fixedPolicy),
      outcome: async answers => [
        ...answers.map(summaryOf),
        ...(await offers()).map(({ policy_number, terms }) => [policy_number, terms.price.unit_amount]),
      ],
      expected: [[201], [2, 5000]],
    }
  },

  'the channel is inactive: refused, and nothing is stored': async choose => {
    const { body, key, product_id, offers, keyRow } = await arrange(bench)
    const offer_channel_id = await bench.catalogue.channel(product_id, rangePolicy)
    return {
      requests: [{ body: { ...body, offer_channel_id }, key: choose(key) }],
      meanwhile: () => bench.catalogue.setStatus(offer_channel_id, 'inactive'),
      outcome: async answers => [...answers.map(summaryOf), await offers(), await keyRow()],
      expected: [[422, [42205, 'offer_channel_id']], [], undefined],
    }
  },
}

const aboutKeys: Record<string, () => Promise<Scene>> = {
  'the key now has an offer: that offer is the answer': async () => {
    const { body, key, create, offers } = await arrange(bench)
    let faster: Answer | undefined
    return {
      requests: [{ body, key }],
      async meanwhile() {
        faster = await create()
      },
      outcome: async ([answer]) => [
        answer?.status,
        answer?.replayed,
        answer?.body.id === faster?.body.id && answer?.body.short_hash === faster?.body.short_hash,
        (await offers()).length,
      ],
      expected: [201, 'true', true, 1],
    }
  },

  'the key now has an offer of another intent: a conflict': async () => {
    const { body, key, create, offers } = await arrange(bench)
    return {
      requests: [{ body, key }],
      meanwhile: () => create({ body: { ...body, notes: 'other' } }),
      outcome: async answers => [...answers.map(summaryOf), (await offers()).map(({ notes }) => notes)],
      expected: [conflict, ['other']],
    }
  },

  'the key is now reserved: the holder of the reservation decides': async () => {
    const { body, key, stall, moveOn, first, pinned } = await arrange(bench)
    let holder: Awaited<ReturnType<typeof stall>> | undefined
    return {
      requests: [{ body, key }],
      async meanwhile() {
        holder = await stall()
        await moveOn()
      },
      afterwards: () => holder?.release(),
      async outcome([answer]) {
        const held = await holder?.answer
        return [answer?.status, answer?.replayed, answer?.body.id === held?.body.id, await pinned()]
      },
      expected: [201, 'true', true, [first]],
    }
  },

  'several requests with one key and intent: one creates the offer, and all return it': async () => {
    const { body, key, offers } = await arrange(bench)
    return {
      requests: Array.from({ length: sized(20, 200) }, () => ({ body, key })),
      outcome: async answers => [
        new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size,
        answers.filter(({ replayed }) => replayed === null).length,
        (await offers()).map(({ id }) => id === answers[0]?.body.id),
      ],
      expected: [1, 1, [true]],
      atOnce: true,
    }
  },

  'several requests with one key and two intents: one intent wins, the other is a conflict': async () => {
    const { body, key, offers } = await arrange(bench)
    const intents = ['one', 'two']
    return {
      requests: Array.from({ length: 6 }, (_, at) => ({ body: { ...body, notes: intents[at % 2] }, key })),
      async outcome(answers) {
        const rows = await offers()
        const winner = intents.indexOf(rows[0]?.notes)
        return [rows.length, answers.map((answer, at) => [at % 2 === winner, ...summaryOf(answer)])]
      },
      get expected() {
        const ends = [
          [true, 201],
          [false, ...conflict],
        ]
        return [1, expect.toSatisfy((all: unknown[]) => matches(all, ends))]
      },
      atOnce: true,
    }
  },

  'two requests with one key, and what the first refers to has changed: the second gets the key':
    async () => {
      const { body, key, first, moveOn, pinned } = await arrange(bench)
      return {
        requests: [
          { body, key },
          { body: { ...body, package_version_id: first }, key },
        ],
        meanwhile: moveOn,
        outcome: async answers => [...answers.map(summaryOf), await pinned()],
        expected: [conflict, [201], [first]],
        atOnce: true,
      }
    },
}

/** Each of the two outcomes, three times. */
const matches = (all: unknown[], ends: unknown[][]) =>
  ends.every(end => all.filter(one => JSON.stringify(one) === JSON.stringify(end)).length === 3)

const scenes: Record<string, () => Promise<Scene>> = {
  ...Object.fromEntries(
    Object.entries(withAndWithout).flatMap(([name, arrangeScene]) => [
      [`without a key, ${name}`, () => arrangeScene(() => undefined)],
      [`with a key, ${name}`, () => arrangeScene(key => key)],
    ]),
  ),
  ...aboutKeys,
}

interface Outcome {
  readonly scene: Scene
  readonly answers: Answer[]
}

/** Runs the scenes: all requests read, then what happens meanwhile, then all of them write. */
async function run(arranged: (() => Promise<Scene>)[]): Promise<Outcome[]> {
  const { create, all, open } = gather(bench)
  const started: { scene: Scene; answers: Promise<Answer>[] }[] = []
  for (const arrangeScene of arranged) {
    const scene = await arrangeScene()
    started.push({ scene, answers: scene.requests.map(create) })
  }
  await all(started.reduce((count, { answers }) => count + answers.length, 0))
  for (const { scene } of started) await scene.meanwhile?.()
  open()
  // The statement starts at the end of this turn, so it is in progress now.
  await new Promise(setImmediate)
  for (const { scene } of started) scene.afterwards?.()
  return Promise.all(
    started.map(async ({ scene, answers }) => ({ scene, answers: await Promise.all(answers) })),
  )
}

test.each(Object.entries(scenes))('alone, %s', async (_, arrangeScene) => {
  const [{ scene, answers }] = (await run([arrangeScene])) as [Outcome]
  expect(await scene.outcome(answers)).toEqual(scene.expected)
})

describe('requests of every kind written together', () => {
  let ended: Outcome[]
  beforeAll(async () => {
    ended = await run(Object.values(scenes))
  })

  test.each(Object.keys(scenes).map((name, at) => [name, at] as const))('%s', async (_, at) => {
    const { scene, answers } = ended[at] as Outcome
    expect(await scene.outcome(answers)).toEqual(scene.expected)
  })

  test('one statement wrote every offer whose references had not changed', async () => {
    const made = ended
      .filter(({ scene }) => scene.atOnce)
      .flatMap(({ answers }) => answers)
      .filter(({ status, replayed }) => status === 201 && replayed === null)
      .map(({ body }) => body.id ?? '')
    expect(made.length).toBeGreaterThan(8)
    expect(new Set(await writersOf(bench, made)).size).toBe(1)
  })
})
