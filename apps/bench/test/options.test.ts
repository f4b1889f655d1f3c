import { expect, test } from 'vitest'
import { planComparison } from '../src/commands/plan.ts'
import { one, type Options, readOptions, UsageError } from '../src/options.ts'

const cellsOf = (options: Options) => planComparison(options, ['product'])

test('without arguments everything is compared, in five rounds of 3 s', () => {
  const options = readOptions([])
  expect(options).toMatchObject({ command: 'compare', rounds: 5, seconds: 3, variants: undefined })
  const cells = cellsOf(options)
  expect(cells).toHaveLength(8 * 3 + 1)
  expect(cells.filter(({ connections }) => connections === 128)).toMatchObject([{ workload: 'product' }])
})

test('--quick is one short round of one workload', () => {
  const options = readOptions(['--quick'])
  expect(options).toMatchObject({ rounds: 1, seconds: 1 })
  expect(cellsOf(options)).toMatchObject([{ workload: 'product', connections: 32 }])
})

test('lists are split, and each name is kept once', () => {
  const options = readOptions(['--variants', 'a, b,a', '--workloads=mix,tokens', '--connections', '256,1'])
  expect(options).toMatchObject({ variants: ['a', 'b'], workloads: ['mix', 'tokens'] })
  expect(cellsOf(options).map(({ connections }) => connections)).toEqual([1, 256, 1, 256])
})

test.each([
  { args: ['--varants', 'a'], says: [/--varants/, /--variants, --workloads, --connections/] },
  { args: ['-x'], says: [/-x/, /--variants/] },
  { args: ['--rounds'], says: [/--rounds/, /--variants/] },
  { args: ['--workloads', 'offers'], says: [/workload "offers"/, /product, version, channel/] },
  { args: ['--workloads', ','], says: [/empty/] },
  { args: ['--connections', '0'], says: [/--connections takes whole numbers from 1 to 1024, not "0"/] },
  { args: ['--connections', '1.5'], says: [/not "1.5"/] },
  { args: ['--rounds', 'many'], says: [/not "many"/] },
  { args: ['--seconds', '0'], says: [/--seconds takes a number from 0.1/] },
  { args: ['--minutes', '1'], says: [/"compare" has no --minutes/, /--variants/] },
  { args: ['targets', '--rounds', '1'], says: [/"targets" has no --rounds/, /--quick/] },
  { args: ['drift', '--variants', 'a'], says: [/"drift" has no --variants/, /--minutes/] },
  { args: ['growth', '--sizes', '0'], says: [/--sizes takes whole numbers/] },
  {
    args: ['drft'],
    says: [
      /no command "drft"/,
      /compare, targets, drift, poolers, limit, revocations, fleet, webhooks, console, start/,
    ],
  },
  { args: ['drift', 'start'], says: [/no command "drift start"/] },
])('$args is refused with the valid options', ({ args, says }) => {
  const refused = () => readOptions(args)
  expect(refused).toThrow(UsageError)
  for (const text of says) expect(refused).toThrow(text)
})

test('a name is refused with the known ones', () => {
  expect(one('b', ['a', 'b', 'c'], 'variant')).toBe('b')
  expect(() => one('x', ['a', 'b'], 'variant')).toThrow('There is no variant "x". There are: a, b.')
})
