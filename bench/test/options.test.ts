import { expect, test } from 'vitest'
import { choose, readOptions, UsageError } from '../src/options.ts'
import { cellsOf } from '../src/schedule.ts'

test('without arguments everything is compared, five rounds of 3 s', () => {
  const options = readOptions([])
  expect(options).toMatchObject({ command: 'compare', rounds: 5, seconds: 3, variants: undefined })
  const cells = cellsOf(options)
  expect(cells).toHaveLength(8 * 3 + 1)
  expect(cells.filter(({ connections }) => connections === 128)).toEqual([
    { workload: 'product', connections: 128 },
  ])
})

test('--quick is one short round of one workload', () => {
  const options = readOptions(['--quick'])
  expect(options).toMatchObject({ rounds: 1, seconds: 1 })
  expect(cellsOf(options)).toEqual([{ workload: 'product', connections: 32 }])
})

test('lists are taken apart, each name once', () => {
  const options = readOptions(['--variants', 'a, b,a', '--workloads=mix,tokens', '--connections', '256,1'])
  expect(options).toMatchObject({ variants: ['a', 'b'], workloads: ['mix', 'tokens'] })
  expect(cellsOf(options).map(({ connections }) => connections)).toEqual([1, 256, 1, 256])
})

test.each([
  { args: ['--varants', 'a'], told: [/--varants/, /--variants, --workloads, --connections/] },
  { args: ['-x'], told: [/-x/, /--variants/] },
  { args: ['--rounds'], told: [/--rounds/, /--variants/] },
  { args: ['--workloads', 'offers'], told: [/workload offers/, /product, version, channel/] },
  { args: ['--workloads', ','], told: [/empty/] },
  { args: ['--connections', '0'], told: [/--connections takes whole numbers from 1 to 1024, not "0"/] },
  { args: ['--connections', '1.5'], told: [/not "1.5"/] },
  { args: ['--rounds', 'many'], told: [/not "many"/] },
  { args: ['--seconds', '0'], told: [/--seconds takes a number from 0.1/] },
  { args: ['--minutes', '1'], told: [/"compare" has no --minutes/, /--variants/] },
  { args: ['drift', '--variants', 'a'], told: [/"drift" has no --variants/, /--minutes/] },
  { args: ['growth', '--sizes', '0'], told: [/--sizes takes whole numbers/] },
  { args: ['drft'], told: [/no command "drft"/, /compare, drift, replicas, start/] },
  { args: ['drift', 'start'], told: [/no command "drift start"/] },
])('$args is refused with what would be right', ({ args, told }) => {
  const refused = () => readOptions(args)
  expect(refused).toThrow(UsageError)
  for (const text of told) expect(refused).toThrow(text)
})

test('an unknown variant is refused with the known ones', () => {
  expect(choose(['b'], ['a', 'b', 'c'])).toEqual(['b'])
  expect(choose(undefined, ['a', 'b'])).toEqual(['a', 'b'])
  expect(() => choose(['a', 'x', 'y'], ['a', 'b'])).toThrow('There is no variant x, y. Variants: a, b.')
})
